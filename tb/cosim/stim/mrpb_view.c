/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/stim/mrpb_view.h"

static unsigned ones(uint8_t set) {
  return (unsigned)__builtin_popcount(set);
}

mrpb_view_t mrpb_view(const mrpb_cfg_t *cfg, const mrpb_regs_t *r, const mrpb_in_t *i,
                      const mrpb_out_t *o) {
  mrpb_view_t v = {.answered = o->out_valid_o,
                   .write = o->out_write_o,
                   .warp = o->out_warp_o,
                   .block = o->out_block_o,
                   .occupied = r->out_valid_q};
  const bool takes = i->l1_answer_i == MRPB_L1_ACCEPTED,
             bypasses = o->byp_valid_o && i->byp_ready_i;
  if (cfg->ANSWER == 0) {
    v.leaves = o->out_valid_o && (takes || bypasses);
    v.slot = !v.occupied || v.leaves;
    return v;
  }
  const uint64_t ids = r->sent_q[0] >> cfg->DATA_W;
  v.answered = r->due_q & 1;
  v.write = ids >> 12 & 1;
  v.warp = ids >> 6 & 63;
  v.block = ids & 63;
  v.leaves = (v.answered && takes) || bypasses;
  v.refused = v.answered && !takes;
  v.sent = ones(r->sent_valid_q);
  v.slot = !v.occupied || (v.sent == ones(r->due_q) && !v.refused);
  if (v.refused) v.withdrawn = ones(r->due_q) - 1 + (unsigned)o->out_valid_o;
  return v;
}
