/* SPDX-License-Identifier: Apache-2.0 */
/* Writes where the warps stand, for the report of a deadlock. */
#include "gpu/inorder/inorder_state.h"
#include "workload/ptx/ptx.h"

static const char *state_of(const core_warp_t *w) {
  if (w->at_barrier) return "waits at the barrier";
  return w->awaited ? "waits for data" : "runs";
}

static void dump_warp(const core_t *c, const core_warp_t *w, FILE *out) {
  const warp_inst_t *i = w->next;
  if (!i) return;
  fprintf(out, "SM %u block %u warp %u %s, next %s at pc %u, lanes 0x%08x\n", c->id,
          (unsigned)c->block[w->block].number, w->ordinal, state_of(w),
          i->op ? ptx_op_name((ptx_op_t)i->op) : "?", (unsigned)i->pc,
          (unsigned)warp_stream_mask(c->all->workload, w->stream));
}

void core_dump(const core_t *c, FILE *out) {
  for (unsigned w = 0; w < CORE_WARPS; w++)
    if (c->live >> w & 1) dump_warp(c, &c->warp[w], out);
}
