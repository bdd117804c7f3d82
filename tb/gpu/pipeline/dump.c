/* SPDX-License-Identifier: Apache-2.0 */
/* Describes in words what an SM is doing, for the report of a hang. */
#include "gpu/pipeline/sm_state.h"

#include <inttypes.h>

static void dump_warp(const sm_t *sm, unsigned w, FILE *out) {
  const sm_warp_t *warp = sm_warps_at(&sm->warps, w);
  fprintf(out, "  warp %2u block %u: ", w, warp->block);
  if (warp->next)
    fprintf(out, "at pc %" PRIu32, warp->next->pc);
  else
    fprintf(out, "exited");
  fprintf(out,
          ", %u registers awaited, %" PRIu32 " stores not acknowledged, %" PRIu32
          " in the pipeline%s%s\n",
          warp->awaited, warp->stores, warp->in_pipeline,
          sm_warps_at_barrier(&sm->warps) >> w & 1 ? ", at a barrier" : "",
          sm_warps_missing(&sm->warps) >> w & 1 ? ", waits for its instructions" : "");
}

void sm_dump(sm_t *sm, FILE *out) {
  sm_probe_t p = sm_probe(sm);
  fprintf(out,
          "sm%u: %u blocks, memory stage: %s, MSHRs %u of %" PRIu32
          ", miss queue %u, reserved lines %" PRIu32 ", MRPB %u, PRT %u, reply FIFOs %u + %u%s\n",
          sm->id, p.blocks, sm_stall_name(p.stall), p.mshrs, sm->cfg.mshr_entries, p.miss_queue,
          tag_array_reserved(l1d_tags(sm->l1d)), p.mrpb_held, p.prt_used, p.cluster_fifo,
          p.response_fifo, sm_asleep(sm) ? ", asleep" : "");
  const sm_ldst_t *l = &sm->ldst;
  if (sm_ldst_busy(l)) {
    const sm_accesses_t *a = sm_ldst_access(l);
    fprintf(out, "  LDST unit: warp %u, %u accesses left", sm_ldst_warp(l), a->left);
    if (a->left && sm_ldst_inst(l)->space != WARP_SHARED)
      fprintf(out, ", next 0x%" PRIx64, a->t[a->left - 1].addr);
    fprintf(out, "\n");
  }
  for (unsigned w = 0; w < sm->cfg.warps_per_sm; w++)
    if (sm_warps_at(&sm->warps, w)->stream) dump_warp(sm, w, out);
}
