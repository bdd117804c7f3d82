/* Runs a workload functionally, block by block and each warp to its next barrier, and counts what
 * the warps execute. For tests of programs. */
#ifndef BLOCK_RIG_H
#define BLOCK_RIG_H

#include "programs/program.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WARPS = 16 };

typedef struct {
  uint64_t insts, loads, load_lines, stores, store_lines, store_lanes, barriers;
} counts_t;

/* Sees every instruction before it takes effect. */
typedef void (*visit_t)(void *to, const workload_t *w, const warp_stream_t *s, unsigned warp);

typedef struct {
  workload_t *w;
  const launch_t *launch; /* current one */
  unsigned launches;
  counts_t launch_counts, total;
  counts_t warp[MAX_WARPS]; /* of the block that ran last */
  visit_t visit;
  void *visit_to;
} rig_t;

static inline rig_t rig_open(const char *program, uint32_t size, uint32_t steps) {
  mrpb_err_t err = {{0}};
  rig_t r = {0};
  int rc = program_open(&r.w, program, &(program_options_t){.size = size, .steps = steps}, &err);
  ck_assert_msg(rc == 0, "%s", err.text);
  return r;
}

static inline bool rig_next(rig_t *r) {
  r->launch = workload_next(r->w);
  r->launch_counts = (counts_t){0};
  r->launches += r->launch != NULL;
  return r->launch != NULL;
}

static inline void add(counts_t *to, const counts_t *c) {
  to->insts += c->insts;
  to->loads += c->loads;
  to->load_lines += c->load_lines;
  to->stores += c->stores;
  to->store_lines += c->store_lines;
  to->store_lanes += c->store_lanes;
  to->barriers += c->barriers;
}

/* Transactions of a warp instruction: distinct segments of 128 bytes, 32 for single bytes. */
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

static inline void count(counts_t *c, const workload_t *w, const warp_stream_t *s) {
  const warp_inst_t *i = warp_stream_peek(w, s);
  uint32_t mask = warp_stream_mask(w, s);
  uint64_t addr[WARP_LANES];
  c->insts++;
  c->barriers += i->cls == WARP_BARRIER;
  if ((i->cls != WARP_LOAD && i->cls != WARP_STORE) || i->space != WARP_GLOBAL || !mask) return;
  warp_stream_addresses(w, s, addr);
  if (i->cls == WARP_LOAD) {
    c->loads++;
    c->load_lines += lines(i, mask, addr);
  } else {
    c->stores++;
    c->store_lines += lines(i, mask, addr);
    c->store_lanes += lanes(mask);
  }
}

/* To the warp's next barrier or its end; true at a barrier. */
static inline bool run_warp(rig_t *r, warp_stream_t *s, unsigned warp) {
  for (const warp_inst_t *i; (i = warp_stream_peek(r->w, s));) {
    bool barrier = i->cls == WARP_BARRIER;
    if (r->visit) r->visit(r->visit_to, r->w, s, warp);
    count(&r->warp[warp], r->w, s);
    warp_stream_step(r->w, s);
    if (barrier) return true;
  }
  return false;
}

/* Runs a block; what it counted. */
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
  ck_assert_int_eq(workload_check(r->w, &err), 0); /* may be asked again */
}

static inline void expect_near(uint64_t have, double want, double percent) {
  double off = (double)have / want - 1;
  ck_assert_msg(off * 100 <= percent && off * 100 >= -percent, "%lu, expected %g +- %g %%",
                (unsigned long)have, want, percent);
}

#endif
