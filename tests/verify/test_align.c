/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned requests: drifts that were planted into a model of a cache, each of one to ten cycles: the
 * first request that differs is the one that the drift befell. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, fdopen */
#include "verify/align/cache_model.h"
#include "verify/align/pairs.h"

#include <stdlib.h>
#include <unistd.h>

Suite *test_align_suite(void);

enum { EVENTS = 4, MOST = 10 };

typedef struct {
  cache_t cache[2];
  align_words_t *words;
  align_rows_t rows[2];
  align_pairs_t p;
  mrpb_err_t err;
} pair_t;

static uint32_t word(pair_t *t, const char *text) {
  return align_word(t->words, text, strlen(text));
}

static void add_rows(pair_t *t, unsigned side) {
  const cache_t *c = &t->cache[side];
  align_rows_t *r = &t->rows[side];
  *r = (align_rows_t){.path = "a model", .words = t->words, .n_levels = 1};
  for (size_t i = 0; i < c->n; i++) {
    const access_t *a = &c->access[i];
    char who[16], address[16];
    snprintf(who, sizeof who, "warp%u", a->warp);
    snprintf(address, sizeof address, "%u", (unsigned)a->address);
    const align_row_t row = {word(t, who), word(t, address), word(t, a->kind),
                             a->begin,     a->end,           a->accepted - a->begin};
    ck_assert_uint_eq(align_rows_add(r, &row, &a->mshr), i);
  }
}

/* Runs the model without a drift and with one, and aligns them. */
static void open_pair(pair_t *t, plant_t plant) {
  static const plant_t none = {.drift = NO_DRIFT};
  const align_choice_t all = {NULL, NULL, false};
  t->words = align_words_open();
  for (unsigned s = 0; s < 2; s++) {
    cache_run(&t->cache[s], s ? plant : none);
    add_rows(t, s);
  }
  ck_assert_msg(align_pairs(&t->p, &t->rows[0], &t->rows[1], 0, &all, &t->err) == 0, "%s",
                t->err.text);
}

static void close_pair(pair_t *t) {
  align_pairs_close(&t->p);
  for (unsigned s = 0; s < 2; s++) align_rows_close(&t->rows[s]);
  align_words_close(t->words);
  free(t);
}

static pair_t *new_pair(void) {
  pair_t *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  return t;
}

START_TEST(nothing_differs) {
  pair_t *t = new_pair();
  open_pair(t, (plant_t){.drift = NO_DRIFT});
  ck_assert_uint_eq(t->p.n, WARPS * EACH);
  ck_assert_uint_eq(t->p.differ, 0);
  ck_assert_uint_eq(t->p.first, t->p.n);
  close_pair(t);
}
END_TEST

/* What of the request differs first. */
static align_difference_t expected(drift_t d) {
  if (d == MERGE_AS_MISS || d == HIT_AS_MISS) return ALIGN_KIND;
  return d == SMALLER_TABLE || d == BUSY_PORT || d == OTHER_FIRST ? ALIGN_WAITED : ALIGN_END;
}

START_TEST(each_first_request_is_named) {
  const drift_t drift = (drift_t)(_i + 1);
  for (unsigned event = 3; event < 40; event += 40 / EVENTS)
    for (unsigned cycles = 1; cycles <= MOST; cycles++) {
      pair_t *t = new_pair();
      open_pair(t, (plant_t){.drift = drift, .cycles = cycles, .event = event});
      const plant_t *p = &t->cache[1].plant;
      ck_assert_msg(p->seen > event, "drift %d: it never happened", (int)drift);
      ck_assert_msg(t->p.first < t->p.n, "drift %d of %u cycles: nothing differs", (int)drift,
                    cycles);
      const access_t *a = &t->cache[0].access[t->p.pair[t->p.first].row[0]];
      ck_assert_msg(a->warp == p->warp && a->number == p->number,
                    "drift %d of %u cycles, event %u: warp %u, request %u; it befell %u, %u",
                    (int)drift, cycles, event, a->warp, a->number, p->warp, p->number);
      const align_difference_t what = expected(drift);
      /* what is accepted later may find another state */
      if (what != ALIGN_WAITED || t->p.difference != ALIGN_KIND)
        ck_assert_int_eq(t->p.difference, what);
      close_pair(t);
    }
}
END_TEST

START_TEST(by_how_much) {
  pair_t *t = new_pair();
  open_pair(t, (plant_t){.drift = LATE_FILL, .cycles = 7, .event = 5});
  const align_row_t a = align_pairs_row(&t->p, t->p.first, 0);
  const align_row_t b = align_pairs_row(&t->p, t->p.first, 1);
  ck_assert_uint_eq(b.end - a.end, 7);
  ck_assert_uint_eq(b.begin, a.begin);
  ck_assert_uint_eq(t->p.moment, a.end);
  ck_assert_uint_eq(t->p.first_latency, t->p.first);
  close_pair(t);
}
END_TEST

/* The same through a file. */
START_TEST(a_file_of_requests) {
  char path[] = "build/tmp/mrpb-align-XXXXXX";
  pair_t *t = new_pair();
  align_rows_t read;
  open_pair(t, (plant_t){.drift = NO_DRIFT});
  FILE *f = fdopen(mkstemp(path), "w");
  ck_assert_ptr_nonnull(f);
  cache_write(&t->cache[0], f);
  ck_assert_int_eq(fclose(f), 0);
  ck_assert_msg(align_rows_read(&read, path, t->words, &t->err) == 0, "%s", t->err.text);
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_uint_eq(read.n, t->rows[0].n);
  for (size_t i = 0; i < read.n; i++) {
    const align_row_t *a = &read.row[i], *b = &t->rows[0].row[i];
    ck_assert(a->who == b->who && a->address == b->address && a->kind == b->kind);
    ck_assert(a->begin == b->begin && a->end == b->end && a->waited == b->waited);
  }
  ck_assert_mem_eq(read.levels, t->rows[0].levels, read.n * sizeof *read.levels);
  align_rows_close(&read);
  close_pair(t);
}
END_TEST

Suite *test_align_suite(void) {
  Suite *s = suite_create("align");
  TCase *all = tcase_create("drifts");
  tcase_add_test(all, nothing_differs);
  tcase_add_loop_test(all, each_first_request_is_named, 0, DRIFTS - 1);
  tcase_add_test(all, by_how_much);
  tcase_add_test(all, a_file_of_requests);
  suite_add_tcase(s, all);
  return s;
}
