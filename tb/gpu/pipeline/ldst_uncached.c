/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that bypass the L1D because the program says so: loads that only the L2 caches, and
 * atomics, which the L2 performs. Neither the L1D's tables nor the MRPB see them: they leave for
 * the interconnect from the dispatch register. Earlier stores of their own warp must have left
 * before them. */
#include "gpu/pipeline/recorded.h"
#include "gpu/pipeline/sm_state.h"

bool sm_ldst_is_uncached(const warp_inst_t *i) {
  return i->bypass && i->space == WARP_GLOBAL;
}

/* True if no earlier access of the warp that it would overtake is still on its way to the
 * interconnect. */
static bool may_leave(const sm_t *sm, const coalesced_t *t) {
  if (sm->hazards & HAZARD_BYPASS) return true;
  if (sm_ldst_reorders(&sm->ldst) && sm_mrpb_path_of_warp(&sm->mrpb_path, sm->ldst.warp) > 0)
    return false;
  if (sm->ldst.inst->atomic && !(sm->hazards & HAZARD_ATOMIC))
    return !l1d_line_queued(sm->l1d, t->addr);
  return !l1d_store_queued(sm->l1d, t->addr);
}

static void send(sm_t *sm, const coalesced_t *t, check_data_t *data, uint64_t now) {
  const sm_ldst_t *l = &sm->ldst;
  const warp_inst_t *i = l->inst;
  packet_t *p = packet_alloc(sm_port_pool(&sm->port));
  if (!p) return;
  p->addr = t->addr;
  p->kind = PACKET_READ;
  p->bytes = t->bytes;
  p->atomic = i->atomic != 0;
  p->warp = l->warp;
  p->t_created = now;
  p->tag = sm_ldst_reader(l->warp, i->dst[0]);
  if (sm->check && i->atomic)
    p->data = data;
  else if (sm->check && i->dst[0])
    check_bypass_sent(sm->check, false, l->warp, i->dst[0], t->addr, t->bytes, p);
  if (i->atomic && !(sm->hazards & HAZARD_ATOMIC)) l1d_write_past(sm->l1d, t->addr);
  if (sm->requests) sm_recorded_uncached(sm, p, now);
  sm_port_send(sm, p, SM_UNCACHED);
}

void sm_ldst_uncached(sm_t *sm, uint64_t now) {
  sm_ldst_t *l = &sm->ldst;
  const sm_accesses_t *a = &l->access[l->slot];
  sm_run_moved(&sm->run); /* it is retried in every cycle */
  if (a->left == 0) return;
  const coalesced_t *t = &a->t[a->left - 1];
  const bool atomic = l->inst->atomic != 0;
  const bool room = atomic ? sm_port_atomic_room(&sm->port, t->bytes) && l1d_may_write_past(sm->l1d)
                           : sm_port_read_room(&sm->port, t->bytes);
  if (!room || !may_leave(sm, t)) {
    l->stall = SM_STALL_BYPASS;
    return;
  }
  send(sm, t, sm->check ? a->data[a->left - 1] : NULL, now);
  sm_ldst_took(l);
}

bool sm_ldst_uncached_reply(sm_t *sm, const packet_t *p, uint64_t now) {
  if (!sm_ldst_takes_bypassed(&sm->ldst)) return false;
  const unsigned warp = sm_ldst_reader_warp(p->tag), reg = sm_ldst_reader_reg(p->tag);
  sm_ldst_put_bypassed(&sm->ldst, p->tag);
  if (sm->requests) sm_recorded_uncached_reply(sm, p, now);
  if (sm->check && !p->atomic && reg) check_bypass(sm->check, warp, reg, p);
  return true;
}
