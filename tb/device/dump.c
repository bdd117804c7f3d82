/* SPDX-License-Identifier: Apache-2.0 */
/* Writes where the warps stand, for the report of a deadlock. */
#include "device/device_state.h"
#include "workload/ptx/ptx.h"

static const char *state_of(const core_warp_t *w) {
  if (w->at_barrier) return "waits at the barrier";
  return w->awaited ? "waits for data" : "runs";
}

static void dump_warp(const device_t *d, const core_t *c, const core_warp_t *w, FILE *out) {
  const warp_inst_t *i = w->next;
  if (!i) return;
  fprintf(out, "SM %u block %u warp %u %s, next %s at pc %u, lanes 0x%08x\n", c->id,
          (unsigned)c->block[w->block].number, w->ordinal, state_of(w),
          i->op ? ptx_op_name((ptx_op_t)i->op) : "?", (unsigned)i->pc,
          (unsigned)warp_stream_mask(d->setup.workload, w->stream));
}

void device_dump(const device_t *d, FILE *out) {
  for (unsigned s = 0; s < d->cfg.sms; s++)
    for (unsigned w = 0; d->core[s] && w < CORE_WARPS; w++)
      if (d->core[s]->live >> w & 1) dump_warp(d, d->core[s], &d->core[s]->warp[w], out);
}
