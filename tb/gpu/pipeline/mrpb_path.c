/* SPDX-License-Identifier: Apache-2.0 */
/* The path through the MRPB (paper 001, sections 3 and 6). The coalescer offers one request per
 * cycle. The MRPB presents one to the L1D, which answers MRPB_ANSWER cycles later: accepted, no way
 * free in the set, or another resource short; a refused request may bypass (bypass.h). The MRPB's
 * payload is {request number, line address bits as far as they fit}; the request that the number
 * stands for is kept beside it. */
#include "config/verilog_params.h"
#include "gpu/pipeline/sm_state.h"
#include "parts/unbounded.h"
#include "parts/unit_direct.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_W = 13, UNBOUNDED_NUMBER_W = 16, UNBOUNDED_ROOM = UINT16_MAX };

static const mrpb_in_t at_rest = {.srst_ni = 1, .l1_answer_i = MRPB_L1_NOT_ASKED};

int sm_mrpb_path_create(sm_t *sm, const unit_choice_t *choice, mrpb_err_t *err) {
  const config_t *c = &sm->cfg;
  sm_mrpb_path_t *m = &sm->mrpb_path;
  mrpb_cfg_t cfg = config_mrpb_params(c);
  if (!sm_ldst_reorders(&sm->ldst)) return 0;
  m->gone = -1;
  m->unbounded = c->mrpb_depth == 0;
  m->latency = c->mrpb_latency;
  m->answer = c->mrpb_answer;
  m->room = m->unbounded ? UNBOUNDED_ROOM : c->mrpb_queues * c->mrpb_depth + 2 + m->answer;
  m->number_w = m->unbounded ? UNBOUNDED_NUMBER_W : NUMBER_W;
  m->in = at_rest;
  m->policy = (bypass_policy_t){
      .policy = c->bypass_policy, .misses = c->bypass_misses, .lines = c->l1d_ways};
  m->pool = module_alloc(m->room * sizeof *m->pool);
  if (!m->pool) return mrpb_fail(err, "sm%u: out of memory", sm->id);
  if (m->unbounded && choice && choice->mrpb != UNIT_C)
    return mrpb_fail(err, "--impl mrpb: MRPB_DEPTH = 0 has no Verilog; legal: mrpb=c, or a depth");
  int rc = m->unbounded
               ? unbounded_open(&m->unit, &cfg, err)
               : unit_open(&m->unit, &mrpb_class, (const uint32_t *)&cfg, choice, sm->id, err);
  m->clocked = m->unit.every_cycle;
  return rc;
}

void sm_mrpb_path_destroy(sm_mrpb_path_t *m) {
  unit_close(&m->unit);
  free(m->pool);
}

/* ---- in -------------------------------------------------------------------- */

unsigned sm_mrpb_path_block_warp(const sm_t *sm, unsigned warp) {
  return sm->cfg.mrpb_signature == CONFIG_SIGNATURE_SUB_CORE
             ? warp % sm->cfg.schedulers
             : sm_warps_at(&sm->warps, warp)->ordinal;
}

/* A block whose warps have all reached a barrier waits for the MRPB to let the barrier through. */
static bool offer_barrier(sm_t *sm) {
  mrpb_in_t *in = &sm->mrpb_path.in;
  if (sm_warps_barriers_due(&sm->warps) == 0) return false;
  unsigned block = sm_warps_barrier_to_offer(&sm->warps);
  if (block == SM_MAX_BLOCKS) return false;
  in->in_valid_i = 1;
  in->in_kind_i = MRPB_KIND_BARRIER;
  in->in_block_i = block;
  return true;
}

/* Puts the access at the back of the dispatch register's list, or else a barrier, on the MRPB's
 * input; false if there is neither. */
static bool offer(sm_t *sm) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  mrpb_in_t *in = &m->in;
  unsigned left = sm_ldst_l1d_left(&sm->ldst);
  if (left == 0) return offer_barrier(sm);
  if (m->free >= m->room) return false; /* the edge ends the run */
  const coalesced_t *t = &sm_ldst_access(&sm->ldst)->t[left - 1];
  unsigned warp = sm_ldst_warp(&sm->ldst);
  const sm_warp_t *w = sm_warps_at(&sm->warps, warp);
  in->in_valid_i = 1;
  in->in_kind_i = sm_ldst_inst(&sm->ldst)->cls == WARP_STORE ? MRPB_KIND_WRITE : MRPB_KIND_READ;
  in->in_warp_i = warp;
  in->in_block_i = w->block;
  in->in_block_warp_i = sm_mrpb_path_block_warp(sm, warp);
  in->in_data_i = bits(t->addr / 32 << m->number_w | m->free, SM_PAYLOAD_W);
  return true;
}

static unsigned queue_of(const config_t *c, const mrpb_in_t *in) {
  const uint64_t signature = c->mrpb_signature == MRPB_SIGNATURE_BLOCK  ? in->in_block_i
                             : c->mrpb_signature == MRPB_SIGNATURE_WARP ? in->in_warp_i
                                                                        : in->in_block_warp_i;
  return (unsigned)(signature % c->mrpb_queues);
}

/* The offered request or barrier enters. */
static void take_offer(sm_t *sm, uint64_t now) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  m->entered = now;
  if (m->in.in_kind_i == MRPB_KIND_BARRIER) {
    sm_warps_barrier_through(sm, (unsigned)m->in.in_block_i);
    return;
  }
  sm_ldst_took(&sm->ldst);
  const sm_accesses_t *a = sm_ldst_access(&sm->ldst);
  const warp_inst_t *i = sm_ldst_inst(&sm->ldst);
  unsigned warp = sm_ldst_warp(&sm->ldst);
  sm_held_t *h = &m->pool[m->free];
  if (m->free == m->used) h->next_free = (uint16_t)++m->used;
  m->free = h->next_free;
  h->inside = true;
  h->warp = (uint8_t)warp;
  h->write = i->cls == WARP_STORE;
  h->queue = (uint8_t)queue_of(&sm->cfg, &m->in);
  bypass_policy_enter(&m->policy, h->queue);
  h->r.t = a->t[a->left];
  if (sm->check) h->r.data = a->data[a->left];
  h->r.reg = i->dst[0];
  h->r.local = i->local;
  h->r.pc = i->pc;
  h->r.issued = a->issued;
  h->entered = now;
  h->r.block = sm_warps_block_number(&sm->warps, warp);
  memcpy(h->r.offset, a->offset, sizeof h->r.offset);
  if (i->cls == WARP_STORE) sm_warps_store_sent(&sm->warps, warp);
  m->held++;
  m->of_warp[warp]++;
  if (++m->of_queue[h->queue] > sm->stats.mrpb_queue_max)
    sm->stats.mrpb_queue_max = m->of_queue[h->queue];
  sm->stats.mrpb_in++;
  sm_run_moved(&sm->run);
}

/* ---- out ------------------------------------------------------------------- */

/* The number becomes free only in the next cycle, because the offered request has the first free
 * one. */
static void gone(sm_t *sm, sm_front_t *f, uint64_t now) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  m->gone = f->number;
  m->pool[m->gone].inside = false;
  bypass_policy_leave(&m->policy, m->pool[m->gone].queue);
  f->valid = false;
  m->held--;
  m->of_warp[f->warp]--;
  m->of_queue[m->pool[m->gone].queue]--;
  m->left = now;
  sm->stats.mrpb_out++;
  sm_run_moved(&sm->run);
}

/* The C model is called here in every cycle. It is also called through its class (module_fast_t),
 * so a compiler would not inline it here: 3 % of the instructions of a run. */
#define INLINED __attribute__((flatten))

/* True if the presented request is a known one inside the MRPB. If not, it is ignored, and the edge
 * ends the run. */
static bool is_known(sm_mrpb_path_t *m, const sm_front_t *f) {
  const sm_held_t *h = f->number < m->room ? &m->pool[f->number] : NULL;
  if (h && h->inside && h->warp == f->warp && h->write == f->write) return true;
  m->broken = "presents a request that it does not hold";
  return false;
}

/* Reads the presented request, unless it is known from an earlier cycle; false if there is none. It
 * depends on no input of the MRPB in this cycle. */
INLINED static bool look_at_front(sm_mrpb_path_t *m) {
  mrpb_out_t out;
  if (m->front.valid) return true;
  unit_mrpb_front(&m->unit, &m->in, &out);
  m->front = (sm_front_t){.valid = out.out_valid_o != 0,
                          .write = out.out_write_o != 0,
                          .warp = (uint8_t)out.out_warp_o,
                          .number = (uint16_t)bits(out.out_data_o, m->number_w)};
  if (m->front.valid) m->front.valid = is_known(m, &m->front);
  return m->front.valid;
}

bool sm_mrpb_path_shows(sm_t *sm, uint64_t *addr, bool *write) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  if (m->held == 0) return false;
  if (!m->answer && !look_at_front(m)) return false;
  *addr = m->pool[m->front.number].r.t.addr;
  *write = m->front.write && !m->answer;
  return true;
}

bool sm_mrpb_path_asks_l1d(const sm_mrpb_path_t *m) {
  return !m->answer && m->policy.policy == BYPASS_POLICY_REFUSED;
}

/* The L1D tries a request of the MRPB and answers; returns L1D_NONE if it accepts it. */
static l1d_reason_t try_l1d(sm_t *sm, const sm_front_t *f, uint64_t now) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  const sm_request_t *r = &m->pool[f->number].r;
  m->tried = f->number;
  l1d_reason_t reason = sm_ldst_reason(&sm->ldst);
  if (sm_ldst_still_refused(&sm->ldst, sm->l1d)) {
    sm_ldst_refused_again(sm, 1);
  } else {
    l1d_request_t q = {r->t.addr, r->t.bytes, f->warp, r->reg, f->write, r->block, r->local, r->pc};
    reason = sm_ldst_try(sm, &q, now);
  }
  sm_ldst_set_stall(&sm->ldst, (sm_stall_t)reason);
  m->in.l1_answer_i = reason == L1D_NONE    ? MRPB_L1_ACCEPTED
                      : reason == L1D_ASSOC ? MRPB_L1_ASSOC_STALL
                                            : MRPB_L1_OTHER_STALL;
  return reason;
}

/* A request that the L1D has accepted leaves. */
static void accepted(sm_t *sm, sm_front_t *f, uint64_t now) {
  const bool kept = f->write && sm_ldst_kept(&sm->ldst);
  if (kept) sm_warps_store_done(&sm->warps, f->warp);
  if (sm->check && f->write) l1d_attach(sm->l1d, kept, sm->mrpb_path.pool[f->number].r.data);
  gone(sm, f, now);
}

/* True if the MRPB wants to let the presented request bypass. */
static bool wants_bypass(sm_mrpb_path_t *m) {
  mrpb_out_t out;
  unit_mrpb_comb(&m->unit, &m->in, &out);
  return out.byp_valid_o != 0;
}

static bool bypass(sm_t *sm, uint64_t now) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  sm_front_t *f = &m->front;
  m->tried = f->number;
  if (!sm_bypass_leave(sm, &m->pool[f->number].r, f->warp, now)) return false;
  m->in.byp_ready_i = 1;
  gone(sm, f, now);
  return true;
}

/* BYPASS_POLICY sends the read past the L1D: for the MRPB it is refused. Tells the policy what was
 * found. */
static bool refused_by_policy(sm_t *sm, const sm_front_t *f) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  const sm_held_t *h = &m->pool[f->number];
  uint32_t place;
  if (m->policy.policy == BYPASS_POLICY_REFUSED || f->write) return false;
  if (sm_ldst_still_refused(&sm->ldst, sm->l1d)) return false;
  const tag_array_status_t status =
      tag_array_probe(l1d_tags(sm->l1d), h->r.t.addr / COALESCER_LINE, &place);
  if (status == TAGS_HIT || status == TAGS_HIT_RESERVED) {
    bypass_policy_hit(&m->policy, h->queue);
    return false;
  }
  if (!bypass_policy_miss(&m->policy, h->queue)) return false;
  m->in.l1_answer_i = MRPB_L1_ASSOC_STALL;
  return true;
}

/* MRPB_ANSWER = 0: the presented request leaves for the L1D, or bypasses it if it may: true if it
 * does. */
static bool present(sm_t *sm, uint64_t now) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  sm_front_t *f = &m->front;
  if (!look_at_front(m)) return false;
  const bool again = sm_ldst_still_refused(&sm->ldst, sm->l1d);
  if (m->policy.policy != BYPASS_POLICY_REFUSED && refused_by_policy(sm, f)) {
    if (wants_bypass(m) && bypass(sm, now)) return true;
    sm_bypass_begin(&sm->bypass); /* it is looked up instead, and does not wait */
  }
  if (try_l1d(sm, f, now) == L1D_NONE) {
    accepted(sm, f, now);
    return true;
  }
  if (!again) f->bypasses = wants_bypass(m);
  return f->bypasses && bypass(sm, now);
}

/* MRPB_ANSWER > 0: an answer is due, or was a refusal. */
static bool asks(const sm_mrpb_path_t *m) {
  if (m->again) return true;
  for (unsigned i = 0; i < m->answer; i++)
    if (m->asked[i].valid) return true;
  return false;
}

/* MRPB_ANSWER > 0: the L1D answers the request that was presented so many cycles ago, and gets the
 * one that is presented now. If it refuses, it drops all that came after. In the cycle after a
 * refusal the refused read may bypass. True if a request leaves. */
static bool present_later(sm_t *sm, uint64_t now) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  sm_front_t oldest = m->asked[0];
  const bool again = m->again;
  m->again = false;
  memmove(&m->asked[0], &m->asked[1], (m->answer - 1) * sizeof m->asked[0]);
  m->asked[m->answer - 1].valid = false;
  m->front.valid = false; /* another one than in the previous cycle */
  const bool shows = look_at_front(m);
  if (sm_ldst_refused(&sm->ldst))
    sm_ldst_set_stall(&sm->ldst, (sm_stall_t)sm_ldst_reason(&sm->ldst));
  if (oldest.valid && (refused_by_policy(sm, &oldest) || try_l1d(sm, &oldest, now) != L1D_NONE)) {
    memset(m->asked, 0, sizeof m->asked);
    m->again = true;
    return false;
  }
  if (again && shows && wants_bypass(m) && bypass(sm, now)) return true;
  m->asked[m->answer - 1] = m->front;
  if (oldest.valid) accepted(sm, &oldest, now);
  return oldest.valid;
}

/* ---- the cycle ------------------------------------------------------------- */

/* Computes the outputs of the cycle, whose inputs are complete. With the C model alone the clock
 * edge is included, unless something observes the cycle in between. */
INLINED static void complete(sm_mrpb_path_t *m, bool watched, mrpb_out_t *out) {
  m->stepped = unit_mrpb_step(&m->unit, !watched, &m->in, out);
}

/* The MRPB's part of a cycle in which something is offered or leaves. */
static void exchange(sm_t *sm, bool offered, uint64_t now) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  mrpb_out_t out;
  complete(m, sm->hook != NULL, &out);
  m->order_err = out.order_err_o != 0;
  m->flush_full = out.flush_full_o != 0;
  m->flush_write = out.flush_write_o != 0;
  if (m->flush_full) sm->stats.mrpb_flush_full++;
  if (m->flush_write) sm->stats.mrpb_flush_write++;
  if (out.in_ready_o) {
    take_offer(sm, now);
  } else if (offered) {
    sm->stats.mrpb_full++;
    if (sm->profiled) sm_profiled_not_taken(sm, m->in.in_kind_i == MRPB_KIND_BARRIER, 1);
    if (sm_ldst_stall(&sm->ldst) == SM_STALL_NONE) sm_ldst_set_stall(&sm->ldst, SM_STALL_MRPB);
  }
}

/* The MRPB's registers change until this cycle. By then the last entry has left the latency line,
 * and the outbound buffer has been refilled. */
static uint64_t moves_until(const sm_mrpb_path_t *m) {
  uint64_t in = m->entered + m->latency, out = m->left + 1;
  return in > out ? in : out;
}

/* Nothing has changed since the remembered cycle: this one is like it. */
static bool rests(const sm_t *sm) {
  const sm_rest_t *k = &sm->mrpb_path.rest;
  return k->valid && sm_warps_barriers_due(&sm->warps) == 0 &&
         sm_ldst_still_refused(&sm->ldst, sm->l1d) && sm_ldst_l1d_slot(&sm->ldst) == k->slot &&
         sm_ldst_l1d_left(&sm->ldst) == k->left && sm_bypass_still_waits(sm, k->prt_used);
}

/* Remembers this cycle if it is one in which the path can rest. */
static void remember(sm_t *sm, uint64_t now) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  bool still = m->held == 0 || now > moves_until(m);
  if (m->entered == now || m->left == now || !sm_ldst_refused(&sm->ldst) || sm->hook ||
      m->unit.every_cycle || !still || m->answer)
    return; /* it has been marked invalid */
  m->rest = (sm_rest_t){.valid = true,
                        .slot = sm_ldst_l1d_slot(&sm->ldst),
                        .left = sm_ldst_l1d_left(&sm->ldst),
                        .prt_used = sm_bypass_used(&sm->bypass),
                        .stall = sm_ldst_stall(&sm->ldst)};
}

/* It holds something, or something may be offered to it. */
static inline bool has_work(const sm_t *sm) {
  return sm->mrpb_path.held > 0 || sm_ldst_l1d_left(&sm->ldst) > 0 ||
         sm_warps_barriers_due(&sm->warps) > 0;
}

/* Not inlined, so that a cycle without work saves no registers. */
static __attribute__((noinline)) void work(sm_t *sm, uint64_t now) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  bool held = m->held > 0, left = held && (m->answer ? present_later(sm, now) : present(sm, now)),
       offered = offer(sm);
  if (held && !left && !m->front.valid && !asks(m) && now > moves_until(m) && !m->broken)
    m->broken = "holds requests and presents none";
  if (!held && !offered) return;
  m->clocked = true;
  if (offered || left) exchange(sm, offered, now);
  remember(sm, now);
}

void sm_mrpb_path_cycle(sm_t *sm, uint64_t now) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  if (rests(sm)) {
    sm_ldst_set_stall(&sm->ldst, m->rest.stall);
    sm_mrpb_path_idle(sm, 1);
    return;
  }
  m->rest.valid = false;
  m->flush_full = m->flush_write = false;
  sm_bypass_begin(&sm->bypass);
  if (has_work(sm)) work(sm, now);
}

/* The MRPB is clocked while it holds or is offered something, unless neither inputs nor registers
 * would change. */
int sm_mrpb_path_edge(sm_t *sm, uint64_t now, mrpb_err_t *err) {
  sm_mrpb_path_t *m = &sm->mrpb_path;
  int rc = 0;
  if (!m->clocked) return 0;
  m->clocked = m->unit.every_cycle;
  if (m->order_err && (m->entered == now || m->left == now))
    rc = mrpb_fail(err, "sm%u: the MRPB has broken the order rule", sm->id);
  if (m->broken) rc = mrpb_fail(err, "sm%u: the MRPB %s", sm->id, m->broken);
  if (m->free >= m->room && m->unbounded)
    rc = mrpb_fail(err, "sm%u: MRPB_DEPTH = 0: %u requests in the queues; legal: fewer", sm->id,
                   m->held);
  if (!m->stepped) rc |= unit_edge(&m->unit, (const uint64_t *)&m->in, err);
  m->stepped = false;
  m->in = at_rest;
  if (m->gone >= 0) {
    m->pool[m->gone].next_free = m->free;
    m->free = (uint16_t)m->gone;
    m->gone = -1;
  }
  return rc;
}

/* A due barrier is offered as soon as its block's memory instructions have left. */
uint64_t sm_mrpb_path_next(const sm_t *sm, uint64_t from) {
  const sm_mrpb_path_t *m = &sm->mrpb_path;
  if (sm_warps_barriers_due(&sm->warps) > 0) return from;
  return m->held > 0 && (m->answer || from <= moves_until(m) + 1) ? from : SM_ON_INPUT;
}

/* The request that it presents stays refused, and the one offered to it is not accepted. */
void sm_mrpb_path_idle(sm_t *sm, uint64_t n) {
  const sm_mrpb_path_t *m = &sm->mrpb_path;
  if (!sm_ldst_reorders(&sm->ldst)) return;
  if (m->held > 0 && sm_ldst_refused(&sm->ldst)) sm_ldst_refused_again(sm, n);
  if (m->flush_full) sm->stats.mrpb_flush_full += n;
  if (m->flush_write) sm->stats.mrpb_flush_write += n;
  if (sm_ldst_l1d_left(&sm->ldst) == 0) return;
  sm->stats.mrpb_full += n;
  if (sm->profiled) sm_profiled_not_taken(sm, false, n);
}
