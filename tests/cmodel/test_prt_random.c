/* SPDX-License-Identifier: Apache-2.0 */
/* prt against its page: random and often illegal traffic against a state for each lane, and the
 * contract seen from outside, without and with the checker: every lane is issued once and answered
 * once. */
#include "prng.h"
#include "prt_help.h"
#include <stdbool.h>
#include <stdlib.h>

typedef enum { IDLE, TODO, WAITING, DONE } lane_t;

/* The page once more, lane by lane. */
typedef struct {
  struct {
    bool used;
    uint64_t tag, offset[32], born; /* the how many-th instruction */
    lane_t lane[32];
    unsigned requests;
  } entry[512];
  unsigned entries, lanes, offset_w, order;
  unsigned next; /* the entry of the next allocation, unless all are used */
  uint64_t births;
} naive_t;

static unsigned count_lanes(const naive_t *n, uint64_t e, lane_t state) {
  unsigned c = 0;
  for (unsigned l = 0; l < n->lanes; l++) c += n->entry[e].lane[l] == state;
  return c;
}

/* The lanes of `mask` are all in `state`, and there is at least one. */
static bool all_in(const naive_t *n, uint64_t e, uint64_t mask, lane_t state) {
  if (e >= n->entries || !n->entry[e].used || mask == 0) return false;
  for (unsigned l = 0; l < 64; l++)
    if ((mask >> l & 1) && (l >= n->lanes || n->entry[e].lane[l] != state)) return false;
  return true;
}

static uint64_t lanes_in(const naive_t *n, uint64_t e, lane_t state) {
  uint64_t mask = 0;
  for (unsigned l = 0; e < n->entries && n->entry[e].used && l < n->lanes; l++)
    mask |= (uint64_t)(n->entry[e].lane[l] == state) << l;
  return mask;
}

static void move(naive_t *n, uint64_t e, uint64_t mask, lane_t state) {
  for (unsigned l = 0; l < n->lanes; l++)
    if (mask >> l & 1) n->entry[e].lane[l] = state;
}

static void naive_reply(naive_t *n, const prt_in_t *in, prt_out_t *out) {
  uint64_t e = in->reply_entry_i, m = in->reply_mask_i;
  if (!in->reply_valid_i || !all_in(n, e, m, WAITING) || n->entry[e].requests == 0) return;
  bool everything = (unsigned)__builtin_popcountll(m) == count_lanes(n, e, WAITING);
  if (everything != (n->entry[e].requests == 1)) return;
  out->reply_ok_o = 1;
  out->reply_tag_o = n->entry[e].tag;
  for (unsigned l = 0; l < n->lanes; l++)
    if (m >> l & 1) put(out->reply_offset_o, l * n->offset_w, n->offset_w, n->entry[e].offset[l]);
  move(n, e, m, DONE);
  out->last_o = --n->entry[e].requests == 0 && count_lanes(n, e, TODO) == 0;
  if (n->order) return;
  out->release_o = out->last_o;
  if (out->release_o) n->entry[e].used = false;
}

/* The oldest one goes, if all its lanes are answered. */
static void naive_release(naive_t *n, prt_out_t *out) {
  unsigned e = 512;
  for (unsigned i = 0; i < n->entries; i++)
    if (n->entry[i].used && (e == 512 || n->entry[i].born < n->entry[e].born)) e = i;
  if (e == 512 || count_lanes(n, e, TODO) > 0 || count_lanes(n, e, WAITING) > 0) return;
  out->release_o = 1;
  n->entry[e].used = false;
}

static void naive_allocate(naive_t *n, unsigned a, const prt_in_t *in) {
  n->entry[a].used = true;
  n->entry[a].born = n->births++;
  n->entry[a].tag = in->alloc_tag_i;
  n->entry[a].requests = 0;
  for (unsigned l = 0; l < 32; l++) {
    n->entry[a].lane[l] = l < n->lanes && (in->alloc_mask_i >> l & 1) ? TODO : IDLE;
    n->entry[a].offset[l] =
        l < n->lanes ? get(in->alloc_offset_i, l * n->offset_w, n->offset_w) : 0;
  }
}

/* `other`: the lowest entry that was free when the cycle began, except `next`. */
static void naive_next(naive_t *n, bool was_full, bool taken, unsigned other, unsigned reply) {
  if (n->order) n->next = (n->next + taken) % n->entries;
  if (n->order || (!was_full && !taken)) return;
  n->next = !was_full && other < n->entries ? other : reply;
}

static void naive_cycle(naive_t *n, const prt_in_t *in, prt_out_t *out) {
  memset(out, 0, sizeof *out);
  unsigned other = n->entries;
  for (unsigned e = n->entries; e-- > 0;) {
    out->count_o += n->entry[e].used;
    if (!n->entry[e].used && e != n->next) other = e;
  }
  const bool was_full = out->count_o == n->entries;
  naive_reply(n, in, out);
  if (n->order) naive_release(n, out);
  const unsigned a = was_full && !n->order ? (unsigned)in->reply_entry_i : n->next;
  out->alloc_entry_o = a;
  out->alloc_ready_o = in->alloc_mask_i && (!was_full || out->release_o);
  const bool taken = out->alloc_ready_o && in->alloc_valid_i;
  if (taken) naive_allocate(n, a, in);
  naive_next(n, was_full, taken, other, (unsigned)in->reply_entry_i);
  if (!in->issue_valid_i || !all_in(n, in->issue_entry_i, in->issue_mask_i, TODO)) return;
  out->issue_ok_o = 1;
  n->entry[in->issue_entry_i].requests++;
  move(n, in->issue_entry_i, in->issue_mask_i, WAITING);
}

enum { LIGHT = 5 };
static const uint32_t sizes[][4] = {
    {1, 1, 1, 0},  {2, 32, 8, 0},  {3, 5, 7, 0},  {5, 8, 3, 1},  {1, 4, 1, 1},    {5, 32, 7, 0},
    {33, 3, 3, 0}, {44, 32, 7, 0}, {64, 8, 8, 0}, {65, 9, 5, 0}, {512, 32, 8, 0}, {8, 31, 6, 0},
    {4, 17, 4, 0}, {4, 24, 3, 0},  {2, 2, 2, 1},  {8, 31, 6, 1}, {44, 32, 7, 1},  {510, 32, 7, 1}};
static uint32_t some_entry(const bench_t *b, prng_t *p, uint32_t reach) {
  uint32_t few = reach < 4 ? reach : 4;
  if (!prng_chance(p, 700)) return prng_below(p, reach);
  return b->cfg.ORDER ? (prt_regs(b->self)->head_q + prng_below(p, few)) % b->cfg.ENTRIES
                      : prng_below(p, few);
}

/* Half of the time what fits the table, so that it fills and empties; else anything. */
static void random_inputs(bench_t *b, const naive_t *n, prng_t *p, unsigned alloc_rate) {
  uint32_t lanes = b->cfg.LANES, reach = 1u << bits_index_w(b->cfg.ENTRIES);
  if (prng_chance(p, alloc_rate)) alloc(b, bits(prng_next(p), lanes), prng_next(p), 0);
  if (!b->in.alloc_valid_i) b->in.alloc_mask_i = bits(prng_next(p), lanes) & prng_below(p, 3);
  memset(b->in.alloc_offset_i, 0, sizeof b->in.alloc_offset_i);
  for (unsigned l = 0; l < lanes; l++)
    put(b->in.alloc_offset_i, l * b->cfg.OFFSET_W, b->cfg.OFFSET_W, prng_next(p));
  if (prng_chance(p, 700)) {
    uint64_t e = some_entry(b, p, reach);
    uint64_t wanted = e < b->cfg.ENTRIES ? lanes_in(n, e, TODO) : 1;
    if (prng_chance(p, 200)) wanted = bits(prng_next(p), lanes);
    issue(b, e, prng_chance(p, 600) ? wanted : wanted & prng_next(p));
  }
  if (prng_chance(p, 700)) {
    uint64_t e = some_entry(b, p, reach);
    uint64_t awaited = e < b->cfg.ENTRIES ? lanes_in(n, e, WAITING) : 1;
    if (prng_chance(p, 100)) awaited = bits(prng_next(p), lanes);
    reply(b, e, prng_chance(p, 600) ? awaited : awaited & prng_next(p));
  }
  b->in.srst_ni = !prng_chance(p, 1);
}

START_TEST(random_against_lanes) {
  bench_t b = make(sizes[_i][0], sizes[_i][1], sizes[_i][2], sizes[_i][3]);
  naive_t *n = calloc(1, sizeof *n);
  n->entries = b.cfg.ENTRIES, n->lanes = b.cfg.LANES, n->offset_w = b.cfg.OFFSET_W;
  n->order = b.cfg.ORDER;
  prng_t p = prng_seed(8, (uint64_t)_i);
  unsigned rate = 0, seen[4] = {0};
  for (uint32_t t = 0; t < 10000; t++) {
    if (t % 256 == 0) rate = prng_below(&p, 1000);
    random_inputs(&b, n, &p, rate);
    prt_out_t expected;
    bool reset = !b.in.srst_ni;
    naive_cycle(n, &b.in, &expected);
    step(&b);
    if (memcmp(&b.out, &expected, sizeof expected)) ck_abort_msg("cycle %u", t);
    seen[0] += (unsigned)expected.reply_ok_o;
    seen[1] += (unsigned)expected.release_o;
    seen[2] += (unsigned)expected.issue_ok_o;
    seen[3] += (unsigned)expected.alloc_ready_o;
    for (unsigned e = 0; e < n->entries; e++) {
      if (reset) n->entry[e].used = false, n->next = 0;
      const prt_regs_t *r = prt_regs(b.self);
      if ((r->valid_q[e / 32] >> e % 32 & 1) != n->entry[e].used)
        ck_abort_msg("cycle %u: entry %u", t, e);
      if (n->entry[e].used && r->pend_q[e] != n->entry[e].requests)
        ck_abort_msg("cycle %u: requests", t);
      if (n->entry[e].used && r->left_q[e] != count_lanes(n, e, TODO))
        ck_abort_msg("cycle %u: lanes", t);
    }
  }
  ck_assert(seen[0] && seen[1] && seen[2] && seen[3]);
  free(n);
  prt_destroy(b.self);
}
END_TEST

typedef struct {
  uint32_t entry, mask;
} request_t;

/* {ENTRIES, LANES, OFFSET_W, ORDER} */
static prt_cfg_t config(const uint32_t *size, uint32_t check) {
  prt_cfg_t cfg = {.ENTRIES = size[0], .LANES = size[1], .OFFSET_W = size[2], .ORDER = size[3]};
  cfg.TAG_W = 64, cfg.CHECK = check;
  return cfg;
}

/* From outside: instructions split into requests at random, replies in any order. */
START_TEST(every_lane_once) {
  const uint32_t *size = sizes[_i / 2];
  bench_t b = make_with(config(size, (uint32_t)_i % 2));
  prng_t p = prng_seed(9, (uint64_t)_i);
  request_t *way = calloc(512 * 32, sizeof *way);
  uint32_t n_way = 0, todo[512] = {0}, lanes_in = 0, lanes_issued = 0, lanes_back = 0;
  uint32_t left[512] = {0}, fifo[512]; /* lanes to be answered; entries as they were allocated */
  uint32_t started = 0, released = 0, all = (uint32_t)bits_mask(b.cfg.LANES);
  for (uint32_t t = 0; t < 20000 || released < started; t++) {
    ck_assert_uint_lt(t, 200000);
    uint32_t mask = (uint32_t)prng_next(&p) & all, e = prng_below(&p, b.cfg.ENTRIES), k = 0;
    if (t < 20000 && mask && prng_chance(&p, 500)) alloc(&b, mask, t, t);
    for (uint32_t i = 0; i < b.cfg.ENTRIES && !todo[e]; i++) e = (e + 1) % b.cfg.ENTRIES;
    uint32_t part = todo[e] & (uint32_t)prng_next(&p);
    if (todo[e]) issue(&b, e, part ? part : todo[e]);
    bool back = n_way && prng_chance(&p, 600);
    if (back) k = prng_below(&p, n_way), reply(&b, way[k].entry, way[k].mask);
    prt_in_t in = b.in;
    step(&b);
    if (b.out.reply_ok_o != back || b.out.issue_ok_o != in.issue_valid_i)
      ck_abort_msg("cycle %u", t);
    if (back) {
      lanes_back += (uint32_t)__builtin_popcount(way[k].mask);
      left[way[k].entry] -= (uint32_t)__builtin_popcount(way[k].mask);
      ck_assert(b.out.last_o == (left[way[k].entry] == 0));
      way[k] = way[--n_way];
    }
    if (b.out.release_o && b.cfg.ORDER) ck_assert_uint_eq(left[fifo[released % 512]], 0);
    released += (uint32_t)b.out.release_o;
    if (in.issue_valid_i) {
      way[n_way++] = (request_t){e, (uint32_t)in.issue_mask_i};
      todo[e] &= ~(uint32_t)in.issue_mask_i;
      lanes_issued += (uint32_t)__builtin_popcountll(in.issue_mask_i);
    }
    if (in.alloc_valid_i && b.out.alloc_ready_o) {
      if (todo[b.out.alloc_entry_o]) ck_abort_msg("an entry in use was given away");
      todo[b.out.alloc_entry_o] = mask;
      left[b.out.alloc_entry_o] = (uint32_t)__builtin_popcount(mask);
      fifo[started % 512] = (uint32_t)b.out.alloc_entry_o;
      lanes_in += (uint32_t)__builtin_popcount(mask);
      started++;
    }
  }
  ck_assert_uint_gt(started, 100);
  ck_assert(lanes_in == lanes_issued && lanes_in == lanes_back && n_way == 0);
  ck_assert_uint_eq(step(&b)->count_o, 0);
  free(way);
  prt_destroy(b.self);
}
END_TEST

Suite *test_prt_random_suite(void);
Suite *test_prt_random_suite(void) {
  Suite *suite = suite_create("prt_random");
  TCase *tc = tcase_create("all");
  tcase_set_timeout(tc, 120);
  tcase_add_loop_test(tc, random_against_lanes, 0, LIGHT);
  tcase_add_loop_test(tc, every_lane_once, 0, 2 * LIGHT);
  TCase *more = tcase_create("more sizes");
  tcase_set_timeout(more, 120);
  tcase_set_tags(more, "heavy"); /* many random cycles: not under valgrind */
  tcase_add_loop_test(more, random_against_lanes, LIGHT, sizeof sizes / sizeof *sizes);
  tcase_add_loop_test(more, every_lane_once, 2 * LIGHT, 2 * (sizeof sizes / sizeof *sizes));
  suite_add_tcase(suite, tc);
  suite_add_tcase(suite, more);
  return suite;
}
