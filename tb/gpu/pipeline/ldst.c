/* SPDX-License-Identifier: Apache-2.0 */
/* LDST unit. The order of a cycle is that of docs/sm.md: write-back, operand collectors, one reply,
 * one packet to the interconnect, one access, dispatch register. A load hit takes no write-back
 * slot. */
#include "gpu/pipeline/recorded.h"
#include "gpu/pipeline/sm_state.h"

void sm_ldst_arrived(sm_t *sm, unsigned warp, uint16_t reg) {
  sm_load_t *load = &sm->ldst.load[reg][warp];
  if (reg == 0 || --load->left > 0) return;
  if (sm->timeline) timeline_loaded(sm->timeline, sm->id, warp, load->inst);
  sm_sched_release(&sm->sched, &sm->warps, warp, load->inst);
  if (sm->profiled) sm_profiled_loaded(sm, warp, reg, sm_run_until(&sm->run));
  if (sm->check) check_load_ends(sm->check, warp, reg);
}

static void write_registers(sm_t *sm) {
  sm_writeback_t *wb = &sm->ldst.wb;
  if (!wb->inst || !sm_pipe_write(&sm->pipe, wb->inst, wb->warp)) return;
  if (wb->inst->space == WARP_SHARED)
    sm_sched_release(&sm->sched, &sm->warps, wb->warp, wb->inst);
  else
    sm_ldst_arrived(sm, wb->warp, wb->inst->dst[0]);
  wb->inst = NULL;
  sm_run_moved(&sm->run);
}

/* Writes what the register holds; then, if the register is empty, one client fills it. */
static void writeback(sm_t *sm, uint64_t now) {
  sm_ldst_t *l = &sm->ldst;
  bool side = sm_side_busy(&sm->side);
  write_registers(sm);
  const bool path = sm_l1_path_there(&sm->l1_path);
  if (!path && !l->bypassed.inst && !side && l1d_drained(sm->l1d)) return;
  for (unsigned i = 0; i < SM_WB_CLIENTS && !l->wb.inst; i++) {
    unsigned client = (l->turn + i) % SM_WB_CLIENTS;
    uint16_t warp, reg;
    if (client == SM_WB_UNCACHED && l->bypassed.inst) {
      l->wb = l->bypassed;
      if (l->wb.inst->atomic) sm_warps_atomic_done(sm, l->wb.warp);
      l->bypassed.inst = NULL;
    } else if (client == SM_WB_L1D && path && sm_l1_path_ready(&sm->l1_path, &warp, &reg) &&
               !sm_jitter(sm, JITTER_READS, now)) {
      sm_l1_path_take(sm);
      l->wb = (sm_writeback_t){l->load[reg][warp].inst, (uint8_t)warp};
    } else if (client == SM_WB_L1D && !path && l1d_ready(sm->l1d, &warp, &reg) &&
               !sm_jitter(sm, JITTER_READS, now)) {
      if (sm->requests) sm_recorded_drain(sm, warp, reg, now);
      l1d_take(sm->l1d);
      l->wb = (sm_writeback_t){l->load[reg][warp].inst, (uint8_t)warp};
    } else if (!side || !sm_side_writeback(sm, client, &l->wb)) {
      continue;
    }
    l->turn = (client + 1) % SM_WB_CLIENTS;
    sm_run_moved(&sm->run);
    return;
  }
}

/* Checking mode: moves the bytes of a reply to its MSHR entry. */
static void check_reply(sm_t *sm, packet_t *p) {
  if (p->flags & SM_UNCACHED) return;
  bool in_mshr = !(p->flags & SM_BYPASS) || sm->cfg.bypass_tracking == CONFIG_TRACKING_MSHR;
  if (p->kind == PACKET_READ && !(p->flags & SM_SIDE) && in_mshr)
    check_l1_reply(sm->check, p->entry, p);
}

/* Takes at most one reply from the response FIFO. The reply to a bypassed read may have to wait for
 * the register first. */
static void take_reply(sm_t *sm, uint64_t now) {
  packet_t *p = sm_port_reply(&sm->port);
  if (!p || sm_jitter(sm, JITTER_LDST, now)) return;
  const bool path = sm_l1_path_there(&sm->l1_path) && !(p->flags & (SM_SIDE | SM_UNCACHED));
  if (sm->check && !path) check_reply(sm, p);
  if (path) {
    if (!sm_l1_path_reply(sm, p)) return;
  } else if (p->kind == PACKET_WRITE) {
    if (p->tag != L1D_WRITE_BACK) sm_warps_store_done(&sm->warps, p->warp);
    if (p->tag != L1D_WRITE_BACK && sm->requests) sm_recorded_stored(sm, p, now);
  } else if (p->flags & SM_SIDE) {
    sm_side_fill(&sm->side, p, now);
  } else if (!(p->flags & (SM_BYPASS | SM_UNCACHED))) {
    l1d_fill(sm->l1d, p->entry, now);
  } else if (p->flags & SM_UNCACHED && !sm_ldst_uncached_reply(sm, p, now)) {
    return;
  } else if (p->flags & SM_BYPASS && !sm_bypass_reply(sm, p, now)) {
    return;
  }
  if (sm->requests) requests_arrived(sm->requests, p);
  sm_port_done(sm, sm_port_take(&sm->port));
  sm_run_moved(&sm->run);
  sm_run_progress(&sm->run);
}

static void send_miss(sm_t *sm, uint64_t now) {
  const packet_t *p = l1d_to_send(sm->l1d);
  if (sm_later_on(&sm->later)) {
    sm_later_note(&sm->later, now);
    return;
  }
  if (!p || !sm_port_has_room(&sm->port, p)) return;
  if (sm->requests && p->tag != L1D_WRITE_BACK) sm_recorded_sent(sm, p);
  sm_port_send(sm, l1d_sent(sm->l1d), 0);
}

static SM_SELDOM l1d_answer_t try_profiled(sm_t *sm, const l1d_request_t *r, uint64_t now) {
  const l1d_stats_t before = *l1d_stats(sm->l1d);
  const l1d_answer_t a = l1d_access(sm->l1d, r, now);
  sm_profiled_tried(sm, r, &a, &before);
  return a;
}

void sm_ldst_refused_again(sm_t *sm, uint64_t n) {
  l1d_repeat_refusal(sm->l1d, sm->ldst.reason, n);
  if (sm->profiled) sm_profiled_refused(sm, sm->ldst.reason, n);
}

l1d_reason_t sm_ldst_try(sm_t *sm, const l1d_request_t *r, uint64_t now) {
  sm_ldst_t *l = &sm->ldst;
  const uint64_t merges = l1d_stats(sm->l1d)->merges;
  l1d_answer_t a = sm->profiled ? try_profiled(sm, r, now) : l1d_access(sm->l1d, r, now);
  if (sm->requests) sm_recorded_offer(sm, r, &a, merges, now);
  l->refused = a.reason != L1D_NONE;
  l->reason = a.reason;
  l->kept = a.kept;
  l->version = l1d_version(sm->l1d, a.reason);
  if (a.reason != L1D_NONE) return a.reason;
  sm_run_moved(&sm->run);
  if (!r->write && a.probe == TAGS_HIT) sm_ldst_arrived(sm, r->warp, r->reg);
  return L1D_NONE;
}

/* The access at the back of the dispatch register's list goes straight to the L1D. With
 * MRPB_REORDER 0 a read that the L1D refuses may bypass it. */
static void access_l1d(sm_t *sm, uint64_t now) {
  sm_ldst_t *l = &sm->ldst;
  sm_bypass_begin(&sm->bypass);
  if (sm_ldst_l1d_left(l) == 0) return;
  bool again = sm_ldst_still_refused(l, sm->l1d), bypass = sm_bypass_there(&sm->bypass);
  l->stall = (sm_stall_t)l->reason;
  if (again) sm_ldst_refused_again(sm, 1);
  if (again && !bypass) return;
  const sm_accesses_t *a = &l->access[l->slot];
  const coalesced_t *t = &a->t[a->left - 1];
  l1d_request_t r = {t->addr,
                     t->bytes,
                     l->warp,
                     l->inst->dst[0],
                     l->inst->cls == WARP_STORE,
                     sm_warps_block_number(&sm->warps, l->warp),
                     l->inst->local,
                     l->inst->pc};
  l1d_reason_t reason = again ? l->reason : sm_ldst_try(sm, &r, now);
  l->stall = (sm_stall_t)reason;
  if (reason != L1D_NONE && (r.write || !bypass || !sm_bypass_dispatched(sm, reason, now))) return;
  sm_ldst_took(l);
  if (!r.write) return;
  if (!l->kept) sm_warps_store_sent(&sm->warps, r.warp);
  if (sm->check) l1d_attach(sm->l1d, l->kept, a->data[a->left]);
}

/* The instruction leaves when its list is empty; this finishes a load that never had a transaction.
 * A shared load stays in the pipeline. */
static void leave(sm_t *sm) {
  sm_ldst_t *l = &sm->ldst;
  if (l->slot == COLLECTOR_NONE) return;
  const warp_inst_t *i = l->inst;
  const sm_accesses_t *a = &l->access[l->slot];
  if (a->left > 0 || (i->space != WARP_GLOBAL && !sm_side_leave(sm))) {
    sm->stats.mem_stall++;
    if (sm->profiled) sm_profiled_stays(sm, 1);
    return;
  }
  if (i->space == WARP_GLOBAL) sm_warps_memory_left(&sm->warps, l->warp);
  if (i->cls == WARP_STORE || i->space != WARP_SHARED) sm_warps_inst_done(&sm->warps, l->warp);
  if (i->cls == WARP_LOAD && a->none) sm_sched_release(&sm->sched, &sm->warps, l->warp, i);
  sm_pipe_leave(&sm->pipe, l->slot);
  l->slot = l->l1d_slot = COLLECTOR_NONE;
  l->inst = NULL;
  sm_run_moved(&sm->run);
}

/* An instruction that is not for the L1D. */
static void access_beside(sm_t *sm, uint64_t now) {
  if (sm_ldst_is_uncached(sm->ldst.inst))
    sm_ldst_uncached(sm, now);
  else
    sm_side_access(sm, now);
}

void sm_ldst_cycle(sm_t *sm, uint64_t now) {
  sm_ldst_t *l = &sm->ldst;
  const bool path = sm_l1_path_there(&sm->l1_path);
  l->stall = SM_STALL_NONE;
  if (path) sm_l1_path_begin(sm);
  writeback(sm, now);
  sm_pipe_cycle(sm);
  if (sm_side_busy(&sm->side)) sm_side_step(sm);
  take_reply(sm, now);
  if (sm_side_busy(&sm->side)) sm_side_send(sm);
  send_miss(sm, now);
  if (path)
    sm_l1_path_cycle(sm, now);
  else if (l->reorders)
    sm_mrpb_path_cycle(sm, now);
  else
    access_l1d(sm, now);
  if (l->slot != l->l1d_slot) access_beside(sm, now);
  leave(sm);
}

void sm_ldst_accept(sm_t *sm) {
  sm_ldst_t *l = &sm->ldst;
  if (l->slot != COLLECTOR_NONE) return;
  uint8_t slot = sm_pipe_peek(&sm->pipe, COLLECTOR_MEM);
  if (slot == COLLECTOR_NONE) return;
  sm_pipe_take(&sm->pipe, COLLECTOR_MEM);
  const warp_inst_t *i = l->inst = sm_pipe_inst(&sm->pipe, slot);
  l->slot = slot;
  l->l1d_slot = i->space == WARP_GLOBAL && !i->bypass ? slot : COLLECTOR_NONE;
  l->warp = sm_pipe_warp(&sm->pipe, slot);
  if (i->cls == WARP_LOAD && (i->dst[0] || i->atomic))
    l->load[i->dst[0]][l->warp] = (sm_load_t){i, l->access[slot].left};
  if (sm_l1_path_there(&sm->l1_path) && l->l1d_slot != COLLECTOR_NONE) {
    const unsigned answers = sm_l1_path_accept(sm, slot, i, l->warp);
    if (i->cls == WARP_LOAD) l->load[i->dst[0]][l->warp] = (sm_load_t){i, answers};
  }
  sm_run_moved(&sm->run);
}

/* The waiting access stays refused. The MRPB counts the access that it presents itself. */
void sm_ldst_idle(sm_t *sm, uint64_t n) {
  const sm_ldst_t *l = &sm->ldst;
  if (l->slot == COLLECTOR_NONE) return;
  sm->stats.mem_stall += n;
  if (sm->profiled) sm_profiled_stays(sm, n);
  if (l->refused && !l->reorders) sm_ldst_refused_again(sm, n);
}
