/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a workload functionally for tests of programs: block by block, each warp to its next
 * barrier, or a single warp to its end. Counts what the warps execute and records their first
 * accesses. */
#ifndef BLOCK_RIG_H
#define BLOCK_RIG_H

#include "workload/program_help.h"

enum { MAX_WARPS = 16, RECORD_OPS = 64 };

/* Loads, stores and texture fetches of global memory with at least one active lane. */
typedef struct {
  uint64_t insts, loads, load_lines, stores, store_lines, fetches, fetch_lines, barriers;
  uint64_t store_lanes, exits;
} counts_t;

/* The first accesses of one warp. */
typedef struct {
  unsigned warp, n;
  struct {
    bool store;
    unsigned lines;
    uint32_t mask;
    uint64_t addr[WARP_LANES];
  } op[RECORD_OPS];
} record_t;

/* Called for every instruction before it takes effect. */
typedef void (*visit_t)(void *to, const workload_t *w, const warp_stream_t *s, unsigned warp);

typedef struct {
  workload_t *w;
  const launch_t *launch; /* the current launch */
  unsigned launches;
  counts_t launch_counts, total;
  counts_t warp[MAX_WARPS]; /* of the last block that ran */
  visit_t visit;
  void *visit_to;
  record_t *record; /* NULL: no records */
} rig_t;

static inline rig_t rig_open(const char *program, uint32_t size, uint32_t steps) {
  return (rig_t){.w = open_program(program, (program_options_t){.size = size, .steps = steps})};
}

static inline bool rig_next(rig_t *r) {
  r->launch = workload_next(r->w);
  r->launch_counts = (counts_t){0};
  r->launches += r->launch != NULL;
  return r->launch != NULL;
}

/* Moves on to launch `n`, counted from 1, without running the launches before it. */
static inline void rig_launch(rig_t *r, unsigned n) {
  while (r->launches < n) ck_assert(rig_next(r));
}

static inline void add(counts_t *to, const counts_t *c) {
  to->insts += c->insts;
  to->loads += c->loads;
  to->load_lines += c->load_lines;
  to->stores += c->stores;
  to->store_lines += c->store_lines;
  to->fetches += c->fetches;
  to->fetch_lines += c->fetch_lines;
  to->barriers += c->barriers;
  to->store_lanes += c->store_lanes;
  to->exits += c->exits;
}

/* The transactions of a warp instruction: distinct segments of 128 bytes, or of 32 bytes for single
 * bytes. */
static inline unsigned lines(const warp_inst_t *i, uint32_t mask, const uint64_t addr[WARP_LANES]) {
  uint64_t seen[WARP_LANES], segment = i->elem == 1 ? 32 : i->elem == 2 ? 64 : 128;
  unsigned n = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    if (!(mask >> lane & 1)) continue;
    unsigned k = 0;
    while (k < n && seen[k] != addr[lane] / segment) k++;
    seen[k] = addr[lane] / segment;
    n += k == n;
  }
  return n;
}

static inline unsigned lanes(uint32_t mask) {
  return (unsigned)__builtin_popcount(mask);
}

static inline void count_access(rig_t *r, const warp_stream_t *s, const warp_inst_t *i,
                                unsigned warp) {
  counts_t *c = &r->warp[warp];
  uint32_t mask = warp_stream_mask(r->w, s);
  bool store = i->cls == WARP_STORE, fetch = i->space == WARP_TEX;
  uint64_t addr[WARP_LANES] = {0};
  if ((i->space != WARP_GLOBAL && !fetch) || !mask) return;
  warp_stream_addresses(r->w, s, addr);
  unsigned n = lines(i, mask, addr);
  *(fetch ? &c->fetches : store ? &c->stores : &c->loads) += 1;
  *(fetch ? &c->fetch_lines : store ? &c->store_lines : &c->load_lines) += n;
  if (store) c->store_lanes += lanes(mask);
  record_t *k = r->record;
  if (!k || k->warp != warp || k->n == RECORD_OPS) return;
  k->op[k->n].store = store;
  k->op[k->n].lines = n;
  k->op[k->n].mask = mask;
  memcpy(k->op[k->n++].addr, addr, sizeof addr);
}

/* Runs a warp to its next barrier or its end. Returns true at a barrier. */
static inline bool run_warp(rig_t *r, warp_stream_t *s, unsigned warp) {
  for (const warp_inst_t *i; (i = warp_stream_peek(r->w, s));) {
    bool barrier = i->cls == WARP_BARRIER;
    if (r->visit) r->visit(r->visit_to, r->w, s, warp);
    if (i->cls == WARP_LOAD || i->cls == WARP_STORE) count_access(r, s, i, warp);
    r->warp[warp].insts++;
    r->warp[warp].barriers += barrier;
    r->warp[warp].exits += i->cls == WARP_EXIT;
    warp_stream_step(r->w, s);
    if (barrier) return true;
  }
  return false;
}

/* Runs a block. Returns its counts. */
static inline counts_t run_block(rig_t *r, uint32_t block) {
  warp_stream_t *s[MAX_WARPS];
  unsigned warps = (r->launch->threads + WARP_LANES - 1) / WARP_LANES;
  counts_t sum = {0};
  ck_assert_uint_le(warps, MAX_WARPS);
  memset(r->warp, 0, sizeof r->warp);
  for (unsigned i = 0; i < warps; i++)
    ck_assert_ptr_nonnull(s[i] = warp_stream_open(r->w, block, i));
  for (bool waiting = true; waiting;) {
    waiting = false;
    for (unsigned i = 0; i < warps; i++) waiting |= run_warp(r, s[i], i);
  }
  for (unsigned i = 0; i < warps; i++) {
    add(&sum, &r->warp[i]);
    warp_stream_close(r->w, s[i]);
  }
  add(&r->launch_counts, &sum);
  return sum;
}

/* What a warp did. Exits do not count as instructions. */
typedef struct {
  counts_t sum;
  record_t seen;
} walk_t;

/* Runs one warp of the current launch to its end, through all barriers. */
static inline walk_t walk(workload_t *w, uint32_t block, uint32_t warp) {
  walk_t k = {.seen.warp = warp};
  rig_t r = {.w = w, .record = &k.seen};
  warp_stream_t *s = warp_stream_open(w, block, warp);
  ck_assert_uint_lt(warp, MAX_WARPS);
  ck_assert_ptr_nonnull(s);
  while (run_warp(&r, s, warp)) continue;
  warp_stream_close(w, s);
  k.sum = r.warp[warp];
  k.sum.insts -= k.sum.exits;
  return k;
}

static inline void run_blocks(rig_t *r) {
  for (uint32_t b = 0; b < r->launch->blocks; b++) (void)run_block(r, b);
  add(&r->total, &r->launch_counts);
}

static inline void run_all(rig_t *r) {
  while (rig_next(r)) run_blocks(r);
}

static inline void expect_check(rig_t *r) {
  mrpb_err_t err = {{0}};
  ck_assert_ptr_null(workload_fault(r->w));
  ck_assert_msg(workload_check(r->w, &err) == 0, "%s", err.text);
  ck_assert_int_eq(workload_check(r->w, &err), 0); /* the check may be repeated */
}

static inline void expect_near(uint64_t have, double want, double percent) {
  double off = (double)have / want - 1;
  ck_assert_msg(off * 100 <= percent && off * 100 >= -percent, "%lu, expected %g +- %g %%",
                (unsigned long)have, want, percent);
}

#endif
