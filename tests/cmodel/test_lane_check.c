/* SPDX-License-Identifier: Apache-2.0 */
/* lane_check against its page: each rule alone, and random cycles, right and wrong, against a state
 * for each lane. */
#include "lane_check.h"
#include "prng.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  lane_check_t *self;
  lane_check_cfg_t cfg;
  lane_check_in_t in;
  lane_check_out_t out;
} bench_t;

static bench_t make(uint32_t entries, uint32_t lanes) {
  bench_t b = {.cfg = {entries, lanes}, .in = {.srst_ni = 1}};
  ck_assert_int_eq(lane_check_create(&b.self, &b.cfg, NULL), 0);
  return b;
}

static bench_t *alloc(bench_t *b, uint64_t entry, uint64_t mask) {
  b->in.alloc_valid_i = 1;
  b->in.alloc_entry_i = entry;
  b->in.alloc_mask_i = mask;
  return b;
}

static bench_t *issue(bench_t *b, uint64_t entry, uint64_t mask) {
  b->in.issue_valid_i = 1;
  b->in.issue_entry_i = entry;
  b->in.issue_mask_i = mask;
  return b;
}

static bench_t *reply(bench_t *b, uint64_t entry, uint64_t mask) {
  b->in.reply_valid_i = 1;
  b->in.reply_entry_i = entry;
  b->in.reply_mask_i = mask;
  return b;
}

/* Runs the cycle; the result has bit 0 for issue_ok_o and bit 1 for reply_ok_o. */
static unsigned step(bench_t *b) {
  memset(&b->out, 0xff, sizeof b->out);
  lane_check_comb(b->self, &b->in, &b->out);
  lane_check_edge(b->self, &b->in);
  b->in = (lane_check_in_t){.srst_ni = 1};
  return (unsigned)(b->out.issue_ok_o | b->out.reply_ok_o << 1);
}

START_TEST(one_instruction) {
  bench_t b = make(4, 8);
  const lane_check_regs_t *r = lane_check_regs(b.self);
  ck_assert_uint_eq(step(issue(alloc(&b, 2, 0xff), 2, 0x0f)), 1);
  ck_assert_uint_eq(step(issue(&b, 2, 0x1f)), 0); /* lanes 0 to 3 are issued */
  ck_assert_uint_eq(step(issue(&b, 2, 0)), 0);
  ck_assert_uint_eq(step(issue(&b, 2, 0x30)), 1);
  ck_assert(r->todo_q[2] == 0xc0 && r->wait_q[2] == 0x3f && r->pend_q[2] == 2);
  ck_assert_uint_eq(step(reply(&b, 2, 0x3f)), 0); /* another request is in flight */
  ck_assert_uint_eq(step(reply(&b, 2, 0x40)), 0); /* not issued */
  ck_assert_uint_eq(step(reply(&b, 2, 0)), 0);
  ck_assert_uint_eq(step(reply(&b, 2, 0x30)), 2);
  ck_assert_uint_eq(step(reply(&b, 2, 0x30)), 0); /* answered */
  ck_assert_uint_eq(step(reply(&b, 2, 0x03)), 0); /* the last one brings all lanes */
  ck_assert_uint_eq(step(reply(issue(&b, 2, 0xc0), 2, 0x0f)), 3);
  ck_assert(r->todo_q[2] == 0 && r->wait_q[2] == 0xc0 && r->pend_q[2] == 1);
  ck_assert_uint_eq(step(reply(alloc(&b, 2, 0x01), 2, 0xc0)), 2); /* the entry is given again */
  ck_assert(r->todo_q[2] == 1 && r->wait_q[2] == 0 && r->pend_q[2] == 0);
  lane_check_destroy(b.self);
}
END_TEST

START_TEST(nothing_open) {
  bench_t b = make(5, 8);
  for (uint64_t e = 0; e < 9; e++) {
    ck_assert_uint_eq(step(issue(&b, e, 1)), 0);
    ck_assert_uint_eq(step(reply(&b, e, 1)), 0);
  }
  step(alloc(&b, 7, 1)); /* no such entry */
  ck_assert_uint_eq(step(issue(&b, 7, 1)), 0);
  step(alloc(&b, 3, 7)), step(issue(&b, 3, 1));
  b.in.srst_ni = 0;
  step(alloc(&b, 4, 1));
  ck_assert_uint_eq(step(reply(issue(&b, 3, 2), 3, 1)), 0);
  ck_assert_uint_eq(step(issue(&b, 4, 1)), 0);
  lane_check_destroy(b.self);
}
END_TEST

/* The page once more: what each lane is in, and how many requests an entry has in flight. */
typedef enum { IDLE, TODO, WAITING } lane_t;

typedef struct {
  lane_t lane[512][32];
  unsigned requests[512];
} naive_t;

static bool all_in(const naive_t *n, uint64_t e, uint64_t mask, lane_t state) {
  for (unsigned l = 0; l < 32; l++)
    if ((mask >> l & 1) && n->lane[e][l] != state) return false;
  return mask != 0;
}

static bool naive_reply(naive_t *n, const lane_check_in_t *i, uint32_t entries) {
  const uint64_t e = i->reply_entry_i, m = i->reply_mask_i;
  unsigned waiting = 0;
  if (!i->reply_valid_i || e >= entries || !all_in(n, e, m, WAITING)) return false;
  for (unsigned l = 0; l < 32; l++) waiting += n->lane[e][l] == WAITING;
  if ((waiting == (unsigned)__builtin_popcountll(m)) != (n->requests[e] == 1)) return false;
  for (unsigned l = 0; l < 32; l++)
    if (m >> l & 1) n->lane[e][l] = IDLE;
  n->requests[e]--;
  return true;
}

static bool naive_issue(naive_t *n, const lane_check_in_t *i, uint32_t entries) {
  const uint64_t e = i->issue_entry_i;
  if (!i->issue_valid_i || e >= entries || !all_in(n, e, i->issue_mask_i, TODO)) return false;
  for (unsigned l = 0; l < 32; l++)
    if (i->issue_mask_i >> l & 1) n->lane[e][l] = WAITING;
  n->requests[e]++;
  return true;
}

static unsigned naive_cycle(naive_t *n, const lane_check_in_t *i, uint32_t entries) {
  const bool back = naive_reply(n, i, entries);
  if (i->alloc_valid_i && i->alloc_entry_i < entries) {
    for (unsigned l = 0; l < 32; l++)
      n->lane[i->alloc_entry_i][l] = i->alloc_mask_i >> l & 1 ? TODO : IDLE;
    n->requests[i->alloc_entry_i] = 0;
  }
  return (unsigned)naive_issue(n, i, entries) | (unsigned)back << 1;
}

static uint64_t lanes_in(const naive_t *n, uint64_t e, lane_t state) {
  uint64_t mask = 0;
  for (unsigned l = 0; l < 32; l++) mask |= (uint64_t)(n->lane[e][l] == state) << l;
  return mask;
}

static const uint32_t sizes[][2] = {{1, 1}, {1, 32}, {3, 5}, {5, 2}, {44, 32}, {512, 32}};

START_TEST(random_against_lanes) {
  bench_t b = make(sizes[_i][0], sizes[_i][1]);
  naive_t *n = calloc(1, sizeof *n);
  prng_t p = prng_seed(31, (uint64_t)_i);
  const uint32_t entries = b.cfg.ENTRIES, reach = 1u << bits_index_w(entries);
  const uint64_t all = bits_mask(b.cfg.LANES);
  unsigned seen[4] = {0};
  for (uint32_t t = 0; t < 20000; t++) {
    const uint32_t few = reach < 4 ? reach : 4;
    const uint64_t e = prng_below(&p, few), v = prng_next(&p);
    if (prng_chance(&p, 300))
      alloc(&b, prng_below(&p, prng_chance(&p, 900) ? few : reach), v & all);
    if (prng_chance(&p, 600))
      issue(&b, e, (v >> 33 & 3 ? lanes_in(n, e & 511, TODO) : all) & (v >> 35 & 1 ? all : v));
    if (prng_chance(&p, 600))
      reply(&b, e, (v >> 36 & 3 ? lanes_in(n, e & 511, WAITING) : all) & (v >> 38 & 1 ? all : v));
    const lane_check_in_t in = b.in;
    const unsigned want = naive_cycle(n, &in, entries), have = step(&b);
    if (want != have) ck_abort_msg("cycle %u: %u, not %u", t, have, want);
    seen[have]++;
  }
  ck_assert(seen[0] && seen[1] && seen[2] && (seen[3] || b.cfg.LANES == 1));
  free(n);
  lane_check_destroy(b.self);
}
END_TEST

Suite *test_lane_check_suite(void);
Suite *test_lane_check_suite(void) {
  Suite *suite = suite_create("lane_check");
  TCase *tc = tcase_create("all");
  tcase_add_test(tc, one_instruction);
  tcase_add_test(tc, nothing_open);
  tcase_add_loop_test(tc, random_against_lanes, 0, sizeof sizes / sizeof *sizes);
  suite_add_tcase(suite, tc);
  return suite;
}
