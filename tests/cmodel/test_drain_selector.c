/* SPDX-License-Identifier: Apache-2.0 */
/* drain_selector against its page: the worked example, directed cases for hold and force, and
 * random traffic against a direct search over plain counts. */
#include "drain_selector.h"
#include "cosim/stim/counts.h"
#include "prng.h"

#include <check.h>
#include <string.h>

typedef struct {
  drain_selector_t *self;
  drain_selector_out_t out;
  uint64_t reach; /* index values of the width of a queue number */
} bench_t;

static bench_t make(uint32_t queues, uint32_t depth, uint32_t policy) {
  bench_t b = {.reach = UINT64_C(1) << bits_index_w(queues)};
  drain_selector_cfg_t cfg = {.QUEUES = queues, .DEPTH = depth, .POLICY = policy};
  ck_assert_int_eq(drain_selector_create(&b.self, &cfg, NULL), 0);
  return b;
}

/* One cycle; -1 means no add, no force. */
static void cycle(bench_t *b, int add, int force, bool take) {
  drain_selector_in_t in = {.srst_ni = 1,
                            .add_valid_i = add >= 0,
                            .add_queue_i = add >= 0 ? (uint64_t)add : 0,
                            .force_valid_i = force >= 0,
                            .force_queue_i = force >= 0 ? (uint64_t)force : 0,
                            .take_i = take};
  drain_selector_comb(b->self, &in, &b->out);
  drain_selector_edge(b->self, &in);
}

/* Adds so many entries to each queue from 0 on; a string of digits. */
static void fill(bench_t *b, const char *counts) {
  for (int q = 0; counts[q]; q++)
    for (char n = '0'; n < counts[q]; n++) cycle(b, q, -1, false);
}

/* Takes until nothing is left; the queues' numbers in order. */
static const char *drained(bench_t *b, char *text) {
  char *at = text;
  for (;;) {
    cycle(b, -1, -1, true);
    if (!b->out.sel_valid_o) break;
    *at++ = (char)('0' + b->out.sel_queue_o);
  }
  *at = '\0';
  ck_assert_uint_eq(b->out.sel_queue_o, 0);
  return text;
}

START_TEST(worked_example) {
  static const uint64_t counts[4][3] = {{1, 2, 2}, {1, 1, 2}, {1, 1, 1}, {0, 1, 1}};
  static const uint64_t selected[4] = {1, 2, 0, 1};
  bench_t b = make(3, 4, 4);
  fill(&b, "122");
  for (unsigned t = 0; t < 4; t++) {
    for (unsigned q = 0; q < 3; q++)
      ck_assert_uint_eq(counts_drainable(drain_selector_regs(b.self), q), counts[t][q]);
    cycle(&b, -1, -1, true);
    ck_assert_uint_eq(b.out.sel_queue_o, selected[t]);
  }
  drain_selector_destroy(b.self);
}
END_TEST

/* The order in which each policy empties the same queues. */
START_TEST(drain_order) {
  static const char *const order[] = {"00112223", "00112223", "01230122",
                                      "00112223", "20120123", "22200113"};
  char text[32];
  bench_t b = make(5, 8, (uint32_t)_i);
  fill(&b, "2231");
  ck_assert_str_eq(drained(&b, text), order[_i]);
  drain_selector_destroy(b.self);
}
END_TEST

/* Entries that become drainable while a greedy form empties a queue are drained with it. */
START_TEST(greedy_stays) {
  bench_t b = make(4, 8, (uint32_t)(2 * _i + 1));
  fill(&b, "0222");
  static const int higher[] = {0, 0, 2}; /* fixed order and round robin would leave for queue 0 */
  cycle(&b, -1, -1, true);
  uint64_t held = b.out.sel_queue_o;
  ck_assert_uint_eq(held, 1);
  ck_assert_uint_eq(drain_selector_regs(b.self)->hold_q, 1);
  for (int n = 0; n < 3; n++) {
    cycle(&b, higher[_i], -1, false); /* now another queue is the base policy's choice */
    cycle(&b, 1, -1, true);
    ck_assert_uint_eq(b.out.sel_queue_o, 1);
  }
  cycle(&b, -1, -1, true);
  ck_assert_uint_eq(b.out.sel_queue_o, 1);
  ck_assert_uint_eq(drain_selector_regs(b.self)->hold_q, 0);
  cycle(&b, -1, -1, true);
  ck_assert_uint_ne(b.out.sel_queue_o, 1);
  drain_selector_destroy(b.self);
}
END_TEST

/* A forced drain does not change the place; it ends a hold only by emptying that queue. */
START_TEST(force_interrupts) {
  bench_t b = make(5, 8, (uint32_t)_i);
  const drain_selector_regs_t *r = drain_selector_regs(b.self);
  fill(&b, "02222");
  cycle(&b, -1, -1, true);
  uint8_t last = r->last_q, hold = r->hold_q;
  ck_assert_uint_eq(last, _i == 0 || _i == 4 ? 4 : 1);
  ck_assert_uint_eq(hold, _i & 1);
  cycle(&b, -1, 3, true);
  ck_assert_uint_eq(b.out.forced_o, 1);
  ck_assert_uint_eq(b.out.sel_queue_o, 3);
  ck_assert(r->last_q == last && r->hold_q == hold && counts_drainable(r, 3) == 1);
  cycle(&b, -1, 0, true); /* nothing drainable there: the policy goes on */
  ck_assert_uint_eq(b.out.forced_o, 0);
  ck_assert_uint_ne(b.out.sel_queue_o, 0);
  if (_i & 1) {
    ck_assert_uint_eq(b.out.sel_queue_o, 1);
    cycle(&b, 1, -1, false);
    cycle(&b, 1, -1, false);
    cycle(&b, -1, -1, true);
    hold = r->hold_q;
    last = r->last_q;
    ck_assert_uint_eq(hold, 1);
    while (counts_drainable(r, last)) {
      ck_assert_uint_eq(r->hold_q, 1);
      cycle(&b, -1, last, true);
    }
    ck_assert_uint_eq(r->hold_q, 0);
    ck_assert_uint_eq(r->last_q, last);
  }
  drain_selector_destroy(b.self);
}
END_TEST

/* Adds: not selectable in their own cycle, dropped beyond DEPTH or QUEUES; queues that do not exist
 * are never forced. */
START_TEST(adds_and_range) {
  static const uint32_t depths[] = {1, 2, 3, 5, 33, 48, 64};
  uint32_t depth = depths[_i];
  bench_t b = make(5, depth, 4);
  const drain_selector_regs_t *r = drain_selector_regs(b.self);
  for (uint32_t n = 0; n < depth; n++) {
    cycle(&b, 3, 3, false);
    ck_assert_uint_eq(b.out.add_drop_o, 0);
    ck_assert_uint_eq(b.out.sel_valid_o, n > 0);
    ck_assert_uint_eq(b.out.nonempty_o, n > 0 ? 8 : 0);
    ck_assert_uint_eq(b.out.forced_o, n > 0);
  }
  cycle(&b, 3, -1, true); /* full at the start of the cycle: the take does not help the add */
  ck_assert_uint_eq(b.out.add_drop_o, 1);
  ck_assert_uint_eq(counts_drainable(r, 3), depth - 1);
  static const uint64_t outside[] = {5, 7, 63, 64, UINT64_MAX};
  for (unsigned i = 0; i < sizeof outside / sizeof *outside; i++) {
    drain_selector_in_t in = {1, 1, outside[i], 1, outside[i], 0};
    drain_selector_comb(b.self, &in, &b.out);
    ck_assert_uint_eq(b.out.add_drop_o, 1);
    ck_assert_uint_eq(b.out.forced_o, 0);
    drain_selector_edge(b.self, &in);
    ck_assert_uint_eq(counts_drainable(r, 3), depth - 1);
  }
  drain_selector_in_t idle = {.srst_ni = 1, .add_queue_i = 7};
  drain_selector_comb(b.self, &idle, &b.out);
  ck_assert_uint_eq(b.out.add_drop_o, 0); /* nothing was offered */
  drain_selector_destroy(b.self);
}
END_TEST

START_TEST(reset_in_the_middle) {
  bench_t b = make(6, 4, 3);
  fill(&b, "123111");
  for (int n = 0; n < 2; n++) cycle(&b, -1, -1, true);
  ck_assert_uint_eq(drain_selector_regs(b.self)->hold_q, 1);
  drain_selector_in_t in = {0, 1, 2, 1, 3, 1};
  drain_selector_edge(b.self, &in);
  drain_selector_regs_t expected = {.last_q = 5};
  ck_assert_int_eq(memcmp(drain_selector_regs(b.self), &expected, sizeof expected), 0);
  fill(&b, "000111");
  char text[16];
  ck_assert_str_eq(drained(&b, text), "345");
  drain_selector_destroy(b.self);
}
END_TEST

/* The page's definitions, searched for queue by queue. */
typedef struct {
  uint32_t queues, depth, policy, count[64], last;
  bool hold;
} naive_t;

static uint32_t naive_base(const naive_t *n) {
  uint32_t best = n->queues;
  for (uint32_t i = 0; i < n->queues; i++) {
    uint32_t q = n->policy / 2 == 1 ? (n->last + 1 + i) % n->queues : i;
    if (n->count[q] == 0) continue;
    if (best == n->queues || (n->policy / 2 == 2 && n->count[q] > n->count[best])) best = q;
  }
  return best;
}

static void naive_comb(const naive_t *n, const drain_selector_in_t *in, drain_selector_out_t *out) {
  memset(out, 0, sizeof *out);
  for (uint32_t q = 0; q < n->queues; q++)
    if (n->count[q]) out->nonempty_o |= UINT64_C(1) << q;
  out->sel_valid_o = out->nonempty_o != 0;
  out->forced_o = in->force_valid_i && in->force_queue_i < n->queues && n->count[in->force_queue_i];
  if (out->sel_valid_o) out->pick_o = n->policy % 2 && n->hold ? n->last : naive_base(n);
  out->sel_queue_o = out->forced_o ? in->force_queue_i : out->pick_o;
  out->add_drop_o =
      in->add_valid_i && (in->add_queue_i >= n->queues || n->count[in->add_queue_i] == n->depth);
}

static void naive_edge(naive_t *n, const drain_selector_in_t *in, const drain_selector_out_t *out) {
  if (!in->srst_ni) {
    memset(n->count, 0, sizeof n->count);
    n->last = n->queues - 1;
    n->hold = false;
    return;
  }
  bool take = in->take_i && out->sel_valid_o, own = take && !out->forced_o;
  if (in->add_valid_i && !out->add_drop_o) n->count[in->add_queue_i]++;
  if (take) n->count[out->sel_queue_o]--;
  if (own && n->policy != 0 && n->policy != 4) n->last = (uint32_t)out->sel_queue_o;
  if (own) n->hold = true;
  if (n->policy % 2 == 0 || n->count[n->last] == 0) n->hold = false;
}

static const uint32_t sizes[][2] = {{1, 1},  {2, 1},  {3, 5},   {5, 2},
                                    {33, 3}, {48, 8}, {64, 64}, {1, 64}};

START_TEST(random_against_search) {
  for (uint32_t policy = 0; policy < 6; policy++) {
    bench_t b = make(sizes[_i][0], sizes[_i][1], policy);
    naive_t n = {
        .queues = sizes[_i][0], .depth = sizes[_i][1], .policy = policy, .last = sizes[_i][0] - 1};
    prng_t p = prng_seed(4, (uint64_t)_i * 6 + policy);
    unsigned add = 500, take = 500, force = 0, ties = 1000;
    for (uint32_t t = 0; t < 20000; t++) {
      if (t % 256 == 0) {
        add = prng_below(&p, 1000);
        take = prng_below(&p, 1000);
        force = prng_chance(&p, 500) ? 0 : prng_below(&p, 600);
        ties = prng_below(&p, 1000);
      }
      drain_selector_in_t in = {
          .srst_ni = !prng_chance(&p, 1),
          .add_valid_i = prng_chance(&p, add),
          .add_queue_i = prng_chance(&p, ties) ? t % b.reach : prng_below(&p, (uint32_t)b.reach),
          .force_valid_i = prng_chance(&p, force),
          .force_queue_i = prng_below(&p, (uint32_t)b.reach),
          .take_i = prng_chance(&p, take)};
      drain_selector_out_t expected;
      naive_comb(&n, &in, &expected);
      drain_selector_comb(b.self, &in, &b.out);
      if (memcmp(&expected, &b.out, sizeof expected))
        ck_abort_msg("policy %u, cycle %u: selects %u, not %u", policy, t,
                     (unsigned)b.out.sel_queue_o, (unsigned)expected.sel_queue_o);
      drain_selector_edge(b.self, &in);
      naive_edge(&n, &in, &expected);
      const drain_selector_regs_t *r = drain_selector_regs(b.self);
      bool same = r->last_q == n.last && r->hold_q == n.hold;
      for (uint32_t q = 0; q < 64; q++) same = same && counts_drainable(r, q) == n.count[q];
      if (!same) ck_abort_msg("policy %u, cycle %u: registers", policy, t);
    }
    drain_selector_destroy(b.self);
  }
}
END_TEST

Suite *test_drain_selector_suite(void);
Suite *test_drain_selector_suite(void) {
  Suite *suite = suite_create("drain_selector");
  TCase *tc = tcase_create("all");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, worked_example);
  tcase_add_loop_test(tc, drain_order, 0, 6);
  tcase_add_loop_test(tc, greedy_stays, 0, 3);
  tcase_add_loop_test(tc, force_interrupts, 0, 6);
  tcase_add_loop_test(tc, adds_and_range, 0, 7);
  tcase_add_test(tc, reset_in_the_middle);
  tcase_add_loop_test(tc, random_against_search, 0, 3);
  TCase *more = tcase_create("more sizes");
  tcase_set_timeout(more, 120);
  tcase_set_tags(more, "heavy"); /* many random cycles: not under valgrind */
  tcase_add_loop_test(more, random_against_search, 3, sizeof sizes / sizeof *sizes);
  suite_add_tcase(suite, tc);
  suite_add_tcase(suite, more);
  return suite;
}
