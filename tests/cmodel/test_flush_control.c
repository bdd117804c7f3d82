/* SPDX-License-Identifier: Apache-2.0 */
/* flush_control against its page: the table, row by row, over every state of every queue. */
#include "flush_control.h"

#include <check.h>
#include <stdbool.h>
#include <string.h>

enum { ANY = 2 };

/* One row of the page's table: conditions (ANY where the row has none), then outputs. */
typedef struct {
  int kind, flush, full, empty, slot, busy;
  int ready, store, pass, force, flush_full, flush_write;
} row_t;

static const row_t rows[] = {
    /* kind F  full empty slot busy   rdy st pa fo ff fw */
    {0, ANY, 0, ANY, ANY, ANY, /* */ 1, 1, 0, 0, 0, 0},
    {0, 1, 1, ANY, ANY, ANY, /*   */ 0, 0, 0, 1, 1, 0},
    {0, 0, 1, ANY, ANY, ANY, /*   */ 0, 0, 0, 0, 0, 0},
    {1, 1, ANY, 0, ANY, ANY, /*   */ 0, 0, 0, 1, 0, 1},
    {1, 1, ANY, 1, 1, ANY, /*     */ 1, 0, 1, 0, 0, 0},
    {1, 1, ANY, 1, 0, ANY, /*     */ 0, 0, 0, 0, 0, 0},
    {1, 0, 0, ANY, ANY, ANY, /*   */ 1, 1, 0, 0, 0, 0},
    {1, 0, 1, ANY, ANY, ANY, /*   */ 0, 0, 0, 0, 0, 0},
    {2, ANY, ANY, ANY, ANY, 1, /* */ 0, 0, 0, 0, 0, 0},
    {2, ANY, ANY, ANY, ANY, 0, /* */ 1, 0, 0, 0, 0, 0},
    {3, ANY, ANY, ANY, ANY, 1, /* */ 0, 0, 0, 0, 0, 0},
    {3, ANY, ANY, ANY, ANY, 0, /* */ 1, 0, 0, 0, 0, 0},
};

static bool fits(int condition, bool value) {
  return condition == ANY || condition == (int)value;
}

static flush_control_t *make(uint32_t queues, uint32_t flush) {
  flush_control_t *self = NULL;
  flush_control_cfg_t cfg = {.QUEUES = queues, .FLUSH = flush};
  ck_assert_int_eq(flush_control_create(&self, &cfg, NULL), 0);
  return self;
}

/* The one row that applies. */
static const row_t *row_for(uint32_t flush, const flush_control_in_t *in, bool full, bool empty) {
  const row_t *found = NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const row_t *r = &rows[i];
    if ((uint64_t)r->kind != in->in_kind_i || !fits(r->flush, flush) || !fits(r->full, full) ||
        !fits(r->empty, empty) || !fits(r->slot, in->slot_i) || !fits(r->busy, in->block_busy_i))
      continue;
    ck_assert_ptr_null(found);
    found = r;
  }
  ck_assert_ptr_nonnull(found);
  return found;
}

static void compare(const flush_control_t *self, const flush_control_in_t *in, const row_t *r) {
  flush_control_out_t out,
      expected = {.in_ready_o = (uint64_t)r->ready,
                  .storable_o = r->kind == 0 || (r->kind == 1 && r->flush == 0),
                  .store_o = (uint64_t)r->store,
                  .pass_o = (uint64_t)r->pass,
                  .force_valid_o = (uint64_t)r->force,
                  .force_queue_o = r->force ? in->in_queue_i : 0,
                  .flush_full_o = (uint64_t)r->flush_full,
                  .flush_write_o = (uint64_t)r->flush_write};
  memset(&out, 0xff, sizeof out);
  flush_control_comb(self, in, &out);
  if (memcmp(&out, &expected, sizeof out))
    ck_abort_msg("kind %u, queue %u: departs from row %d", (unsigned)in->in_kind_i,
                 (unsigned)in->in_queue_i, (int)(r - rows));
}

static const uint32_t sizes[] = {1, 2, 3, 5, 33, 48, 64};

/* Every kind, state and queue number, with all other queues in the opposite state. */
START_TEST(table) {
  uint32_t queues = sizes[_i / 2], flush = (uint32_t)_i % 2;
  flush_control_t *self = make(queues, flush);
  for (uint64_t v = 0; v < 64 * (UINT64_C(1) << bits_index_w(queues)); v++) {
    bool full = v >> 2 & 1, empty = v >> 3 & 1;
    flush_control_in_t in = {.in_valid_i = 1,
                             .in_kind_i = v & 3,
                             .in_queue_i = v >> 6,
                             .slot_i = v >> 4 & 1,
                             .block_busy_i = v >> 5 & 1};
    uint64_t own = in.in_queue_i < 64 ? UINT64_C(1) << in.in_queue_i : 0;
    in.full_i = bits(full ? own : ~own, queues);
    in.empty_i = bits(empty ? own : ~own, queues);
    if (in.in_queue_i >= queues) { /* full and not empty, whatever the vectors say */
      full = true;
      empty = false;
    }
    compare(self, &in, row_for(flush, &in, full, empty));
  }
  flush_control_destroy(self);
}
END_TEST

START_TEST(nothing_offered) {
  flush_control_t *self = make(5, (uint32_t)_i);
  for (uint64_t v = 0; v < 256; v++) {
    flush_control_in_t in = {0,          v & 3,     v >> 2 & 7, v & 1 ? 31 : 0, v & 2 ? 31 : 0,
                             v >> 5 & 1, v >> 6 & 1};
    flush_control_out_t out, none = {0};
    memset(&out, 0xff, sizeof out);
    flush_control_comb(self, &in, &out);
    ck_assert_int_eq(memcmp(&out, &none, sizeof out), 0);
  }
  flush_control_destroy(self);
}
END_TEST

/* A queue beyond any width is a queue that does not exist. */
START_TEST(far_outside) {
  flush_control_t *self = make(64, 1);
  flush_control_in_t in = {.in_valid_i = 1,
                           .in_kind_i = 1,
                           .in_queue_i = UINT64_MAX,
                           .empty_i = UINT64_MAX,
                           .slot_i = 1};
  compare(self, &in, row_for(1, &in, true, false));
  flush_control_destroy(self);
}
END_TEST

Suite *test_flush_control_suite(void);
Suite *test_flush_control_suite(void) {
  Suite *suite = suite_create("flush_control");
  TCase *tc = tcase_create("all");
  tcase_add_loop_test(tc, table, 0, 14);
  tcase_add_loop_test(tc, nothing_offered, 0, 2);
  tcase_add_test(tc, far_outside);
  suite_add_tcase(suite, tc);
  return suite;
}
