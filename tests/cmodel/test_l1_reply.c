/* SPDX-License-Identifier: Apache-2.0 */
/* l1_reply against its page: turns, places and the end of a request by hand, and random cycles
 * against three lists of what waits. */
#include "l1_reply.h"
#include "prng.h"
#include <check.h>
#include <stdbool.h>
#include <string.h>

/* ENTRY_W 4, NUMBER_W 2, 5 lines, 3 bypass entries: places have 3 bits. */
static const l1_reply_cfg_t small = {
    .ENTRY_W = 4, .NUMBER_W = 2, .LINES = 5, .BYPASSES = 3, .PARITY = 1};

static l1_reply_t *make(const l1_reply_cfg_t *cfg) {
  l1_reply_t *self;
  ck_assert_int_eq(l1_reply_create(&self, cfg, NULL), 0);
  return self;
}

static l1_reply_out_t step(l1_reply_t *self, l1_reply_in_t in) {
  l1_reply_out_t out;
  mrpb_err_t err = {""};
  in.srst_ni = 1;
  memset(&out, 0xff, sizeof out);
  ck_assert_msg(l1_reply_cycle(self, &in, &out, &err) == 0, "%s", err.text);
  return out;
}

/* {number, entry, place} of a hit, and {number, entry}. */
static uint64_t request(uint64_t number, uint64_t entry) {
  return number << 4 | entry;
}
static uint64_t hit(uint64_t number, uint64_t entry, uint64_t place) {
  return request(number, entry) << 3 | place;
}

/* All three sources, each with its request. */
static l1_reply_in_t all(void) {
  return (l1_reply_in_t){.read_valid_i = 1,
                         .read_data_i = hit(1, 9, 4),
                         .mshr_valid_i = 1,
                         .mshr_data_i = request(2, 10),
                         .mshr_place_i = 3,
                         .bypass_valid_i = 1,
                         .bypass_data_i = request(3, 11),
                         .bypass_entry_i = 2,
                         .out_ready_i = 1,
                         .line_done_i = 1};
}

/* With everything ready, a request is taken in every cycle, in turn, and offered in the next. */
START_TEST(takes_turns) {
  static const uint64_t place[] = {4, 3, 7}, entry[] = {9, 10, 11};
  l1_reply_t *self = make(&small);
  for (unsigned t = 0; t < 9; t++) {
    const l1_reply_out_t o = step(self, all());
    ck_assert_uint_eq(o.data_read_o, 1);
    ck_assert_uint_eq(o.data_place_o, place[t % 3]);
    ck_assert_uint_eq(o.read_ready_o, t % 3 == 0);
    ck_assert_uint_eq(o.mshr_ready_o, t % 3 == 1);
    ck_assert_uint_eq(o.bypass_ready_o, t % 3 == 2);
    ck_assert_uint_eq(o.out_valid_o, t > 0);
    ck_assert_uint_eq(o.entry_o, t > 0 ? entry[(t - 1) % 3] : 0);
    ck_assert_uint_eq(o.number_o, t > 0 ? 1 + (t - 1) % 3 : 0);
    ck_assert_uint_eq(o.idle_o, t == 0);
  }
  l1_reply_destroy(self);
}
END_TEST

/* After a hit, the bypass table is before another hit; a source alone is taken again and again. */
START_TEST(turn_of_two) {
  l1_reply_t *self = make(&small);
  l1_reply_in_t in = all();
  in.mshr_valid_i = 0;
  ck_assert_uint_eq(step(self, in).read_ready_o, 1);
  ck_assert_uint_eq(step(self, in).bypass_ready_o, 1);
  ck_assert_uint_eq(step(self, in).read_ready_o, 1);
  in.bypass_valid_i = 0;
  ck_assert_uint_eq(step(self, in).read_ready_o, 1);
  ck_assert_uint_eq(step(self, in).read_ready_o, 1);
  l1_reply_destroy(self);
}
END_TEST

/* The stage is free when the aligner has started the request and says that it is done. */
START_TEST(end_of_a_request) {
  l1_reply_t *self = make(&small);
  l1_reply_in_t in = all();
  in.out_ready_i = in.line_done_i = 0;
  ck_assert_uint_eq(step(self, in).read_ready_o, 1);
  l1_reply_out_t o = step(self, in); /* it waits */
  ck_assert(o.out_valid_o && o.entry_o == 9 && !o.data_read_o);
  ck_assert_uint_eq(o.data_place_o, 3); /* whose turn it is does not depend on the room */
  in.line_done_i = 1;                   /* before the start: ignored */
  o = step(self, in);
  ck_assert(o.out_valid_o && !o.data_read_o && !o.idle_o);
  in.out_ready_i = 1;
  in.line_done_i = 0; /* it starts */
  o = step(self, in);
  ck_assert(o.out_valid_o && !o.data_read_o);
  o = step(self, in); /* it goes on */
  ck_assert(!o.out_valid_o && o.entry_o == 0 && o.number_o == 0 && !o.data_read_o && !o.idle_o);
  in.line_done_i = 1;
  o = step(self, in);
  ck_assert(o.mshr_ready_o && !o.out_valid_o);
  in = (l1_reply_in_t){.out_ready_i = 1, .line_done_i = 1};
  o = step(self, in);
  ck_assert(o.out_valid_o && o.entry_o == 10 && o.number_o == 2 && o.data_place_o == 0);
  ck_assert_uint_eq(step(self, in).idle_o, 1);
  l1_reply_destroy(self);
}
END_TEST

/* A line becomes valid with the last read of its entry, and only when it is taken. */
START_TEST(release) {
  l1_reply_t *self = make(&small);
  l1_reply_in_t in = {.mshr_valid_i = 1, .mshr_place_i = 4};
  l1_reply_out_t o = step(self, in);
  ck_assert(o.mshr_ready_o && !o.release_valid_o);
  in.mshr_last_i = 1;
  o = step(self, in); /* the stage is not free */
  ck_assert(!o.mshr_ready_o && !o.release_valid_o && o.release_place_o == 4);
  in.out_ready_i = in.line_done_i = 1;
  o = step(self, in);
  ck_assert(o.mshr_ready_o && o.release_valid_o && o.release_place_o == 4);
  in.mshr_valid_i = 0;
  ck_assert_uint_eq(step(self, in).release_valid_o, 0);
  l1_reply_destroy(self);
}
END_TEST

/* A reset empties the stage, and the read queue has the first turn. */
START_TEST(reset) {
  l1_reply_t *self = make(&small);
  l1_reply_out_t o = step(self, all());
  l1_reply_in_t in = all();
  in.srst_ni = 0;
  l1_reply_comb(self, &in, &o);
  ck_assert_uint_eq(o.mshr_ready_o, 1); /* outputs go on during a reset */
  l1_reply_edge(self, &in);
  const l1_reply_regs_t *r = l1_reply_regs(self);
  ck_assert(!r->valid_q && !r->started_q && r->last_q == 2 && r->entry_q == 0 && r->number_q == 0);
  ck_assert_uint_eq(step(self, all()).read_ready_o, 1);
  l1_reply_destroy(self);
}
END_TEST

/* One line and one bypass entry: places have one bit. */
START_TEST(smallest) {
  l1_reply_t *self = make(&(l1_reply_cfg_t){1, 1, 1, 1, 0});
  const l1_reply_out_t o = step(self, (l1_reply_in_t){.bypass_valid_i = 1, .bypass_data_i = 2});
  ck_assert(o.bypass_ready_o && o.data_place_o == 1);
  const l1_reply_out_t next = step(self, (l1_reply_in_t){0});
  ck_assert(next.out_valid_o && next.number_o == 1 && next.entry_o == 0);
  mrpb_err_t err = {""};
  l1_reply_t *none;
  ck_assert_int_eq(l1_reply_create(&none, &(l1_reply_cfg_t){10, 1, 1, 1, 0}, &err), -1);
  ck_assert_str_eq(err.text, "ERROR_l1_reply_ENTRY_W_must_be_1_to_9 (got 10)");
  l1_reply_destroy(self);
}
END_TEST

/* Three lists; each request leaves its list once, in order, and is offered in the next cycle. A
 * source that waits lets two others go before it at most. */
START_TEST(random_against_lists) {
  const l1_reply_cfg_t cfg = {9, 5, 1000, 100, 0};
  l1_reply_t *self = make(&cfg);
  prng_t p = prng_seed(7, (uint64_t)_i);
  uint64_t head[3] = {0}, taken = 0, in_stage = UINT64_MAX;
  unsigned waited[3] = {0};
  for (uint32_t t = 0; t < 20000; t++) {
    l1_reply_in_t in = {.out_ready_i = prng_chance(&p, 600), .line_done_i = prng_chance(&p, 700)};
    const uint64_t busy = 200 + 300 * (uint64_t)(t / 1000 % 3);
    /* The n-th request of source s is 3 * n + s, as {number, entry}. */
    in.read_valid_i = prng_chance(&p, (unsigned)busy);
    in.read_data_i = bits(3 * head[0], 14) << 11 | 5;
    in.mshr_valid_i = prng_chance(&p, (unsigned)busy);
    in.mshr_data_i = bits(3 * head[1] + 1, 14);
    in.bypass_valid_i = prng_chance(&p, (unsigned)busy);
    in.bypass_data_i = bits(3 * head[2] + 2, 14);
    const bool valid[3] = {in.read_valid_i, in.mshr_valid_i, in.bypass_valid_i};
    const l1_reply_out_t o = step(self, in);
    const bool ready[3] = {o.read_ready_o, o.mshr_ready_o, o.bypass_ready_o};
    if (o.out_valid_o) ck_assert_uint_eq(o.number_o << 9 | o.entry_o, in_stage);
    ck_assert_int_eq((int)o.data_read_o, ready[0] + ready[1] + ready[2]);
    for (unsigned s = 0; s < 3; s++) {
      ck_assert(valid[s] || !ready[s]);
      waited[s] = valid[s] && !ready[s] ? waited[s] + (unsigned)o.data_read_o : 0;
      ck_assert_uint_lt(waited[s], 3);
      if (ready[s]) in_stage = bits(3 * head[s]++ + s, 14);
    }
    taken += o.data_read_o;
  }
  ck_assert(taken > 4000 && head[0] > 1000 && head[1] > 1000 && head[2] > 1000);
  l1_reply_destroy(self);
}
END_TEST

Suite *test_l1_reply_suite(void);
Suite *test_l1_reply_suite(void) {
  Suite *suite = suite_create("l1_reply");
  TCase *tc = tcase_create("all");
  tcase_add_test(tc, takes_turns);
  tcase_add_test(tc, turn_of_two);
  tcase_add_test(tc, end_of_a_request);
  tcase_add_test(tc, release);
  tcase_add_test(tc, reset);
  tcase_add_test(tc, smallest);
  tcase_add_loop_test(tc, random_against_lists, 0, 3);
  suite_add_tcase(suite, tc);
  return suite;
}
