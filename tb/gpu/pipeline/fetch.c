/* SPDX-License-Identifier: Apache-2.0 */
/* Fetch and decode: see fetch.h and docs/sm.md. A branch is resolved at issue. Instructions fetched
 * behind it are discarded when the scheduler next looks at the warp. */
#include "gpu/pipeline/sm_state.h"

void sm_fetch_decode(sm_t *sm) {
  sm_fetch_t *f = &sm->fetch;
  if (!f->valid) return;
  sm_warps_decoded(&sm->warps, f->warp);
  f->valid = false;
  sm_sched_wake(&sm->sched);
  sm_run_moved(&sm->run);
}

/* The scan starts at the warp after the last one looked up. It also reclaims the finished warps
 * that it passes before the warp that it looks up. */
static void scan(sm_t *sm, uint64_t now) {
  sm_fetch_t *f = &sm->fetch;
  uint64_t behind = f->last == 63 ? 0 : UINT64_MAX << (f->last + 1);
  const uint64_t part[2] = {behind, ~behind};
  for (unsigned i = 0; i < 2; i++) {
    uint64_t fetch = sm_warps_to_fetch(&sm->warps) & part[i];
    uint64_t before = fetch ? (fetch & -fetch) - 1 : UINT64_MAX;
    uint64_t exited = sm_warps_exited(&sm->warps) & part[i] & before;
    if (exited) sm_warps_reclaim(sm, exited);
    if (!fetch) continue;
    unsigned w = (unsigned)__builtin_ctzll(fetch);
    f->last = (uint8_t)w;
    sm_run_moved(&sm->run);
    if (!sm_fetch_look_up(sm, w, now)) return;
    f->valid = true;
    f->warp = (uint8_t)w;
    sm_warps_fetched(&sm->warps, w);
    return;
  }
}

void sm_fetch_cycle(sm_t *sm, uint64_t now) {
  if (sm_warps_to_fetch(&sm->warps) | sm_warps_exited(&sm->warps)) scan(sm, now);
}
