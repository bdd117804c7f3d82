/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"
#include "workload/trace/trace.h"

enum { MOST_WARPS = 256, MOST_STEPS = 4096 };

static void walk_warp(workload_t *w, uint32_t block, uint32_t warp) {
  uint64_t addr[WARP_LANES];
  warp_stream_t *s = warp_stream_open(w, block, warp);
  if (!s) return;
  for (unsigned n = 0; n < MOST_STEPS; n++) {
    const warp_inst_t *inst = warp_stream_peek(w, s);
    if (!inst) break;
    if (inst->cls == WARP_LOAD || inst->cls == WARP_STORE) w->ops->addresses(s, addr);
    (void)w->ops->mask(s);
    w->ops->step(s);
  }
  w->ops->close(s);
}

int fuzz_walk(const char *path, mrpb_err_t *err) {
  workload_t *w;
  unsigned warps = 0;
  if (trace_open(&w, path, NULL, err) != 0) return -1;
  for (const launch_t *l; warps < MOST_WARPS && (l = workload_next(w));)
    for (uint32_t b = 0; b < l->blocks && warps < MOST_WARPS; b++)
      for (uint32_t i = 0; i < (l->threads + WARP_LANES - 1) / WARP_LANES; i++, warps++)
        walk_warp(w, b, i);
  workload_close(w);
  return 0;
}

int fuzz_trace(const char *path, mrpb_err_t *err) {
  return fuzz_walk(path, err);
}
