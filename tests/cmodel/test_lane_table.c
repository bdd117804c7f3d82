/* SPDX-License-Identifier: Apache-2.0 */
/* lane_table against its page: an instruction after another, what a reset hides, and random cycles
 * against a number for each lane. */
#include "lane_table.h"
#include "prng.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  lane_table_t *self;
  lane_table_cfg_t cfg;
  lane_table_in_t in;
} bench_t;

static bench_t make(uint32_t entries, uint32_t lanes, uint32_t parity) {
  bench_t b = {.cfg = {entries, lanes, parity}, .in = {.srst_ni = 1}};
  mrpb_err_t err = {""};
  ck_assert_msg(lane_table_create(&b.self, &b.cfg, &err) == 0, "%s", err.text);
  return b;
}

static bench_t *enter(bench_t *b, uint64_t entry, uint64_t number, uint64_t lanes) {
  b->in.write_valid_i = 1;
  b->in.write_entry_i = entry;
  b->in.write_number_i = number;
  b->in.write_lanes_i = lanes;
  return b;
}

static bench_t *first(bench_t *b, uint64_t entry, uint64_t number, uint64_t lanes) {
  b->in.write_first_i = 1;
  return enter(b, entry, number, lanes);
}

static bench_t *ask(bench_t *b, uint64_t entry, uint64_t number) {
  b->in.read_valid_i = 1;
  b->in.read_entry_i = entry;
  b->in.read_number_i = number;
  return b;
}

/* Runs the cycle and returns the lanes that were read. */
static uint64_t step(bench_t *b) {
  lane_table_out_t out = {.error_o = 1};
  mrpb_err_t err = {""};
  ck_assert_msg(lane_table_cycle(b->self, &b->in, &out, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(out.error_o, 0);
  b->in = (lane_table_in_t){.srst_ni = 1};
  return out.read_lanes_o;
}

START_TEST(page_example) {
  bench_t b = make(1, 4, (uint32_t)_i);
  step(first(&b, 0, 0, 0x3));
  ck_assert_uint_eq(step(ask(enter(&b, 0, 1, 0x4), 0, 0)), 0x3);
  ck_assert_uint_eq(step(ask(&b, 0, 1)), 0x4);
  ck_assert_uint_eq(step(ask(first(&b, 0, 0, 0x8), 0, 1)), 0x4); /* as it was before the edge */
  ck_assert_uint_eq(step(ask(&b, 0, 0)), 0x8);
  ck_assert_uint_eq(step(ask(&b, 0, 1)), 0);
  ck_assert_uint_eq(step(&b), 0); /* nothing is read */
  lane_table_destroy(b.self);
}
END_TEST

START_TEST(lanes_move) {
  bench_t b = make(3, 32, (uint32_t)_i);
  step(first(&b, 2, 7, 0xffff0000));
  step(enter(&b, 2, 31, 0x80000001)); /* lane 31 goes to request 31 */
  ck_assert_uint_eq(step(ask(&b, 2, 7)), 0x7fff0000);
  ck_assert_uint_eq(step(ask(&b, 2, 31)), 0x80000001);
  ck_assert_uint_eq(step(ask(&b, 2, 0)), 0); /* lanes 1 to 15 belong to no request */
  ck_assert_uint_eq(step(ask(&b, 1, 7)), 0); /* another entry */
  step(enter(&b, 2, 0, 0));
  ck_assert_uint_eq(step(ask(&b, 2, 31)), 0x80000001);
  step(first(&b, 2, 3, 0));
  ck_assert_uint_eq(step(ask(&b, 2, 31)), 0);
  ck_assert_uint_eq(lane_table_regs(b.self)->has_q[2], 0);
  ck_assert_uint_eq(lane_table_regs(b.self)->number_q[2 * 5 + 4], 0);
  lane_table_destroy(b.self);
}
END_TEST

START_TEST(no_such_entry) {
  bench_t b = make(5, 8, (uint32_t)_i);
  step(first(&b, 7, 1, 0xff));
  for (uint64_t e = 0; e < 8; e++) ck_assert_uint_eq(step(ask(&b, e, 1)), 0);
  ck_assert_uint_eq(lane_table_regs(b.self)->live_q[0], 0);
  lane_table_destroy(b.self);
}
END_TEST

/* A reset hides the words. A later request begins the entry then, as a first one does. */
START_TEST(hidden_by_reset) {
  bench_t b = make(2, 8, (uint32_t)_i);
  step(first(&b, 1, 4, 0xf0));
  b.in.srst_ni = 0;
  step(first(&b, 0, 4, 0xff)); /* not written */
  ck_assert_uint_eq(step(ask(&b, 1, 4)), 0);
  ck_assert_uint_eq(step(ask(&b, 0, 4)), 0);
  ck_assert_uint_eq(lane_table_regs(b.self)->has_q[1], 0xf0);
  ck_assert_uint_eq(lane_table_regs(b.self)->has_q[0], 0);
  step(enter(&b, 1, 5, 0x01));
  ck_assert_uint_eq(step(ask(&b, 1, 4)), 0);
  ck_assert_uint_eq(step(ask(&b, 1, 5)), 0x01);
  step(enter(&b, 1, 6, 0x02));
  ck_assert_uint_eq(step(ask(&b, 1, 5)), 0x01);
  lane_table_destroy(b.self);
}
END_TEST

START_TEST(sizes_are_refused) {
  lane_table_t *self;
  mrpb_err_t err = {""};
  ck_assert_int_eq(lane_table_create(&self, &(lane_table_cfg_t){513, 32, 0}, &err), -1);
  ck_assert_str_eq(err.text, "ERROR_lane_table_ENTRIES_must_be_1_to_512 (got 513)");
  err.text[0] = 0;
  ck_assert_int_eq(lane_table_create(&self, &(lane_table_cfg_t){44, 33, 0}, &err), -1);
  ck_assert_str_eq(err.text, "ERROR_lane_table_LANES_must_be_1_to_32 (got 33)");
}
END_TEST

static const uint32_t sizes[][3] = {{1, 1, 0},   {1, 32, 1},   {3, 5, 0},  {5, 2, 1},
                                    {44, 32, 0}, {512, 32, 1}, {7, 31, 1}, {4, 17, 0}};

/* The request of each lane, -1 for none. */
START_TEST(random_against_lanes) {
  bench_t b = make(sizes[_i][0], sizes[_i][1], sizes[_i][2]);
  const uint32_t entries = b.cfg.ENTRIES, lanes = b.cfg.LANES;
  const unsigned entry_w = bits_index_w(entries), number_w = bits_index_w(lanes);
  int8_t(*request)[32] = malloc(512 * sizeof *request);
  prng_t p = prng_seed(7, (uint64_t)_i);
  uint64_t seen = 0;
  memset(request, -1, 512 * sizeof *request);
  for (uint32_t t = 0; t < 20000; t++) {
    const uint64_t e = prng_below(&p, 4) ? prng_below(&p, 3) & bits_mask(entry_w)
                                         : prng_next(&p) & bits_mask(entry_w);
    const uint64_t k = bits(prng_next(&p) & 3, number_w), m = prng_next(&p) & bits_mask(lanes);
    const uint64_t from = prng_below(&p, 2) ? e : prng_next(&p) & bits_mask(entry_w);
    const bool write = prng_below(&p, 2), begin = !prng_below(&p, 3);
    uint64_t want = 0;
    for (uint32_t l = 0; l < lanes && from < entries; l++)
      want |= (uint64_t)(request[from][l] == (int8_t)k) << l;
    if (write && begin) first(&b, e, k, m);
    if (write && !begin) enter(&b, e, k, m);
    ck_assert_uint_eq(step(ask(&b, from, k)), want);
    seen |= want;
    for (uint32_t l = 0; l < lanes && write && e < entries; l++)
      request[e][l] = m >> l & 1 ? (int8_t)k : begin ? -1 : request[e][l];
  }
  ck_assert_uint_eq(seen, bits_mask(lanes));
  free(request);
  lane_table_destroy(b.self);
}
END_TEST

Suite *test_lane_table_suite(void);
Suite *test_lane_table_suite(void) {
  Suite *suite = suite_create("lane_table");
  TCase *tc = tcase_create("all");
  tcase_add_loop_test(tc, page_example, 0, 2);
  tcase_add_loop_test(tc, lanes_move, 0, 2);
  tcase_add_loop_test(tc, no_such_entry, 0, 2);
  tcase_add_loop_test(tc, hidden_by_reset, 0, 2);
  tcase_add_test(tc, sizes_are_refused);
  tcase_add_loop_test(tc, random_against_lanes, 0, sizeof sizes / sizeof *sizes);
  suite_add_tcase(suite, tc);
  return suite;
}
