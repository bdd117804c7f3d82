/* SPDX-License-Identifier: Apache-2.0 */
/* prt against its page: directed cases, random and often illegal traffic against a state for each
 * lane, and the contract seen from outside: every lane is issued once and answered once. */
#include "prt.h"
#include "prng.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  prt_t *self;
  prt_cfg_t cfg;
  prt_in_t in;
  prt_out_t out;
} bench_t;

static bench_t make(uint32_t entries, uint32_t lanes, uint32_t offset_w, uint32_t order) {
  bench_t b = {.cfg = {entries, lanes, offset_w, .TAG_W = 64, .ORDER = order}, .in = {.rst_ni = 1}};
  ck_assert_int_eq(prt_create(&b.self, &b.cfg, NULL), 0);
  return b;
}

/* Bit by bit, so that no word boundary is special. */
static uint64_t get(const uint64_t *words, unsigned at, unsigned width) {
  uint64_t v = 0;
  for (unsigned i = 0; i < width; i++) v |= (words[(at + i) / 64] >> (at + i) % 64 & 1) << i;
  return v;
}

static void put(uint64_t *words, unsigned at, unsigned width, uint64_t v) {
  for (unsigned i = 0; i < width; i++) words[(at + i) / 64] |= (v >> i & 1) << (at + i) % 64;
}

/* The cycle is put together by these, then run by step. Lane l gets offset first + l. */
static bench_t *alloc(bench_t *b, uint64_t mask, uint64_t tag, uint64_t first) {
  b->in.alloc_valid_i = 1;
  b->in.alloc_mask_i = mask;
  b->in.alloc_tag_i = tag;
  for (unsigned l = 0; l < b->cfg.LANES; l++)
    put(b->in.alloc_offset_i, l * b->cfg.OFFSET_W, b->cfg.OFFSET_W, first + l);
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

static const prt_out_t *step(bench_t *b) {
  memset(&b->out, 0xff, sizeof b->out);
  prt_comb(b->self, &b->in, &b->out);
  prt_edge(b->self, &b->in);
  b->in = (prt_in_t){.rst_ni = 1};
  return &b->out;
}

static bool ignored(bench_t *b) {
  prt_regs_t before = *prt_regs(b->self);
  step(b);
  return memcmp(&before, prt_regs(b->self), sizeof before) == 0;
}

START_TEST(one_instruction) {
  bench_t b = make(4, 8, 7, 0);
  ck_assert_uint_eq(step(alloc(&b, 0xff, 77, 20))->alloc_entry_o, 0);
  ck_assert_uint_eq(b.out.count_o, 0);
  ck_assert_uint_eq(step(issue(&b, 0, 0x0f))->issue_ok_o, 1);
  ck_assert_uint_eq(b.out.count_o, 1);
  ck_assert_uint_eq(step(issue(&b, 0, 0x30))->issue_ok_o, 1);
  const prt_regs_t *r = prt_regs(b.self);
  ck_assert(r->todo_q[0] == 0xc0 && r->wait_q[0] == 0x3f && r->pend_q[0] == 2);
  step(reply(&b, 0, 0x30));
  ck_assert(b.out.reply_ok_o == 1 && b.out.reply_tag_o == 77 && b.out.last_o == 0);
  for (unsigned l = 0; l < 8; l++)
    ck_assert_uint_eq(get(b.out.reply_offset_o, 7 * l, 7), l == 4 || l == 5 ? 20 + l : 0);
  step(reply(&b, 0, 0x0f)); /* the last one on its way, but lanes 6 and 7 are not issued yet */
  ck_assert(b.out.reply_ok_o == 1 && b.out.last_o == 0 && b.out.release_o == 0);
  ck_assert(r->valid_q[0] == 1 && r->pend_q[0] == 0 && r->wait_q[0] == 0);
  step(issue(&b, 0, 0xc0));
  step(reply(&b, 0, 0xc0));
  ck_assert(b.out.reply_ok_o == 1 && b.out.last_o == 1 && b.out.release_o == 1);
  ck_assert_uint_eq(step(&b)->count_o, 0);
  prt_destroy(b.self);
}
END_TEST

/* A bypassed read allocates and issues in one cycle; a released entry is allocated in the same
 * cycle. */
START_TEST(all_in_one_cycle) {
  bench_t b = make(1, 4, 2, 0);
  step(issue(alloc(&b, 0x5, 1, 0), 0, 0x5));
  ck_assert(b.out.alloc_ready_o == 1 && b.out.issue_ok_o == 1);
  for (unsigned t = 2; t < 10; t++) {
    step(issue(alloc(&b, 0x6, t, t), 0, 0x2));
    ck_assert(b.out.alloc_ready_o == 0 && b.out.issue_ok_o == 0);
    step(issue(alloc(reply(&b, 0, t == 2 ? 0x5 : 0x6), 0x6, t, t), 0, 0x2));
    ck_assert(b.out.reply_ok_o == 1 && b.out.release_o == 1);
    ck_assert_uint_eq(b.out.reply_tag_o, t - 1); /* the old tag, not the new one */
    ck_assert(b.out.alloc_ready_o == 1 && b.out.alloc_entry_o == 0 && b.out.issue_ok_o == 1);
    const prt_regs_t *r = prt_regs(b.self);
    ck_assert(r->todo_q[0] == 4 && r->wait_q[0] == 2 && r->pend_q[0] == 1 && r->count_q == 1);
    step(issue(&b, 0, 0x4));
    ck_assert(r->pend_q[0] == 2);
    ck_assert_uint_eq(step(reply(&b, 0, 2))->reply_ok_o, 1);
    step(alloc(&b, 1, 9, 9));
    ck_assert_uint_eq(b.out.alloc_ready_o, 0);
    step(reply(issue(&b, 0, 0x4), 0, 0x4)); /* issued already */
    ck_assert(b.out.issue_ok_o == 0 && b.out.release_o == 1);
    step(issue(alloc(&b, 0x6, t, 0), 0, 0x6));
  }
  prt_destroy(b.self);
}
END_TEST

/* A reply and an issue for one entry in one cycle: the reply is judged without the issue. */
START_TEST(reply_with_issue) {
  bench_t b = make(2, 4, 3, 0);
  const prt_regs_t *r = prt_regs(b.self);
  step(issue(alloc(&b, 0xf, 1, 0), 0, 0x1));
  step(issue(reply(&b, 0, 0x1), 0, 0x2));
  ck_assert(b.out.reply_ok_o == 1 && b.out.release_o == 0 && b.out.issue_ok_o == 1);
  ck_assert(r->pend_q[0] == 1 && r->wait_q[0] == 2 && r->todo_q[0] == 0xc);
  step(reply(issue(&b, 0, 0xc), 0, 0xc)); /* comes back too early */
  ck_assert(b.out.reply_ok_o == 0 && b.out.issue_ok_o == 1 && r->pend_q[0] == 2);
  step(issue(reply(&b, 0, 0x2), 1, 1));
  step(issue(reply(&b, 0, 0xc), 0, 1)); /* the released entry issues nothing */
  ck_assert(b.out.release_o == 1 && b.out.issue_ok_o == 0 && r->count_q == 0);
  prt_destroy(b.self);
}
END_TEST

START_TEST(refused) {
  bench_t b = make(5, 8, 8, 0);
  step(issue(alloc(&b, 0x3f, 5, 0), 0, 0x03)), step(issue(&b, 0, 0x0c)),
      step(alloc(&b, 0xff, 6, 0));
  static const uint64_t bad_reply[][2] = {{0, 0},   {0, 0x10}, {0, 0x11},      {0, 0x0f},
                                          {1, 1},   {2, 1},    {5, 1},         {7, 1},
                                          {511, 1}, {512, 3},  {UINT64_MAX, 3}};
  for (unsigned i = 0; i < sizeof bad_reply / sizeof *bad_reply; i++) {
    ck_assert(ignored(reply(&b, bad_reply[i][0], bad_reply[i][1])));
    ck_assert(b.out.reply_ok_o == 0 && b.out.release_o == 0 && b.out.reply_tag_o == 0);
    for (unsigned w = 0; w < 4; w++) ck_assert_uint_eq(b.out.reply_offset_o[w], 0);
  }
  static const uint64_t bad_issue[][2] = {{0, 0}, {0, 1}, {0, 0x11}, {0, 0x40},
                                          {2, 1}, {5, 1}, {512, 1},  {UINT64_MAX, 1}};
  for (unsigned i = 0; i < sizeof bad_issue / sizeof *bad_issue; i++) {
    ck_assert(ignored(issue(&b, bad_issue[i][0], bad_issue[i][1])));
    ck_assert_uint_eq(b.out.issue_ok_o, 0);
  }
  ck_assert(ignored(alloc(&b, 0, 1, 1)));
  ck_assert(b.out.alloc_ready_o == 0 && b.out.alloc_entry_o == 0);
  b.in.alloc_mask_i = 1; /* ready without valid, and no issue to what is not allocated */
  ck_assert(ignored(issue(&b, 2, 1)));
  ck_assert(b.out.alloc_ready_o == 1 && b.out.alloc_entry_o == 2 && b.out.issue_ok_o == 0);
  ck_assert(!ignored(reply(&b, 0, 0x0c))); /* either order of the two */
  ck_assert(ignored(reply(&b, 0, 0x01)));  /* the last request brings all that is awaited */
  prt_destroy(b.self);
}
END_TEST

/* Entries go lowest first until none is left. */
START_TEST(lowest_free) {
  static const uint32_t counts[] = {1, 2, 3, 5, 33, 44, 64, 65, 512};
  uint32_t entries = counts[_i];
  bench_t b = make(entries, 1, 1, 0);
  for (uint32_t e = 0; e < entries; e++)
    ck_assert_uint_eq(step(issue(alloc(&b, 1, e, 0), e, 1))->alloc_entry_o, e);
  ck_assert_uint_eq(step(alloc(&b, 1, 0, 0))->alloc_ready_o, 0);
  ck_assert_uint_eq(b.out.count_o, entries);
  for (uint32_t e = entries; e-- > 0;) {
    b.in.alloc_mask_i = 1;
    step(reply(&b, e, 1));
    ck_assert(b.out.release_o == 1 && b.out.reply_tag_o == e);
    ck_assert(b.out.alloc_ready_o == 1 && b.out.alloc_entry_o == e);
  }
  prt_destroy(b.self);
}
END_TEST

/* The others are answered, but nothing is released until the oldest is; then one entry a cycle. */
START_TEST(ring_behind_a_slow_head) {
  bench_t b = make(5, 8, 3, 1);
  const prt_regs_t *r = prt_regs(b.self);
  for (uint32_t e = 0; e < 5; e++)
    ck_assert_uint_eq(step(issue(alloc(&b, 0x3, e, e), e, 0x3))->alloc_entry_o, e);
  for (uint32_t e = 5; e-- > 1;) {
    step(reply(alloc(&b, 1, 0, 0), e, 0x3));
    ck_assert(b.out.reply_ok_o == 1 && b.out.last_o == 1 && b.out.reply_tag_o == e);
    ck_assert(b.out.release_o == 0 && b.out.alloc_ready_o == 0 && b.out.count_o == 5);
    ck_assert(ignored(reply(&b, e, 0x3)) && b.out.reply_ok_o == 0);
    ck_assert(ignored(issue(&b, e, 0x3)) && b.out.issue_ok_o == 0);
  }
  ck_assert(r->valid_q[0] == 0x1f && r->head_q == 0);
  step(issue(alloc(reply(&b, 0, 0x3), 0x4, 9, 9), 0, 0x4));
  ck_assert(b.out.last_o == 1 && b.out.release_o == 1 && b.out.issue_ok_o == 1);
  ck_assert(b.out.alloc_ready_o == 1 && b.out.alloc_entry_o == 0 && r->head_q == 1);
  for (uint32_t e = 1; e < 5; e++) {
    step(e == 2 ? reply(&b, 0, 0x4) : alloc(&b, 0x4, e, e)); /* no reply of their own */
    ck_assert(b.out.release_o == 1 && b.out.last_o == (e == 2));
    ck_assert(e == 2 || b.out.alloc_entry_o == (e < 2 ? e : e - 1));
    ck_assert_uint_eq(r->head_q, (e + 1) % 5);
  }
  ck_assert(r->count_q == 4 && r->valid_q[0] == 0x0f);
  step(&b); /* that of entry 0, whose reply came before its turn; 1 has lanes to issue */
  ck_assert(b.out.release_o == 1 && r->head_q == 1 && r->valid_q[0] == 0x0e);
  ck_assert(ignored(&b) && b.out.release_o == 0 && b.out.count_o == 3);
  prt_destroy(b.self);
}
END_TEST

/* Round the ring, whose size need not be a power of two: one in use, and all in use. */
START_TEST(ring_goes_round) {
  static const uint32_t counts[] = {1, 2, 3, 5, 33, 44, 64, 65, 510, 512};
  const uint32_t entries = counts[_i];
  bench_t b = make(entries, 2, 1, 1);
  for (uint32_t t = 0; t < 2 * entries + 1; t++) {
    step(issue(alloc(&b, 3, t, 0), t % entries, 1));
    ck_assert(b.out.alloc_entry_o == t % entries && b.out.issue_ok_o == 1 && b.out.count_o == 0);
    step(reply(&b, t % entries, 1)); /* lane 1 is not issued yet */
    ck_assert(b.out.reply_ok_o == 1 && b.out.last_o == 0 && b.out.release_o == 0);
    step(issue(&b, t % entries, 2));
    step(reply(&b, t % entries, 2));
    ck_assert(b.out.last_o == 1 && b.out.release_o == 1 && b.out.reply_tag_o == t);
  }
  for (uint32_t n = 0; n < entries; n++) step(issue(alloc(&b, 1, 0, 0), (n + 1) % entries, 1));
  for (uint32_t t = 1; t < 2 * entries; t++) {
    step(issue(reply(alloc(&b, 1, t, 0), t % entries, 1), t % entries, 1));
    ck_assert(b.out.release_o == 1 && b.out.alloc_entry_o == t % entries && b.out.issue_ok_o == 1);
    ck_assert(b.out.count_o == entries && prt_regs(b.self)->head_q == (t + 1) % entries);
  }
  prt_destroy(b.self);
}
END_TEST

START_TEST(reset_in_the_middle) {
  bench_t b = make(40, 32, 8, (uint32_t)_i);
  step(issue(alloc(&b, 1, 0, 0), 0, 1)), step(reply(&b, 0, 1));
  ck_assert(prt_regs(b.self)->head_q == (unsigned)_i);
  for (unsigned i = 0; i < 40; i++)
    step(issue(alloc(&b, UINT32_MAX, i, i), (i + (unsigned)_i) % 40, 0xff));
  ck_assert_uint_eq(b.out.issue_ok_o, 1);
  prt_regs_t before = *prt_regs(b.self);
  b.in.rst_ni = 0;
  step(issue(alloc(reply(&b, 3, 0xff), 1, 1, 1), 4, 0x100));
  memset(before.valid_q, 0, sizeof before.valid_q);
  before.count_q = before.head_q = 0;
  ck_assert_int_eq(memcmp(&before, prt_regs(b.self), sizeof before), 0); /* nothing else changed */
  ck_assert_uint_eq(step(reply(&b, 5, 0xff))->reply_ok_o, 0);
  ck_assert_uint_eq(step(issue(&b, 5, 0x100))->issue_ok_o, 0);
  prt_destroy(b.self);
}
END_TEST

typedef enum { IDLE, TODO, WAITING, DONE } lane_t;

/* The page once more, lane by lane. */
typedef struct {
  struct {
    bool used;
    uint64_t tag, offset[32], born; /* the how many-th instruction */
    lane_t lane[32];
    unsigned requests;
  } entry[512];
  unsigned entries, lanes, offset_w, order, next; /* next: of the ring */
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

static void naive_cycle(naive_t *n, const prt_in_t *in, prt_out_t *out) {
  memset(out, 0, sizeof *out);
  unsigned a = 0;
  for (unsigned e = 0; e < n->entries; e++) out->count_o += n->entry[e].used;
  naive_reply(n, in, out);
  if (n->order) naive_release(n, out), a = n->next;
  while (a < n->entries && n->entry[a].used) a = n->order ? n->entries : a + 1;
  if (a < n->entries && in->alloc_mask_i) {
    out->alloc_ready_o = 1;
    out->alloc_entry_o = a;
    if (in->alloc_valid_i) {
      n->entry[a].used = true;
      n->entry[a].born = n->births++;
      n->next = (a + 1) % n->entries;
      n->entry[a].tag = in->alloc_tag_i;
      n->entry[a].requests = 0;
      for (unsigned l = 0; l < 32; l++) {
        n->entry[a].lane[l] = l < n->lanes && (in->alloc_mask_i >> l & 1) ? TODO : IDLE;
        n->entry[a].offset[l] =
            l < n->lanes ? get(in->alloc_offset_i, l * n->offset_w, n->offset_w) : 0;
      }
    }
  }
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
static void random_inputs(bench_t *b, prng_t *p, unsigned alloc_rate) {
  const prt_regs_t *r = prt_regs(b->self);
  uint32_t lanes = b->cfg.LANES, reach = 1u << bits_index_w(b->cfg.ENTRIES);
  if (prng_chance(p, alloc_rate)) alloc(b, bits(prng_next(p), lanes), prng_next(p), 0);
  if (!b->in.alloc_valid_i) b->in.alloc_mask_i = bits(prng_next(p), lanes) & prng_below(p, 3);
  memset(b->in.alloc_offset_i, 0, sizeof b->in.alloc_offset_i);
  for (unsigned l = 0; l < lanes; l++)
    put(b->in.alloc_offset_i, l * b->cfg.OFFSET_W, b->cfg.OFFSET_W, prng_next(p));
  if (prng_chance(p, 700)) {
    uint64_t e = some_entry(b, p, reach);
    uint64_t wanted = e < b->cfg.ENTRIES ? r->todo_q[e] : 1;
    if (prng_chance(p, 200)) wanted = bits(prng_next(p), lanes);
    issue(b, e, prng_chance(p, 600) ? wanted : wanted & prng_next(p));
  }
  if (prng_chance(p, 700)) {
    uint64_t e = some_entry(b, p, reach);
    uint64_t awaited = e < b->cfg.ENTRIES ? r->wait_q[e] : 1;
    if (prng_chance(p, 100)) awaited = bits(prng_next(p), lanes);
    reply(b, e, prng_chance(p, 600) ? awaited : awaited & prng_next(p));
  }
  b->in.rst_ni = !prng_chance(p, 1);
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
    random_inputs(&b, &p, rate);
    prt_out_t expected;
    bool reset = !b.in.rst_ni;
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

/* From outside: instructions split into requests at random, replies in any order. */
START_TEST(every_lane_once) {
  bench_t b = make(sizes[_i][0], sizes[_i][1], sizes[_i][2], sizes[_i][3]);
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

Suite *test_prt_suite(void);
Suite *test_prt_suite(void) {
  Suite *suite = suite_create("prt");
  TCase *tc = tcase_create("all");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, one_instruction);
  tcase_add_test(tc, all_in_one_cycle);
  tcase_add_test(tc, reply_with_issue);
  tcase_add_test(tc, refused);
  tcase_add_loop_test(tc, lowest_free, 0, 9);
  tcase_add_test(tc, ring_behind_a_slow_head);
  tcase_add_loop_test(tc, ring_goes_round, 0, 10);
  tcase_add_loop_test(tc, reset_in_the_middle, 0, 2);
  tcase_add_loop_test(tc, random_against_lanes, 0, LIGHT);
  tcase_add_loop_test(tc, every_lane_once, 0, LIGHT);
  TCase *more = tcase_create("more sizes");
  tcase_set_timeout(more, 120);
  tcase_set_tags(more, "heavy"); /* many random cycles: not under valgrind */
  tcase_add_loop_test(more, random_against_lanes, LIGHT, sizeof sizes / sizeof *sizes);
  tcase_add_loop_test(more, every_lane_once, LIGHT, sizeof sizes / sizeof *sizes);
  suite_add_tcase(suite, tc);
  suite_add_tcase(suite, more);
  return suite;
}
