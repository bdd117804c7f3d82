/* SPDX-License-Identifier: Apache-2.0 */
/* Bypassing the L1D (paper 001, sections 3 and 6): see bypass.h. A read that bypasses leaves for
 * the interconnect in the cycle in which it is refused if there is room, its tracking has a free
 * entry, and no store to its line waits in the miss queue (the read would overtake it). With
 * MRPB_REORDER 0 there are no queues (section 5.4): the dispatch register's access may bypass by
 * the same rules. */
#include "config/verilog_params.h"
#include "gpu/pipeline/recorded.h"
#include "gpu/pipeline/sm_state.h"
#include "parts/offsets.h"
#include "parts/unit_direct.h"

#include <string.h>

int sm_bypass_create(sm_t *sm, const unit_choice_t *choice, mrpb_err_t *err) {
  const config_t *c = &sm->cfg;
  sm_bypass_t *b = &sm->bypass;
  prt_cfg_t p = config_prt_params(c);
  p.CHECK = 1; /* so that a simulation refuses what hardware would not notice */
  if (!c->mrpb || sm_l1_path_there(&sm->l1_path)) return 0;
  b->there = true;
  b->which = c->mrpb_bypass;
  b->tracking = c->bypass_tracking;
  b->line = c->bypass_reply == CONFIG_REPLY_LINE;
  b->in.srst_ni = 1;
  if (b->tracking == CONFIG_TRACKING_PRT &&
      unit_open(&b->unit, &prt_class, (const uint32_t *)&p, choice, sm->id, err) != 0)
    return -1;
  b->clocked = b->unit.every_cycle;
  return 0;
}

/* reply_offset_o is not used. */
static void ask_prt(sm_bypass_t *b, prt_out_t *out) {
  b->asked = true;
  unit_prt_control(&b->unit, &b->in, out);
}

/* ---- replies --------------------------------------------------------------- */

bool sm_bypass_reply(sm_t *sm, packet_t *p, uint64_t now) {
  sm_bypass_t *b = &sm->bypass;
  uint64_t tag = p->tag;
  if (b->tracking == CONFIG_TRACKING_MSHR) {
    l1d_fill(sm->l1d, p->entry, now);
    return true;
  }
  if (!sm_ldst_takes_bypassed(&sm->ldst)) return false;
  if (b->tracking == CONFIG_TRACKING_PRT) {
    prt_out_t out;
    b->in.reply_valid_i = 1;
    b->in.reply_entry_i = p->entry;
    b->in.reply_mask_i = p->tag;
    ask_prt(b, &out);
    tag = out.reply_tag_o;
    b->clocked = true;
    b->used -= out.release_o != 0;
    if (sm->check) check_prt_reply(sm->check, p->entry, out.release_o != 0);
  }
  sm_ldst_put_bypassed(&sm->ldst, tag);
  if (sm->requests) sm_recorded_bypass_reply(sm, tag, p, now);
  if (sm->check) check_bypass(sm->check, sm_ldst_reader_warp(tag), sm_ldst_reader_reg(tag), p);
  return true;
}

/* ---- leaving --------------------------------------------------------------- */

/* Offers the PRT an entry for the lanes of `r`; true if it has one. alloc_valid_i stays 0 until the
 * entry is used. */
static bool prt_has_room(sm_t *sm, const sm_request_t *r, unsigned warp, uint32_t *entry) {
  sm_bypass_t *b = &sm->bypass;
  prt_in_t *in = &b->in;
  prt_out_t out;
  in->alloc_mask_i = r->t.lanes;
  in->alloc_tag_i = sm_ldst_reader(warp, r->reg);
  ask_prt(b, &out);
  if (!out.alloc_ready_o) {
    if (sm->check) check_refused(sm->check, "PRT", b->used, sm->cfg.prt_entries);
    return false;
  }
  offsets_pack(in->alloc_offset_i, r->offset, r->t.lanes);
  *entry = (uint32_t)out.alloc_entry_o;
  return true;
}

/* Finds an entry for the read in the structure that tracks bypassed reads; false if there is
 * none. */
static bool find_entry(sm_t *sm, const sm_request_t *r, unsigned warp, uint32_t *entry) {
  sm_bypass_t *b = &sm->bypass;
  l1d_request_t q = {r->t.addr, r->t.bytes, (uint16_t)warp, r->reg,
                     false,     r->block,   r->local,       r->pc};
  if (b->tracking == CONFIG_TRACKING_PRT) return prt_has_room(sm, r, warp, entry);
  return b->tracking != CONFIG_TRACKING_MSHR || l1d_track_bypass(sm->l1d, &q, entry);
}

/* Can the read leave past the L1D in this cycle? If not, what does it wait for? */
static sm_wait_t look(sm_t *sm, const sm_request_t *r, unsigned warp, uint32_t *entry) {
  if (!sm_port_read_room(&sm->port, r->t.bytes)) return SM_WAIT_ICNT;
  if (!(sm->hazards & HAZARD_BYPASS) && l1d_store_queued(sm->l1d, r->t.addr)) return SM_WAIT_STORE;
  return find_entry(sm, r, warp, entry) ? SM_WAIT_NONE : SM_WAIT_TABLE;
}

static void send(sm_t *sm, const sm_request_t *r, unsigned warp, uint32_t entry, uint64_t now) {
  sm_bypass_t *b = &sm->bypass;
  packet_t *p = packet_alloc(sm_port_pool(&sm->port));
  if (!p) return;
  p->addr = b->line ? r->t.addr & ~(uint64_t)(COALESCER_LINE - 1) : r->t.addr;
  p->kind = PACKET_READ;
  p->bytes = b->line ? COALESCER_LINE : r->t.bytes;
  p->warp = (uint16_t)warp;
  p->entry = entry;
  p->t_created = now;
  p->tag = sm_ldst_reader(warp, r->reg);
  if (b->tracking == CONFIG_TRACKING_PRT) {
    p->tag = r->t.lanes;
    b->in.alloc_valid_i = 1;
    b->in.issue_valid_i = 1;
    b->in.issue_entry_i = entry;
    b->in.issue_mask_i = r->t.lanes;
    b->clocked = true;
    b->used++;
  }
  if (sm->check)
    check_bypass_sent(sm->check, b->tracking == CONFIG_TRACKING_PRT, warp, r->reg, r->t.addr,
                      r->t.bytes, p);
  if (sm->requests) sm_recorded_bypass(sm, warp, r, entry, p, now);
  sm_port_send(sm, p, SM_BYPASS);
  sm->stats.bypasses++;
  if (sm->profiled) sm_profiled_bypasses(sm);
}

bool sm_bypass_leave(sm_t *sm, const sm_request_t *r, unsigned warp, uint64_t now) {
  uint32_t entry = 0;
  if (sm->profiled) sm_profiled_tries_bypass(sm, r->pc, r->t.addr);
  sm->bypass.wait = look(sm, r, warp, &entry);
  sm_ldst_set_stall(&sm->ldst, SM_STALL_BYPASS);
  if (sm->bypass.wait != SM_WAIT_NONE) return false;
  send(sm, r, warp, entry, now);
  sm_ldst_went_past(&sm->ldst);
  return true;
}

bool sm_bypass_dispatched(sm_t *sm, l1d_reason_t reason, uint64_t now) {
  const sm_ldst_t *l = &sm->ldst;
  const sm_accesses_t *a = sm_ldst_access(l);
  uint32_t which = sm->bypass.which;
  if (which == MRPB_BYPASS_OFF || (which == MRPB_BYPASS_ASSOC_STALL && reason != L1D_ASSOC))
    return false;
  sm_request_t r = {
      .t = a->t[a->left - 1], .reg = sm_ldst_inst(l)->dst[0], .pc = sm_ldst_inst(l)->pc};
  memcpy(r.offset, a->offset, sizeof r.offset);
  return sm_bypass_leave(sm, &r, sm_ldst_warp(l), now);
}

/* ---- waiting --------------------------------------------------------------- */

bool sm_bypass_has_room(const sm_t *sm) {
  return sm->bypass.wait == SM_WAIT_ICNT && sm_port_read_room(&sm->port, 0);
}

bool sm_bypass_still_waits(const sm_t *sm, unsigned used) {
  const sm_bypass_t *b = &sm->bypass;
  if (b->wait == SM_WAIT_NONE) return true;
  bool room = sm_port_read_room(&sm->port, 0);
  return (b->wait == SM_WAIT_ICNT && !room) ||
         (b->wait == SM_WAIT_TABLE && room && b->used == used &&
          b->tracking == CONFIG_TRACKING_PRT);
}

void sm_bypass_count_wait(sm_t *sm, uint64_t n) {
  sm_stats_t *s = &sm->stats;
  sm_wait_t wait = sm->bypass.wait;
  s->bypass_wait_icnt += wait == SM_WAIT_ICNT ? n : 0;
  s->bypass_wait_table += wait == SM_WAIT_TABLE ? n : 0;
  s->bypass_wait_store += wait == SM_WAIT_STORE ? n : 0;
  if (sm->profiled) sm_profiled_waits(sm, n);
}

/* The PRT is clocked when it is used. */
int sm_bypass_edge(sm_bypass_t *b, mrpb_err_t *err) {
  int rc = 0;
  if (!b->asked && !b->clocked) return 0;
  if (b->clocked) rc = unit_edge(&b->unit, (const uint64_t *)&b->in, err);
  b->in = (prt_in_t){.srst_ni = 1};
  b->clocked = b->unit.every_cycle;
  b->asked = false;
  return rc;
}
