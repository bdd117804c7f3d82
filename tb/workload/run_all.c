/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a workload without the SM: block after block, each warp in turn up to its next barrier. */
#include "workload/workload.h"
#include "base/seconds.h"

enum {
  TURN = 1 << 16 /* max instructions, so a warp that polls memory lets other warps run */
};

typedef struct {
  const workload_t *w;
  unsigned n, running; /* warps; those that have not ended */
  warp_stream_t *warp[BARRIER_WARPS];
  barriers_t barriers;
  uint32_t ended, waiting;
} block_t;

/* Executes the next instruction of warp `i`; true at a barrier. */
static bool step(block_t *b, unsigned i) {
  const uint32_t bit = UINT32_C(1) << i;
  const warp_inst_t *inst = warp_stream_peek(b->w, b->warp[i]);
  warp_barrier_t at = {0};
  if (inst->cls == WARP_BARRIER) at = warp_stream_barrier(b->w, b->warp[i]);
  warp_stream_step(b->w, b->warp[i]);
  if (at.comes && at.waits) b->waiting |= bit;
  if (at.comes) b->waiting &= ~barriers_come(&b->barriers, &at, i, b->running);
  if (warp_stream_peek(b->w, b->warp[i])) return at.comes;
  b->ended |= bit;
  b->waiting &= ~barriers_end(&b->barriers, --b->running);
  return false;
}

/* Runs each warp that can run up to a barrier, its end, or the end of its turn. Returns -1 if all
 * warps that have not ended are waiting. */
static int take_turns(block_t *b, const char *kernel, mrpb_err_t *err) {
  const uint32_t all = UINT32_MAX >> (BARRIER_WARPS - b->n);
  if ((all & ~b->ended & ~b->waiting) == 0)
    return mrpb_fail(err,
                     "%s: warps 0x%x of a block wait at a barrier where no other warp can arrive",
                     kernel, b->waiting);
  for (unsigned i = 0; i < b->n; i++)
    for (unsigned n = 0; n < TURN && !((b->ended | b->waiting) >> i & 1); n++)
      if (step(b, i)) break;
  return 0;
}

/* Takes turns until all warps have ended, or until there is no sense in it. */
static int run_warps(block_t *b, workload_t *w, const char *kernel, uint32_t block, double limit,
                     mrpb_err_t *err) {
  const double from = seconds_now();
  while (b->running > 0 && !workload_fault(w)) {
    if (take_turns(b, kernel, err) != 0) return WORKLOAD_FAILED;
    if (limit <= 0 || seconds_now() - from <= limit || b->running == 0) continue;
    mrpb_fail(err, "%.80s: block %u did not end within %g s; given up", kernel, (unsigned)block,
              limit);
    return WORKLOAD_HANGS;
  }
  return 0;
}

int workload_run_block(workload_t *w, const launch_t *l, uint32_t block, double limit,
                       mrpb_err_t *err) {
  block_t b = {.w = w, .n = (l->threads + WARP_LANES - 1) / WARP_LANES};
  unsigned left = 0;
  if (b.n > BARRIER_WARPS) {
    mrpb_fail(err, "%s: more than %d warps a block", l->kernel, BARRIER_WARPS);
    return WORKLOAD_FAILED;
  }
  while (left < b.n && (b.warp[left] = warp_stream_open(w, block, left))) left++;
  int rc = left < b.n ? WORKLOAD_FAILED : 0;
  b.running = b.n;
  if (rc != 0)
    mrpb_fail(err, "%s: out of memory", l->kernel);
  else
    rc = run_warps(&b, w, l->kernel, block, limit, err);
  for (unsigned i = 0; i < left; i++) warp_stream_close(w, b.warp[i]);
  if (!workload_fault(w)) return rc;
  mrpb_fail(err, "%s", workload_fault(w)->text);
  return workload_hangs(w) ? WORKLOAD_HANGS : WORKLOAD_FAILED;
}

int workload_run_within(workload_t *w, double limit, mrpb_err_t *err) {
  const launch_t *l;
  while ((l = workload_next(w)))
    for (uint32_t b = 0; b < l->blocks; b++) {
      const int rc = workload_run_block(w, l, b, limit, err);
      if (rc != 0) return rc;
    }
  if (workload_fault(w)) {
    mrpb_fail(err, "%s", workload_fault(w)->text);
    return WORKLOAD_FAILED;
  }
  return workload_check(w, err);
}
