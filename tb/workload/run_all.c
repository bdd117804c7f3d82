/* SPDX-License-Identifier: Apache-2.0 */
/* A workload without the SM: block after block, each warp up to its next barrier in turn. */
#include "workload/workload.h"

enum { MAX_WARPS = 64 };

/* Runs warp `s` up to a barrier or its end; false at the end. */
static bool run_warp(const workload_t *w, warp_stream_t *s) {
  for (;;) {
    const warp_inst_t *i = warp_stream_peek(w, s);
    if (!i) return false;
    bool barrier = i->cls == WARP_BARRIER;
    warp_stream_step(w, s);
    if (barrier) return warp_stream_peek(w, s) != NULL;
  }
}

int workload_run_block(workload_t *w, const launch_t *l, uint32_t block, mrpb_err_t *err) {
  warp_stream_t *s[MAX_WARPS] = {NULL};
  unsigned n = (l->threads + WARP_LANES - 1) / WARP_LANES, left = 0;
  if (n > MAX_WARPS) {
    mrpb_fail(err, "%s: more than %d warps a block", l->kernel, MAX_WARPS);
    return WORKLOAD_FAILED;
  }
  while (left < n && (s[left] = warp_stream_open(w, block, left))) left++;
  if (left < n) mrpb_fail(err, "%s: out of memory", l->kernel);
  bool again = left == n;
  while (again && !workload_fault(w)) {
    again = false;
    for (unsigned i = 0; i < n; i++) again |= run_warp(w, s[i]);
  }
  for (unsigned i = 0; i < left; i++) warp_stream_close(w, s[i]);
  if (workload_fault(w)) mrpb_fail(err, "%s", workload_fault(w)->text);
  return left < n || workload_fault(w) ? WORKLOAD_FAILED : 0;
}

int workload_run_all(workload_t *w, mrpb_err_t *err) {
  const launch_t *l;
  while ((l = workload_next(w)))
    for (uint32_t b = 0; b < l->blocks; b++)
      if (workload_run_block(w, l, b, err) != 0) return WORKLOAD_FAILED;
  if (workload_fault(w)) {
    mrpb_fail(err, "%s", workload_fault(w)->text);
    return WORKLOAD_FAILED;
  }
  return workload_check(w, err);
}
