/* SPDX-License-Identifier: Apache-2.0 */
/* order_check against its page: each error alone; and random accepts and leaves, right and wrong,
 * against one list of everything held, in order of acceptance. */
#include "order_check.h"
#include "prng.h"

#include <check.h>
#include <stdbool.h>
#include <string.h>

enum { READ = 0, WRITE = 1, BARRIER = 2 };

typedef struct {
  order_check_t *self;
  order_check_cfg_t cfg;
  order_check_in_t in;
  order_check_out_t out;
} bench_t;

static bench_t make(uint32_t depth, uint32_t blocks, uint32_t width) {
  bench_t b = {.cfg = {.DEPTH = depth, .BLOCKS = blocks, .DATA_W = width}, .in = {.srst_ni = 1}};
  ck_assert_int_eq(order_check_create(&b.self, &b.cfg, NULL), 0);
  return b;
}

static void accept(bench_t *b, uint64_t kind, uint64_t warp, uint64_t block, uint64_t data) {
  b->in.in_valid_i = 1;
  b->in.in_kind_i = kind;
  b->in.in_warp_i = warp;
  b->in.in_block_i = block;
  b->in.in_data_i = data;
}

static void leave(bench_t *b, bool write, uint64_t warp, uint64_t block, uint64_t data) {
  b->in.out_valid_i = 1;
  b->in.out_write_i = write;
  b->in.out_warp_i = warp;
  b->in.out_block_i = block;
  b->in.out_data_i = data;
}

/* Runs the cycle that was put together; the errors as a text: order, barrier, overflow. */
static const char *errors(bench_t *b) {
  static const char *const names[] = {"---", "o--", "-b-", "ob-", "--f", "o-f", "-bf", "obf"};
  order_check_comb(b->self, &b->in, &b->out);
  order_check_edge(b->self, &b->in);
  b->in = (order_check_in_t){.srst_ni = 1};
  return names[b->out.order_err_o | b->out.barrier_err_o << 1 | b->out.overflow_err_o << 2];
}

static void expect(bench_t *b, const char *expected, int line) {
  const char *found = errors(b);
  if (strcmp(found, expected)) ck_abort_msg("line %d: %s, not %s", line, found, expected);
}

START_TEST(order_of_a_warp) {
  bench_t b = make(3, 8, 16);
  accept(&b, READ, 5, 0, 100), expect(&b, "---", __LINE__);
  accept(&b, WRITE, 5, 0, 200), expect(&b, "---", __LINE__);
  accept(&b, READ, 6, 0, 300), expect(&b, "---", __LINE__);
  leave(&b, false, 6, 0, 300), expect(&b, "---", __LINE__); /* other warps do not matter */
  leave(&b, false, 6, 0, 300), expect(&b, "o--", __LINE__); /* none held */
  leave(&b, true, 5, 0, 100),
      expect(&b, "o--", __LINE__); /* the flag counts; one goes all the same */
  leave(&b, true, 5, 0, 201), expect(&b, "o--", __LINE__); /* the payload counts */
  leave(&b, true, 5, 0, 200), expect(&b, "o--", __LINE__); /* none left */
  order_check_destroy(b.self);
}
END_TEST

/* The leaving request comes first: never in the cycle of its acceptance, but making room in it. */
START_TEST(leave_then_accept) {
  static const uint32_t depths[] = {1, 2, 3, 5, 33, 48, 64};
  uint32_t ring = depths[_i] + 1;
  bench_t b = make(depths[_i], 1, 51);
  accept(&b, READ, 63, 0, 7), leave(&b, false, 63, 0, 7), expect(&b, "o--", __LINE__);
  for (uint32_t i = 1; i < ring; i++) accept(&b, READ, 63, 0, 7 + i), expect(&b, "---", __LINE__);
  accept(&b, READ, 63, 0, 0), expect(&b, "--f", __LINE__);
  accept(&b, READ, 0, 0, 0), leave(&b, false, 63, 0, 7), expect(&b, "---", __LINE__);
  accept(&b, READ, 63, 0, 7 + ring), expect(&b, "---", __LINE__);
  for (uint32_t i = 1; i < 3 * ring; i++) { /* full, and one in and one out a cycle */
    accept(&b, READ, 63, 0, 7 + ring + i), leave(&b, false, 63, 0, 7 + i);
    expect(&b, "---", __LINE__);
  }
  ck_assert_uint_eq(order_check_regs(b.self)->len_q[63], ring);
  order_check_destroy(b.self);
}
END_TEST

START_TEST(barriers) {
  bench_t b = make(4, 3, 8);
  const order_check_regs_t *r = order_check_regs(b.self);
  accept(&b, READ, 1, 2, 1), expect(&b, "---", __LINE__);
  accept(&b, BARRIER, 1, 0, 0), expect(&b, "---", __LINE__);
  accept(&b, BARRIER, 1, 2, 0), expect(&b, "-b-", __LINE__);
  accept(&b, 3, 1, 63, 0), expect(&b, "-b-", __LINE__); /* IDs from 2 on share a counter */
  accept(&b, READ, 2, 40, 2), expect(&b, "---", __LINE__);
  ck_assert_uint_eq(r->block_q[2], 2);
  accept(&b, BARRIER, 1, 2, 0), leave(&b, false, 1, 2, 1), expect(&b, "-b-", __LINE__);
  accept(&b, 3, 9, 2, 0), leave(&b, false, 2, 40, 2), expect(&b, "---", __LINE__);
  ck_assert_uint_eq(r->block_q[2], 0);
  leave(&b, false, 2, 1, 2), expect(&b, "o--", __LINE__);
  ck_assert_uint_eq(r->block_q[1], 0);                          /* never below 0 */
  ck_assert_int_eq(r->len_q[1] + r->len_q[2] + r->len_q[9], 0); /* barriers are not held */
  order_check_destroy(b.self);
}
END_TEST

/* Refused requests still count for their block, modulo 2^13. */
START_TEST(block_count_wraps) {
  bench_t b = make(1, 2, 8);
  for (unsigned i = 0; i < 8191; i++) {
    accept(&b, READ, 3, 1, 0);
    errors(&b);
  }
  ck_assert_uint_eq(order_check_regs(b.self)->block_q[1], 8191);
  accept(&b, READ, 3, 1, 0), expect(&b, "--f", __LINE__);
  ck_assert_uint_eq(order_check_regs(b.self)->block_q[1], 0);
  accept(&b, BARRIER, 3, 1, 0), expect(&b, "---", __LINE__);
  order_check_destroy(b.self);
}
END_TEST

START_TEST(reset_in_the_middle) {
  bench_t b = make(2, 2, 8);
  for (unsigned i = 0; i < 3; i++) accept(&b, READ, 4, 0, 10 + i), errors(&b);
  b.in.srst_ni = 0;
  accept(&b, READ, 4, 0, 99);
  errors(&b);
  const order_check_regs_t *r = order_check_regs(b.self);
  ck_assert(r->len_q[4] == 0 && r->head_q[4] == 0 && r->block_q[0] == 0);
  ck_assert_uint_eq(r->list_q[12], 10);
  leave(&b, false, 4, 0, 10), expect(&b, "o--", __LINE__);
  order_check_destroy(b.self);
}
END_TEST

/* Everything held, in the order of acceptance. */
typedef struct {
  struct {
    uint64_t warp, write, data;
  } held[64 * 65];
  unsigned n, block[64];
} naive_t;

static unsigned oldest(const naive_t *n, uint64_t warp) {
  unsigned i = 0;
  while (i < n->n && n->held[i].warp != warp) i++;
  return i;
}

static unsigned of_warp(const naive_t *n, uint64_t warp) {
  unsigned c = 0;
  for (unsigned i = 0; i < n->n; i++) c += n->held[i].warp == warp;
  return c;
}

static void naive_cycle(naive_t *n, const bench_t *b, order_check_out_t *out) {
  const order_check_in_t *in = &b->in;
  uint64_t last = b->cfg.BLOCKS - 1;
  memset(out, 0, sizeof *out);
  if (in->out_valid_i) {
    unsigned i = oldest(n, in->out_warp_i);
    out->order_err_o =
        i == n->n || n->held[i].write != in->out_write_i || n->held[i].data != in->out_data_i;
    if (i < n->n) memmove(&n->held[i], &n->held[i + 1], (--n->n - i) * sizeof n->held[0]);
    unsigned *block = &n->block[in->out_block_i > last ? last : in->out_block_i];
    if (*block) --*block;
  }
  if (!in->in_valid_i) return;
  unsigned *block = &n->block[in->in_block_i > last ? last : in->in_block_i];
  if (in->in_kind_i >= BARRIER) {
    out->barrier_err_o = *block != 0;
    return;
  }
  ++*block;
  out->overflow_err_o = of_warp(n, in->in_warp_i) == b->cfg.DEPTH + 1;
  if (out->overflow_err_o) return;
  n->held[n->n].warp = in->in_warp_i;
  n->held[n->n].write = in->in_kind_i;
  n->held[n->n++].data = in->in_data_i;
}

static const uint32_t sizes[][4] = {/* DEPTH, BLOCKS, DATA_W, warps in use */
                                    {1, 1, 1, 2},    {2, 3, 51, 3},  {3, 64, 8, 64},
                                    {5, 2, 51, 5},   {33, 8, 20, 4}, {48, 5, 51, 2},
                                    {64, 33, 51, 9}, {8, 8, 51, 48}};

START_TEST(random_against_one_list) {
  bench_t b = make(sizes[_i][0], sizes[_i][1], sizes[_i][2]);
  static const naive_t nothing;
  naive_t n = nothing;
  prng_t p = prng_seed(5, (uint64_t)_i);
  unsigned in_rate = 500, out_rate = 500, wrong = 0, seen[3] = {0};
  for (uint32_t t = 0; t < 20000; t++) {
    if (t % 512 == 0) {
      in_rate = prng_below(&p, 1000);
      out_rate = prng_below(&p, 1000);
      wrong = prng_chance(&p, 500) ? 0 : prng_below(&p, 200);
    }
    b.in.srst_ni = !prng_chance(&p, 1);
    uint64_t kind = prng_chance(&p, 900) ? prng_below(&p, 2) : 2 + prng_below(&p, 2);
    if (prng_chance(&p, in_rate))
      accept(&b, kind, prng_below(&p, sizes[_i][3]), prng_below(&p, 64),
             bits(prng_next(&p), b.cfg.DATA_W));
    if (prng_chance(&p, out_rate)) {
      uint64_t w = prng_below(&p, sizes[_i][3]), data = bits(prng_next(&p), b.cfg.DATA_W);
      unsigned i = oldest(&n, w);
      if (i < n.n && !prng_chance(&p, wrong))
        leave(&b, n.held[i].write, w, prng_below(&p, 64), n.held[i].data);
      else if (prng_chance(&p, wrong))
        leave(&b, t & 1, w, prng_below(&p, 64), data);
    }
    order_check_out_t expected;
    order_check_comb(b.self, &b.in, &b.out);
    bool reset = !b.in.srst_ni;
    naive_cycle(&n, &b, &expected);
    if (memcmp(&b.out, &expected, sizeof expected)) ck_abort_msg("cycle %u", t);
    seen[0] += (unsigned)expected.order_err_o;
    seen[1] += (unsigned)expected.barrier_err_o;
    seen[2] += (unsigned)expected.overflow_err_o;
    order_check_edge(b.self, &b.in);
    if (reset) n = nothing;
    for (uint32_t k = 0; k < b.cfg.BLOCKS; k++)
      if (order_check_regs(b.self)->block_q[k] != n.block[k])
        ck_abort_msg("cycle %u: block %u", t, k);
    b.in = (order_check_in_t){.srst_ni = 1};
  }
  ck_assert(seen[0] && seen[1]);
  if (sizes[_i][0] < 33) ck_assert_uint_gt(seen[2], 0);
  order_check_destroy(b.self);
}
END_TEST

Suite *test_order_check_suite(void);
Suite *test_order_check_suite(void) {
  Suite *suite = suite_create("order_check");
  TCase *tc = tcase_create("all");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, order_of_a_warp);
  tcase_add_loop_test(tc, leave_then_accept, 0, 7);
  tcase_add_test(tc, barriers);
  tcase_add_test(tc, block_count_wraps);
  tcase_add_test(tc, reset_in_the_middle);
  tcase_add_loop_test(tc, random_against_one_list, 0, sizeof sizes / sizeof *sizes);
  suite_add_tcase(suite, tc);
  return suite;
}
