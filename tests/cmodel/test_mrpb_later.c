/* SPDX-License-Identifier: Apache-2.0 */
/* mrpb with ANSWER > 0: an L1 with a pipeline of its own, as the page asks it to be, takes every
 * request once and in its warp's order, whatever it refuses. */
#include "mrpb.h"
#include "prng.h"
#include <check.h>
#include <stdbool.h>
#include <string.h>

enum { READ = 0, WRITE = 1, BARRIER = 2, WARPS = 48, NUMBERED = 20000 };
enum { TAKEN = 0, ASSOC = 1, OTHER = 2, NOT_LOOKED_AT = 3, MAX_ANSWER = 4 };

static const mrpb_cfg_t defaults = {.QUEUES = 48,
                                    .DEPTH = 8,
                                    .DATA_W = 51,
                                    .BLOCKS = 8,
                                    .SIGNATURE = 1,
                                    .POLICY = 0,
                                    .FLUSH = 1,
                                    .LATENCY = 3,
                                    .BYPASS = 2,
                                    .ANSWER = 2};

typedef struct {
  mrpb_t *self;
  mrpb_in_t in;
  mrpb_out_t out;
} bench_t;

static bench_t make(mrpb_cfg_t cfg) {
  bench_t b = {.in = {.srst_ni = 1, .l1_answer_i = NOT_LOOKED_AT}};
  ck_assert_int_eq(mrpb_create(&b.self, &cfg, NULL), 0);
  return b;
}

static bench_t *offer(bench_t *b, uint64_t kind, uint64_t warp, uint64_t data) {
  b->in.in_valid_i = 1;
  b->in.in_kind_i = kind;
  b->in.in_warp_i = warp;
  b->in.in_block_i = warp / 6;
  b->in.in_block_warp_i = warp % 6;
  b->in.in_data_i = data;
  return b;
}

static bench_t *answer(bench_t *b, uint64_t l1) {
  b->in.l1_answer_i = l1;
  return b;
}

static const mrpb_out_t *step(bench_t *b) {
  memset(&b->out, 0xff, sizeof b->out);
  mrpb_comb(b->self, &b->in, &b->out);
  mrpb_edge(b->self, &b->in);
  b->in = (mrpb_in_t){.srst_ni = 1, .l1_answer_i = NOT_LOOKED_AT};
  return &b->out;
}

/* Presented in this cycle: `data`, or nothing if it is 0. */
static void shows(const mrpb_out_t *o, uint64_t data, uint64_t held) {
  ck_assert_uint_eq(o->out_valid_o, data != 0);
  ck_assert_uint_eq(o->out_data_o, data);
  ck_assert_uint_eq(o->held_o, held);
}

/* A, B and C of three warps are in the queues; the cycle in which A is presented comes next. */
static bench_t three(mrpb_cfg_t cfg) {
  bench_t b = make(cfg);
  for (uint64_t w = 1; w <= 3; w++) shows(step(offer(&b, READ, w, 10 + w)), 0, w - 1);
  return b;
}

/* The example of the page, with a fourth request behind it. */
START_TEST(refusal) {
  bench_t b = three(defaults);
  shows(step(offer(&b, READ, 4, 14)), 11, 3);
  shows(step(answer(&b, TAKEN)), 12, 4); /* of no request */
  shows(step(answer(&b, OTHER)), 13, 4); /* refuses 11 */
  shows(step(answer(&b, TAKEN)), 11, 4); /* of 12, which was withdrawn: ignored */
  shows(step(answer(&b, TAKEN)), 12, 4);
  shows(step(answer(&b, TAKEN)), 13, 4);
  shows(step(answer(&b, TAKEN)), 14, 3);
  shows(step(answer(&b, NOT_LOOKED_AT)), 0, 2); /* refuses 13 */
  shows(step(&b), 13, 2);
  shows(step(&b), 14, 2);
  shows(step(answer(&b, TAKEN)), 0, 2);
  shows(step(answer(&b, TAKEN)), 0, 1);
  shows(step(&b), 0, 0);
  mrpb_destroy(b.self);
}
END_TEST

/* A barrier waits until its block's requests have been accepted, not only presented. */
START_TEST(barrier_waits_for_the_answer) {
  bench_t b = make(defaults);
  step(offer(&b, READ, 1, 11));
  step(&b), step(&b);
  shows(step(offer(&b, BARRIER, 2, 0)), 11, 1);
  ck_assert_uint_eq(b.out.in_ready_o, 0);
  ck_assert_uint_eq(step(offer(&b, BARRIER, 2, 0))->in_ready_o, 0);
  ck_assert_uint_eq(step(answer(offer(&b, BARRIER, 2, 0), TAKEN))->in_ready_o, 0);
  ck_assert_uint_eq(step(offer(&b, BARRIER, 2, 0))->in_ready_o, 1);
  mrpb_destroy(b.self);
}
END_TEST

/* A refused read bypasses as it is presented again, or is presented to the L1 once more. */
START_TEST(bypass) {
  bench_t b = three(defaults);
  for (unsigned t = 0; t < 3; t++) {
    b.in.byp_ready_i = 1;
    step(answer(&b, t == 2 ? ASSOC : NOT_LOOKED_AT));
    ck_assert_uint_eq(b.out.byp_valid_o, 0);
  }
  shows(step(&b), 11, 3); /* the path is not ready */
  ck_assert_uint_eq(b.out.byp_valid_o, 1);
  step(&b);
  shows(step(answer(&b, ASSOC)), 13, 3);
  b.in.byp_ready_i = 1;
  shows(step(&b), 11, 3);
  ck_assert_uint_eq(b.out.byp_valid_o, 1);
  shows(step(&b), 12, 2);
  ck_assert_uint_eq(b.out.byp_valid_o, 0);
  shows(step(&b), 13, 2);
  shows(step(answer(&b, OTHER)), 0, 2); /* no reason to bypass */
  b.in.byp_ready_i = 1;
  shows(step(&b), 12, 2);
  ck_assert_uint_eq(b.out.byp_valid_o, 0);
  mrpb_destroy(b.self);
}
END_TEST

/* While the L1 takes everything, the same requests are presented in the same cycles as with ANSWER
 * 0, and one is taken in every cycle. */
START_TEST(as_with_answer_0) {
  mrpb_cfg_t cfg = defaults, now = defaults;
  cfg.ANSWER = (uint32_t)_i / 6 + 1, cfg.POLICY = now.POLICY = (uint32_t)_i % 6;
  now.ANSWER = 0;
  bench_t b = make(cfg), at_once = make(now);
  prng_t p = prng_seed(3, (uint64_t)_i);
  uint64_t presented = 0;
  for (uint32_t t = 0; t < 3000; t++) {
    uint64_t w = prng_below(&p, WARPS), kind = t < 2000 ? READ : prng_chance(&p, 300);
    step(answer(offer(&b, kind, w, t + 1), TAKEN));
    step(answer(offer(&at_once, kind, w, t + 1), TAKEN));
    presented += at_once.out.out_valid_o;
    ck_assert_uint_eq(b.out.in_ready_o, at_once.out.in_ready_o);
    ck_assert_uint_eq(b.out.out_valid_o, at_once.out.out_valid_o);
    ck_assert_uint_eq(b.out.out_data_o, at_once.out.out_data_o);
  }
  ck_assert_uint_gt(presented, 1900);
  mrpb_destroy(b.self);
  mrpb_destroy(at_once.self);
}
END_TEST

/* The L1: what it got in the last cycles, [0] to be answered now; it drops all as it refuses. */
typedef struct {
  bool valid[MAX_ANSWER];
  uint64_t data[MAX_ANSWER], warp[MAX_ANSWER];
  uint64_t last_out[WARPS];
  uint32_t n_out, of_block[8], refusals, bypasses;
} l1_t;

static void takes(l1_t *l, uint64_t warp, uint64_t data) {
  if (data <= l->last_out[warp]) ck_abort_msg("a warp's requests changed places");
  l->last_out[warp] = data;
  ck_assert_uint_gt(l->of_block[warp / 6], 0);
  l->of_block[warp / 6]--, l->n_out++;
}

static void l1_edge(l1_t *l, uint32_t words, const mrpb_in_t *in, const mrpb_out_t *o) {
  const bool answers = l->valid[0], refuses = answers && in->l1_answer_i != TAKEN;
  const bool past = o->byp_valid_o && in->byp_ready_i;
  if (answers && !refuses) takes(l, l->warp[0], l->data[0]);
  if (past) takes(l, o->out_warp_o, o->out_data_o);
  l->bypasses += past, l->refusals += refuses;
  memmove(l->valid, l->valid + 1, (words - 1) * sizeof *l->valid);
  memmove(l->data, l->data + 1, (words - 1) * sizeof *l->data);
  memmove(l->warp, l->warp + 1, (words - 1) * sizeof *l->warp);
  l->valid[words - 1] = o->out_valid_o && !past;
  l->data[words - 1] = o->out_data_o;
  l->warp[words - 1] = o->out_warp_o;
  if (refuses) memset(l->valid, 0, sizeof l->valid);
}

START_TEST(an_l1_that_refuses) {
  mrpb_cfg_t cfg = defaults;
  cfg.ANSWER = (uint32_t)_i % 4 + 1;
  cfg.POLICY = (uint32_t)_i % 6, cfg.BYPASS = (uint32_t)_i % 3, cfg.FLUSH = (uint32_t)_i / 6 % 2;
  bench_t b = make(cfg);
  l1_t l = {.n_out = 0};
  prng_t p = prng_seed(5, (uint64_t)_i);
  uint64_t next = 1, last_in[WARPS] = {0};
  uint32_t n_in = 0, barriers = 0, rate = 500, in_rate = 500;
  for (uint32_t t = 0; l.n_out < NUMBERED; t++) {
    uint64_t w = prng_below(&p, WARPS), kind = prng_chance(&p, 50) ? BARRIER : prng_chance(&p, 200);
    if (t % 512 == 0) rate = 200 + prng_below(&p, 800), in_rate = 50 + prng_below(&p, 900);
    if (n_in < NUMBERED && prng_chance(&p, in_rate)) offer(&b, kind, w, next);
    b.in.byp_ready_i = prng_chance(&p, 600);
    answer(&b, prng_chance(&p, rate) ? TAKEN : 1 + prng_below(&p, 3));
    const mrpb_in_t in = b.in;
    step(&b);
    ck_assert_uint_eq(b.out.order_err_o, 0);
    ck_assert_uint_eq(b.out.held_o, n_in - l.n_out);
    const bool accepted = in.in_valid_i && b.out.in_ready_o;
    if (accepted && kind == BARRIER && ++barriers) ck_assert_uint_eq(l.of_block[w / 6], 0);
    l1_edge(&l, cfg.ANSWER, &in, &b.out);
    if (accepted && kind != BARRIER) {
      last_in[w] = next++;
      l.of_block[w / 6]++, n_in++;
    }
  }
  ck_assert(barriers > 0 && l.refusals > 0);
  ck_assert_int_eq(l.bypasses > 0, cfg.BYPASS > 0);
  ck_assert_int_eq(memcmp(last_in, l.last_out, sizeof last_in), 0);
  ck_assert_uint_eq(step(&b)->held_o, 0);
  mrpb_destroy(b.self);
}
END_TEST

/* With an L1 that refuses everything, the buffer fills to QUEUES x DEPTH + 1 + ANSWER. */
START_TEST(full) {
  mrpb_cfg_t cfg = {.QUEUES = 3,
                    .DEPTH = 2,
                    .DATA_W = 16,
                    .BLOCKS = 1,
                    .SIGNATURE = 1,
                    .FLUSH = 1,
                    .LATENCY = 3,
                    .ANSWER = (uint32_t)_i};
  bench_t b = make(cfg);
  for (uint64_t t = 0; t < 200; t++) step(answer(offer(&b, READ, t % 3, t), OTHER));
  ck_assert_uint_eq(step(&b)->held_o, 3 * 2 + 1 + cfg.ANSWER);
  mrpb_destroy(b.self);
}
END_TEST

Suite *test_mrpb_later_suite(void);
Suite *test_mrpb_later_suite(void) {
  Suite *suite = suite_create("mrpb_later");
  TCase *tc = tcase_create("all"), *random = tcase_create("random");
  tcase_add_test(tc, refusal);
  tcase_add_test(tc, barrier_waits_for_the_answer);
  tcase_add_test(tc, bypass);
  tcase_add_loop_test(tc, full, 0, MAX_ANSWER + 1);
  suite_add_tcase(suite, tc);
  tcase_add_loop_test(random, as_with_answer_0, 0, 6 * MAX_ANSWER);
  tcase_add_loop_test(random, an_l1_that_refuses, 0, 24);
  tcase_set_tags(random, "heavy"); /* many random cycles: not under valgrind */
  suite_add_tcase(suite, random);
  return suite;
}
