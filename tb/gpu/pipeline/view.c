/* SPDX-License-Identifier: Apache-2.0 */
/* An SM as seen from outside: statistics, current values, its units. */
#include "gpu/pipeline/sm_state.h"

#include <string.h>

const sm_stats_t *sm_stats(sm_t *sm) {
  sm_levels_finish(sm);
  sm->stats.cycles = sm_run_cycles(&sm->run);
  sm->stats.issue_idle = sm_sched_cycles(&sm->sched, SM_SCHED_IDLE);
  sm->stats.issue_scoreboard = sm_sched_cycles(&sm->sched, SM_SCHED_SCOREBOARD);
  sm->stats.issue_pipeline = sm_sched_cycles(&sm->sched, SM_SCHED_PIPELINE);
  return &sm->stats;
}
const l1d_stats_t *sm_l1d_stats(const sm_t *sm) {
  if (sm_l1_path_there(&sm->l1_path)) return sm_l1_path_stats(&sm->l1_path);
  return l1d_stats(sm->l1d);
}

unsigned sm_outstanding(const sm_t *sm) {
  return sm_l1_path_held(&sm->l1_path) + l1d_mshrs(sm->l1d) + l1d_miss_queue(sm->l1d) +
         sm_mrpb_path_held(&sm->mrpb_path) + sm_bypass_used(&sm->bypass) +
         sm_port_replies(&sm->port) + sm_side_outstanding(&sm->side) +
         sm_fetch_outstanding(&sm->fetch);
}

sm_probe_t sm_probe(const sm_t *sm) {
  sm_probe_t p = {.stall = sm_ldst_stall(&sm->ldst),
                  .mshrs = l1d_mshrs(sm->l1d),
                  .miss_queue = l1d_miss_queue(sm->l1d),
                  .mrpb_held = sm_mrpb_path_held(&sm->mrpb_path),
                  .prt_used = sm_bypass_used(&sm->bypass),
                  .response_fifo = sm_port_response_fifo(&sm->port),
                  .cluster_fifo = sm_port_replies(&sm->port) - sm_port_response_fifo(&sm->port),
                  .blocks = sm_warps_blocks(&sm->warps),
                  .warp_insts = sm->stats.warp_insts};
  if (sm_l1_path_there(&sm->l1_path)) {
    p.mshrs = sm_l1_path_level(&sm->l1_path, SM_LEVEL_MSHR);
    p.miss_queue = sm_l1_path_level(&sm->l1_path, SM_LEVEL_MISS_QUEUE);
    p.mrpb_held = sm_l1_path_level(&sm->l1_path, SM_LEVEL_MRPB);
    p.prt_used = sm_l1_path_level(&sm->l1_path, SM_LEVEL_PRT);
  }
  for (unsigned w = 0; w < SM_MAX_WARPS; w++) p.warps += sm_warps_at(&sm->warps, w)->stream != NULL;
  return p;
}

const char *sm_stall_name(sm_stall_t stall) {
  static const char *const names[] = {"none",  "assoc", "missq",  "mshr",
                                      "merge", "mrpb",  "bypass", "side"};
  return names[stall];
}

bool sm_unit_view(sm_t *sm, const char *stem, sm_unit_view_t *view) {
  _Static_assert(sizeof(mrpb_out_t) <= sizeof view->out && sizeof(prt_out_t) <= sizeof view->out &&
                     sizeof(mshr_out_t) <= sizeof view->out,
                 "view");
  if (strcmp(stem, "mshr") == 0) {
    view->unit = l1d_mshr(sm->l1d);
    view->in = (const uint64_t *)l1d_mshr_in(sm->l1d);
  } else if (strcmp(stem, "mrpb") == 0) {
    view->unit = sm_mrpb_path_unit(&sm->mrpb_path, &view->in);
  } else {
    view->unit = sm_bypass_unit(&sm->bypass, &view->in);
  }
  if (!view->unit->comb) return false;
  unit_comb(view->unit, view->in, view->out);
  return true;
}
