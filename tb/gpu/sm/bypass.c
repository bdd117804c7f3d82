/* SPDX-License-Identifier: Apache-2.0 */
/* The path through the MRPB (paper 001, sections 3 and 6): the coalescer offers one request a
 * cycle; the MRPB presents one to the L1D, which answers in the same cycle: accepted, no way in the
 * set, or another resource short. A read that bypasses leaves for the interconnect in that cycle if
 * there is room, its tracking has an entry, and no store to its line waits in the miss queue (which
 * it would overtake). The MRPB's payload is {request number, line address bits as far as they fit};
 * what the number stands for is kept beside it. With MRPB_REORDER 0 there are no queues
 * (section 5.4): the dispatch register's access goes to the L1D, and may bypass it by the same
 * rules. */
#include "config/verilog_params.h"
#include "parts/offsets.h"
#include "gpu/sm/sm_state.h"
#include "parts/unbounded.h"

#include <stdlib.h>
#include <string.h>

enum { PAYLOAD_W = SM_PAYLOAD_W, NUMBER_W = 13 };
enum { ANSWER_NOT_ASKED = 3, KIND_BARRIER = 2 };
enum { UNBOUNDED_NUMBER_W = 16, UNBOUNDED_ROOM = UINT16_MAX };

static int create_queues(sm_t *sm, const unit_choice_t *choice, mrpb_err_t *err) {
  const config_t *c = &sm->cfg;
  mrpb_cfg_t m = config_mrpb_params(c);
  bool unbounded = c->mrpb_depth == 0;
  sm->held_room = unbounded ? UNBOUNDED_ROOM : c->mrpb_queues * c->mrpb_depth + 2;
  sm->number_w = unbounded ? UNBOUNDED_NUMBER_W : NUMBER_W;
  sm->pool_held = module_alloc(sm->held_room * sizeof *sm->pool_held);
  if (!sm->pool_held) return mrpb_fail(err, "sm%u: out of memory", sm->id);
  sm->mrpb_in = (mrpb_in_t){.rst_ni = 1, .l1_answer_i = ANSWER_NOT_ASKED};
  if (!unbounded)
    return unit_open(&sm->mrpb, &mrpb_class, (const uint32_t *)&m, choice, sm->id, err);
  if (choice && choice->mrpb != UNIT_C)
    return mrpb_fail(err, "--impl mrpb: MRPB_DEPTH = 0 is no Verilog; legal: mrpb=c, or a depth");
  return unbounded_open(&sm->mrpb, &m, err);
}

int sm_mrpb_create(sm_t *sm, const unit_choice_t *choice, mrpb_err_t *err) {
  const config_t *c = &sm->cfg;
  prt_cfg_t p = config_prt_params(c);
  if (!c->mrpb) return 0;
  sm->prt_in.rst_ni = 1;
  sm->held_gone = -1;
  if (c->mrpb_reorder && create_queues(sm, choice, err) != 0) return -1;
  if (c->bypass_tracking == CONFIG_TRACKING_PRT &&
      unit_open(&sm->prt, &prt_class, (const uint32_t *)&p, choice, sm->id, err) != 0)
    return -1;
  if (sm->mrpb.every_cycle) sm->always_clocked |= SM_CLOCK_MRPB;
  if (sm->prt.every_cycle) sm->always_clocked |= SM_CLOCK_PRT;
  sm->clocked = sm->always_clocked;
  return 0;
}

void sm_mrpb_destroy(sm_t *sm) {
  unit_close(&sm->mrpb);
  unit_close(&sm->prt);
  free(sm->pool_held);
}

static void comb_mrpb(sm_t *sm, mrpb_out_t *out) {
  if (sm->mrpb.plain)
    mrpb_comb(sm->mrpb.plain, &sm->mrpb_in, out);
  else
    unit_comb(&sm->mrpb, (const uint64_t *)&sm->mrpb_in, (uint64_t *)out);
}

/* reply_offset_o is not looked at. */
static void comb_prt(sm_t *sm, prt_out_t *out) {
  sm->clocked |= SM_ASKED_PRT;
  if (sm->prt.plain)
    prt_control(sm->prt.plain, &sm->prt_in, out);
  else
    unit_comb(&sm->prt, (const uint64_t *)&sm->prt_in, (uint64_t *)out);
}

/* ---- replies --------------------------------------------------------------- */

bool sm_mrpb_reply(sm_t *sm, packet_t *p, uint64_t now) {
  uint64_t tag = p->tag;
  if (sm->cfg.bypass_tracking == CONFIG_TRACKING_MSHR) {
    l1d_fill(sm->l1d, p->entry, now);
    return true;
  }
  if (sm->next_global.inst) return false;
  if (sm->cfg.bypass_tracking == CONFIG_TRACKING_PRT) {
    prt_out_t out;
    sm->prt_in.reply_valid_i = 1;
    sm->prt_in.reply_entry_i = p->entry;
    sm->prt_in.reply_mask_i = p->tag;
    comb_prt(sm, &out);
    tag = out.reply_tag_o;
    sm->clocked |= SM_CLOCK_PRT;
    sm->prt_used -= out.release_o != 0;
  }
  sm->next_global = (sm_writeback_t){sm_reader(sm, tag)->inst, (uint8_t)(tag >> SM_REG_W)};
  if (sm->check) check_bypass(sm->check, (unsigned)(tag >> SM_REG_W), tag & (WARP_REGS - 1), p);
  return true;
}

/* ---- bypass ---------------------------------------------------------------- */

/* Offers the PRT an entry for the lanes of `h`; true if it has one. alloc_valid_i stays 0 until it
 * is used. */
static bool prt_has_room(sm_t *sm, const sm_held_t *h, unsigned warp, uint32_t *entry) {
  prt_in_t *in = &sm->prt_in;
  prt_out_t out;
  in->alloc_mask_i = h->t.lanes;
  in->alloc_tag_i = sm_pack_reader(warp, h->reg);
  comb_prt(sm, &out);
  if (!out.alloc_ready_o) return false;
  offsets_pack(in->alloc_offset_i, h->offset, h->t.lanes);
  *entry = (uint32_t)out.alloc_entry_o;
  return true;
}

/* An entry for the read in what keeps track of bypassed reads; false if there is none. */
static bool find_entry(sm_t *sm, const sm_held_t *h, unsigned warp, uint32_t *entry) {
  l1d_request_t r = {h->t.addr, h->t.bytes, (uint16_t)warp, h->reg, false, h->block};
  if (sm->cfg.bypass_tracking == CONFIG_TRACKING_PRT) return prt_has_room(sm, h, warp, entry);
  return sm->cfg.bypass_tracking != CONFIG_TRACKING_MSHR || l1d_track_bypass(sm->l1d, &r, entry);
}

/* Can the presented read leave past the L1D in this cycle? */
static bool bypass_ready(sm_t *sm, const sm_held_t *h, unsigned warp, uint32_t *entry) {
  if (!icnt_request_room(sm->icnt, sm->id, false, h->t.bytes))
    sm->wait = SM_WAIT_ICNT;
  else if (!(sm->hazards & HAZARD_BYPASS) && l1d_store_queued(sm->l1d, h->t.addr))
    sm->wait = SM_WAIT_STORE;
  else if (!find_entry(sm, h, warp, entry))
    sm->wait = SM_WAIT_TABLE;
  else
    return true;
  return false;
}

void sm_mrpb_count_wait(sm_t *sm, uint64_t cycles) {
  if (sm->wait == SM_WAIT_NONE) return;
  sm->stats.bypass_wait_icnt += sm->wait == SM_WAIT_ICNT ? cycles : 0;
  sm->stats.bypass_wait_table += sm->wait == SM_WAIT_TABLE ? cycles : 0;
  sm->stats.bypass_wait_store += sm->wait == SM_WAIT_STORE ? cycles : 0;
}

static void send_bypass(sm_t *sm, const sm_held_t *h, unsigned warp, uint32_t entry, uint64_t now) {
  bool line = sm->cfg.bypass_reply == CONFIG_REPLY_LINE;
  packet_t *p = packet_alloc(sm->pool);
  if (!p) return;
  packet_set_address(p, &sm->map, line ? h->t.addr & ~(uint64_t)(COALESCER_LINE - 1) : h->t.addr);
  p->kind = PACKET_READ;
  p->bytes = line ? COALESCER_LINE : h->t.bytes;
  p->sm = (uint16_t)sm->id;
  p->warp = (uint16_t)warp;
  p->flags = SM_BYPASS;
  p->entry = entry;
  p->t_created = now;
  p->tag = sm_pack_reader(warp, h->reg);
  if (sm->cfg.bypass_tracking == CONFIG_TRACKING_PRT) {
    p->tag = h->t.lanes;
    sm->prt_in.alloc_valid_i = 1;
    sm->prt_in.issue_valid_i = 1;
    sm->prt_in.issue_entry_i = entry;
    sm->prt_in.issue_mask_i = h->t.lanes;
    sm->clocked |= SM_CLOCK_PRT;
    sm->prt_used++;
  }
  if (sm->check) check_bypass_sent(sm->check, warp, h->reg, h->t.addr, h->t.bytes, p);
  icnt_request_push(sm->icnt, p);
  sm->stats.bypasses++;
}

bool sm_mrpb_bypass(sm_t *sm, const coalesced_t *t, l1d_reason_t reason, uint64_t now) {
  uint8_t slot = sm->dispatch, warp = sm->inst_warp[slot];
  uint32_t entry = 0, which = sm->cfg.mrpb_bypass;
  if (which == MRPB_BYPASS_OFF || (which == MRPB_BYPASS_ASSOC_STALL && reason != L1D_ASSOC))
    return false;
  sm_held_t h = {.t = *t, .reg = sm->inst[slot]->dst[0]};
  memcpy(h.offset, sm->access[slot].offset, sizeof h.offset);
  sm->stall = SM_STALL_BYPASS;
  if (!bypass_ready(sm, &h, warp, &entry)) return false;
  send_bypass(sm, &h, warp, entry, now);
  sm->stall = SM_STALL_NONE;
  sm->refused = false;
  sm->moved = true;
  return true;
}

/* ---- in and out ------------------------------------------------------------ */

/* A block whose warps have all met at a barrier waits for the MRPB to let the barrier through:
 * behind every request of the block, so not before its memory instructions have left the pipeline.
 */
static bool offer_barrier(sm_t *sm) {
  for (unsigned b = 0; b < sm->max_blocks; b++) {
    if (!sm->block[b].barrier_due || sm->block[b].memory_insts > 0) continue;
    sm->mrpb_in.in_valid_i = 1;
    sm->mrpb_in.in_kind_i = KIND_BARRIER;
    sm->mrpb_in.in_block_i = b;
    return true;
  }
  return false;
}

/* Describes the access at the back of the dispatch register's list, or else a barrier, to the
 * MRPB's input; false if there is neither. */
static bool offer(sm_t *sm) {
  uint8_t slot = sm_global_dispatch(sm);
  mrpb_in_t *in = &sm->mrpb_in;
  if (slot == COLLECTOR_NONE || sm->access[slot].left == 0)
    return sm->barriers_due > 0 && offer_barrier(sm);
  const coalesced_t *t = &sm->access[slot].t[sm->access[slot].left - 1];
  const sm_warp_t *w = &sm->warp[sm->inst_warp[slot]];
  if (sm->held_free >= sm->held_room) return false; /* edge_mrpb ends the run */
  in->in_valid_i = 1;
  in->in_kind_i = sm->inst[slot]->cls == WARP_STORE;
  in->in_warp_i = sm->inst_warp[slot];
  in->in_block_i = w->block;
  in->in_block_warp_i = w->ordinal;
  in->in_data_i = bits(t->addr / 32 << sm->number_w | sm->held_free, PAYLOAD_W);
  return true;
}

static void take_offer(sm_t *sm, uint64_t now) {
  uint8_t slot = sm->dispatch;
  if (sm->mrpb_in.in_kind_i == KIND_BARRIER) {
    sm->barriers_due--;
    sm_front_release_barrier(sm, (unsigned)sm->mrpb_in.in_block_i);
    sm->mrpb_entered = now;
    return;
  }
  sm_accesses_t *a = &sm->access[slot];
  sm_held_t *h = &sm->pool_held[sm->held_free];
  if (sm->held_free == sm->held_used) h->next_free = (uint16_t)++sm->held_used;
  sm->held_free = h->next_free;
  h->t = a->t[--a->left];
  if (sm->check) h->data = a->data[a->left];
  h->reg = sm->inst[slot]->dst[0];
  h->block = sm->block[sm->warp[sm->inst_warp[slot]].block].number;
  memcpy(h->offset, a->offset, sizeof h->offset);
  if (sm->inst[slot]->cls == WARP_STORE) sm->warp[sm->inst_warp[slot]].stores++;
  sm->held++;
  sm->stats.mrpb_in++;
  sm->mrpb_entered = now;
  sm->moved = true;
}

/* The number is free again only from the next cycle on: the offered request has the first free one.
 */
static void gone(sm_t *sm, unsigned number, uint64_t now) {
  sm->held_gone = (int)number;
  sm->front.valid = false;
  sm->held--;
  sm->stats.mrpb_out++;
  sm->mrpb_left = now;
  sm->moved = true;
}

static void answer(sm_t *sm, l1d_reason_t reason) {
  sm->stall = (sm_stall_t)reason;
  sm->mrpb_in.l1_answer_i = reason == L1D_NONE ? 0 : reason == L1D_ASSOC ? 1 : 2;
}

/* The C model is called here in every cycle, and also through its class (module_fast_t), for which a
 * compiler would leave it out of line: 3 % of the instructions of a run. */
#define INLINED __attribute__((flatten))

/* What is presented, unless it is known from an earlier cycle; false if nothing is. It depends on
 * nothing that the MRPB is told in this cycle. */
INLINED static bool look_at_front(sm_t *sm) {
  mrpb_out_t out;
  if (sm->front.valid) return true;
  if (sm->mrpb.plain)
    mrpb_front(sm->mrpb.plain, &out);
  else
    comb_mrpb(sm, &out);
  sm->front = (sm_front_t){.valid = out.out_valid_o != 0,
                           .write = out.out_write_o != 0,
                           .warp = (uint8_t)out.out_warp_o,
                           .number = (uint16_t)bits(out.out_data_o, sm->number_w)};
  return sm->front.valid;
}

/* The presented request meets the L1D: true if it is accepted. If not, front.bypasses is set. */
static bool meet_l1d(sm_t *sm, const sm_held_t *h, uint64_t now) {
  sm_front_t *f = &sm->front;
  bool again = sm_refused_again(sm);
  if (!again) {
    l1d_request_t r = {h->t.addr, h->t.bytes, f->warp, h->reg, f->write, h->block};
    sm_ldst_try(sm, &r, now);
  }
  answer(sm, sm->reason);
  if (sm->reason == L1D_NONE) return true;
  if (again) return false;
  mrpb_out_t out;
  comb_mrpb(sm, &out);
  f->bypasses = out.byp_valid_o != 0;
  return false;
}

/* The presented request leaves for the L1D, or past it for the interconnect if it may: true if it
 * does. */
static bool present(sm_t *sm, uint64_t now) {
  uint32_t entry = 0;
  if (!look_at_front(sm)) return false;
  sm_front_t f = sm->front;
  const sm_held_t *h = &sm->pool_held[f.number];
  if (meet_l1d(sm, h, now)) {
    if (sm->check && f.write) l1d_attach(sm->l1d, h->data);
    gone(sm, f.number, now);
    return true;
  }
  if (!sm->front.bypasses) return false;
  sm->stall = SM_STALL_BYPASS;
  if (!bypass_ready(sm, h, f.warp, &entry)) return false;
  sm->mrpb_in.byp_ready_i = 1;
  send_bypass(sm, h, f.warp, entry, now);
  sm->stall = SM_STALL_NONE;
  sm->refused = false;
  gone(sm, f.number, now);
  return true;
}

/* The outputs of the cycle, whose inputs are complete. With the C model alone the clock edge comes
 * along, unless somebody looks at the cycle in between. */
INLINED static void complete(sm_t *sm, mrpb_out_t *out) {
  sm->mrpb_stepped = sm->mrpb.plain && !sm->hook;
  if (sm->mrpb_stepped)
    mrpb_step(sm->mrpb.plain, &sm->mrpb_in, out);
  else
    comb_mrpb(sm, out);
}

/* Nothing has changed since a cycle in which nothing entered or left and the registers stood still:
 * this one is like it. */
static bool still_stuck(const sm_t *sm) {
  const sm_stuck_t *k = &sm->stuck;
  if (!k->valid || sm->barriers_due > 0 || sm->version != l1d_version(sm->l1d, sm->reason) ||
      sm_global_dispatch(sm) != k->slot ||
      (k->slot != COLLECTOR_NONE && sm->access[k->slot].left != k->left))
    return false;
  bool room = sm->wait != SM_WAIT_NONE && icnt_request_room(sm->icnt, sm->id, false, 0);
  return sm->wait == SM_WAIT_NONE || (sm->wait == SM_WAIT_ICNT && !room) ||
         (sm->wait == SM_WAIT_TABLE && room && sm->prt_used == k->prt_used &&
          sm->cfg.bypass_tracking == CONFIG_TRACKING_PRT);
}

static void remember_stuck(sm_t *sm, bool offered, uint64_t now) {
  uint8_t slot = sm_global_dispatch(sm);
  if (sm->mrpb_entered == now || sm->mrpb_left == now || !sm->refused || sm->hook ||
      sm->mrpb.every_cycle || !sm_mrpb_quiet(sm, now))
    return; /* sm_mrpb_access has marked it as not valid */
  sm->stuck = (sm_stuck_t){
      .valid = true,
      .slot = slot,
      .left = slot != COLLECTOR_NONE ? sm->access[slot].left : 0,
      .prt_used = sm->prt_used,
      .stall = sm->stall,
      .offered = offered,
  };
}

static void repeat_stuck(sm_t *sm) {
  sm->stall = sm->stuck.stall;
  l1d_repeat_refusal(sm->l1d, sm->reason, 1);
  if (sm->flush_full) sm->stats.mrpb_flush_full++;
  if (sm->flush_write) sm->stats.mrpb_flush_write++;
  if (sm->stuck.offered) sm->stats.mrpb_full++;
}

/* The MRPB's part in a cycle in which something is offered or leaves. */
static void exchange(sm_t *sm, bool offered, uint64_t now) {
  mrpb_out_t out;
  complete(sm, &out);
  sm->order_err = out.order_err_o != 0;
  sm->flush_full = out.flush_full_o != 0;
  sm->flush_write = out.flush_write_o != 0;
  if (sm->flush_full) sm->stats.mrpb_flush_full++;
  if (sm->flush_write) sm->stats.mrpb_flush_write++;
  if (out.in_ready_o) {
    take_offer(sm, now);
  } else if (offered) {
    sm->stats.mrpb_full++;
    if (sm->stall == SM_STALL_NONE) sm->stall = SM_STALL_MRPB;
  }
}

void sm_mrpb_access(sm_t *sm, uint64_t now) {
  if (still_stuck(sm)) {
    repeat_stuck(sm);
    return;
  }
  sm->stuck.valid = false;
  sm->flush_full = sm->flush_write = false;
  sm->wait = SM_WAIT_NONE;
  bool held = sm->held > 0, left = held && present(sm, now), offered = offer(sm);
  if (!held && !offered) return;
  sm->clocked |= SM_CLOCK_MRPB;
  if (offered || left) exchange(sm, offered, now);
  remember_stuck(sm, offered, now);
}

static int edge_mrpb(sm_t *sm, uint64_t now, mrpb_err_t *err) {
  int rc = 0;
  if (sm->order_err && (sm->mrpb_entered == now || sm->mrpb_left == now))
    rc = mrpb_fail(err, "sm%u: the MRPB has broken the order rule", sm->id);
  if (sm->held_free >= sm->held_room && sm->cfg.mrpb_depth == 0)
    rc = mrpb_fail(err, "sm%u: MRPB_DEPTH = 0: %u requests in the queues; legal: fewer", sm->id,
                   sm->held);
  if (!sm->mrpb_stepped) rc |= unit_edge(&sm->mrpb, (const uint64_t *)&sm->mrpb_in, err);
  sm->mrpb_stepped = false;
  sm->mrpb_in = (mrpb_in_t){.rst_ni = 1, .l1_answer_i = ANSWER_NOT_ASKED};
  if (sm->held_gone >= 0) {
    sm->pool_held[sm->held_gone].next_free = sm->held_free;
    sm->held_free = (uint16_t)sm->held_gone;
    sm->held_gone = -1;
  }
  return rc;
}

/* The MRPB is clocked while it holds or is offered something, unless neither inputs nor registers
 * would change; the PRT when it is used. */
int sm_mrpb_edge(sm_t *sm, uint64_t now, mrpb_err_t *err) {
  int rc = 0;
  unsigned clocked = sm->clocked;
  if (!clocked) return 0;
  sm->clocked = sm->always_clocked;
  if (clocked & SM_CLOCK_MRPB) rc = edge_mrpb(sm, now, err);
  if (clocked & SM_CLOCK_PRT) rc |= unit_edge(&sm->prt, (const uint64_t *)&sm->prt_in, err);
  if (clocked & (SM_CLOCK_PRT | SM_ASKED_PRT)) sm->prt_in = (prt_in_t){.rst_ni = 1};
  return rc;
}

bool sm_mrpb_quiet(const sm_t *sm, uint64_t now) {
  /* What entered last has left the latency line, and the outbound buffer has been filled again. */
  return !sm->has_mrpb || sm->held == 0 ||
         (now > sm->mrpb_entered + sm->cfg.mrpb_latency && now > sm->mrpb_left + 1);
}
