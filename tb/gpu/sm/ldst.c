/* SPDX-License-Identifier: Apache-2.0 */
/* LDST unit, one cycle in the order of docs/sm.md: write-back, operand collectors, one reply, one
 * packet to the interconnect, one access, dispatch register. A load hit takes no write-back slot.
 */
#include "gpu/sm/sm_state.h"

bool sm_ldst_arrived(sm_t *sm, unsigned warp, uint16_t reg) {
  sm_load_t *load = &sm->load[reg][warp];
  if (reg == 0 || --load->left > 0) return false;
  sm_release(sm, warp, load->inst);
  if (sm->check) check_load_ends(sm->check, warp, reg);
  return true;
}

static void writeback(sm_t *sm) {
  sm_writeback_t *wb = &sm->next_wb;
  if (wb->inst && sm_write_regs(sm, wb->inst, wb->warp)) {
    if (wb->inst->space == WARP_SHARED)
      sm_release(sm, wb->warp, wb->inst);
    else
      sm_ldst_arrived(sm, wb->warp, wb->inst->dst[0]);
    wb->inst = NULL;
    sm->moved = true;
  }
  if (!sm->next_global.inst && !sm->side.busy && l1d_drained(sm->l1d)) return;
  for (unsigned i = 0; i < SM_WB_CLIENTS && !wb->inst; i++) {
    unsigned client = (sm->wb_turn + i) % SM_WB_CLIENTS;
    uint16_t warp, reg;
    if (client == SM_WB_UNCACHED && sm->next_global.inst) {
      *wb = sm->next_global;
      sm->next_global.inst = NULL;
    } else if (client == SM_WB_L1D && l1d_ready(sm->l1d, &warp, &reg)) {
      l1d_take(sm->l1d);
      *wb = (sm_writeback_t){sm->load[reg][warp].inst, (uint8_t)warp};
    } else if (!sm->side.busy || !sm_side_writeback(sm, client, wb)) {
      continue;
    }
    sm->wb_turn = (client + 1) % SM_WB_CLIENTS;
    sm->moved = true;
    return;
  }
}

/* Checking mode: the bytes of a reply that is bound for an MSHR entry go there. */
static void sm_check_reply(sm_t *sm, packet_t *p) {
  bool in_mshr = !(p->flags & SM_BYPASS) || sm->cfg.bypass_tracking == CONFIG_TRACKING_MSHR;
  if (p->kind == PACKET_READ && !(p->flags & SM_SIDE) && in_mshr)
    check_l1_reply(sm->check, p->entry, p);
}

/* At most one reply from the response FIFO; a bypassed read's may have to wait for the register
 * before it. */
static void take_reply(sm_t *sm, uint64_t now) {
  packet_t *p = sm->response.head;
  if (!p) return;
  if (sm->check) sm_check_reply(sm, p);
  if (p->kind == PACKET_WRITE)
    sm->warp[p->warp].stores--;
  else if (p->flags & SM_SIDE)
    sm_side_fill(sm, p, now);
  else if (!(p->flags & SM_BYPASS))
    l1d_fill(sm->l1d, p->entry, now);
  else if (!sm_mrpb_reply(sm, p, now))
    return;
  packet_queue_pop(&sm->response);
  if (sm->check) check_drop(sm->check, p);
  packet_free(sm->pool, p);
  sm->moved = true;
  sm->progress++;
}

static void send_miss(sm_t *sm) {
  packet_t *p = l1d_to_send(sm->l1d);
  if (!p || !icnt_request_room(sm->icnt, sm->id, p->kind == PACKET_WRITE, p->bytes)) return;
  (void)l1d_sent(sm->l1d);
  packet_set_address(p, &sm->map, p->addr);
  p->sm = (uint16_t)sm->id;
  icnt_request_push(sm->icnt, p);
  sm->moved = true;
}

l1d_reason_t sm_ldst_try(sm_t *sm, const l1d_request_t *r, uint64_t now) {
  l1d_answer_t a = l1d_access(sm->l1d, r, now);
  sm->refused = a.reason != L1D_NONE;
  sm->reason = a.reason;
  sm->version = l1d_version(sm->l1d, a.reason);
  if (a.reason != L1D_NONE) return a.reason;
  sm->moved = true;
  if (!r->write && a.probe == TAGS_HIT) sm_ldst_arrived(sm, r->warp, r->reg);
  return L1D_NONE;
}

/* The access at the back of the dispatch register's list, straight to the L1D; with MRPB_REORDER 0
 * a read that it refuses may go past it. */
static void access_l1d(sm_t *sm, uint64_t now) {
  uint8_t slot = sm_global_dispatch(sm);
  sm->wait = SM_WAIT_NONE;
  if (slot == COLLECTOR_NONE || sm->access[slot].left == 0) return;
  bool again = sm_refused_again(sm);
  sm->stall = (sm_stall_t)sm->reason;
  if (again && !sm->has_mrpb) return;
  const coalesced_t *t = &sm->access[slot].t[sm->access[slot].left - 1];
  const warp_inst_t *i = sm->inst[slot];
  uint8_t warp = sm->inst_warp[slot];
  l1d_request_t r = {t->addr,
                     t->bytes,
                     warp,
                     i->dst[0],
                     i->cls == WARP_STORE,
                     sm->block[sm->warp[warp].block].number};
  l1d_reason_t reason = again ? sm->reason : sm_ldst_try(sm, &r, now);
  sm->stall = (sm_stall_t)reason;
  if (reason != L1D_NONE && (r.write || !sm->has_mrpb || !sm_mrpb_bypass(sm, t, reason, now)))
    return;
  sm->access[slot].left--;
  if (!r.write) return;
  sm->warp[r.warp].stores++;
  if (sm->check) l1d_attach(sm->l1d, sm->access[slot].data[sm->access[slot].left]);
}

/* The instruction leaves when its list is empty; a load that never had a transaction is done with
 * that. A shared load stays in the pipeline. */
static void leave(sm_t *sm) {
  uint8_t slot = sm->dispatch;
  if (slot == COLLECTOR_NONE) return;
  const warp_inst_t *i = sm->inst[slot];
  const sm_accesses_t *a = &sm->access[slot];
  sm_warp_t *warp = &sm->warp[sm->inst_warp[slot]];
  if (a->left > 0 || (i->space != WARP_GLOBAL && !sm_side_leave(sm))) {
    sm->stats.mem_stall++;
    return;
  }
  if (i->space == WARP_GLOBAL) sm->block[warp->block].memory_insts--;
  if (i->cls == WARP_STORE || i->space != WARP_SHARED) warp->in_pipeline--;
  if (i->cls == WARP_LOAD && a->none) sm_release(sm, sm->inst_warp[slot], i);
  sm->slots_free |= UINT64_C(1) << slot;
  sm->dispatch = COLLECTOR_NONE;
  sm->moved = true;
}

void sm_ldst_cycle(sm_t *sm, uint64_t now) {
  sm->stall = SM_STALL_NONE;
  writeback(sm);
  unsigned moved = collector_step(&sm->collector, sm->cycles, sm->inst, sm->inst_warp);
  if (moved) sm->moved = true;
  if (moved & COLLECTOR_FREED) sm->sched_stale = true;
  if (sm->side.busy) sm_side_step(sm);
  take_reply(sm, now);
  if (sm->side.busy) sm_side_send(sm);
  send_miss(sm);
  if (sm->reorders)
    sm_mrpb_access(sm, now);
  else
    access_l1d(sm, now);
  if (sm->dispatch != sm_global_dispatch(sm)) sm_side_access(sm, now);
  leave(sm);
}

void sm_ldst_accept(sm_t *sm) {
  if (sm->dispatch != COLLECTOR_NONE) return;
  uint8_t slot = collector_peek(&sm->collector, COLLECTOR_MEM);
  if (slot == COLLECTOR_NONE) return;
  collector_take(&sm->collector, COLLECTOR_MEM);
  sm->dispatch = slot;
  const warp_inst_t *i = sm->inst[slot];
  if (i->cls == WARP_LOAD && i->dst[0])
    sm->load[i->dst[0]][sm->inst_warp[slot]] = (sm_load_t){i, sm->access[slot].left};
  sm->moved = true;
}
