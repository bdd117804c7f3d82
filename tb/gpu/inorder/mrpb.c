/* SPDX-License-Identifier: Apache-2.0 */
/* The MRPB between the load/store unit and the L1D: docs/device/mrpb.md. It is run while it holds a
 * request or is offered one, except in cycles in which nothing can change: those after its registers
 * have come to rest, while the request that it presents stays refused. */
#include "config/verilog_params.h"
#include "gpu/inorder/inorder_state.h"
#include "gpu/inorder/profiled.h"
#include "parts/unit_direct.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_W = 13 }; /* bits of a number; the rest of the payload is address bits */

static const mrpb_in_t at_rest = {.srst_ni = 1, .l1_answer_i = MRPB_L1_NOT_ASKED};

unsigned core_mrpb_room(const config_t *cfg) {
  if (!cfg->mrpb || !cfg->mrpb_reorder) return 0;
  return cfg->mrpb_queues * cfg->mrpb_depth + 2 + cfg->mrpb_answer;
}

int core_mrpb_create(core_t *c, mrpb_err_t *err) {
  const config_t *cfg = &c->all->cfg;
  core_mrpb_t *m = &c->mrpb;
  const mrpb_cfg_t p = config_mrpb_params(cfg);
  const unsigned room = core_mrpb_room(cfg);
  if (room == 0) return 0;
  m->there = true;
  m->gone = -1;
  m->in = at_rest;
  m->policy = (bypass_policy_t){.policy = cfg->bypass_policy,
                                .misses = cfg->bypass_misses,
                                .lines = cfg->l1d_ways - cfg->l1d_kept};
  m->pool = calloc(room, sizeof *m->pool);
  if (!m->pool) return mrpb_fail(err, "cores: out of memory");
  for (unsigned i = 0; i < room; i++) m->pool[i].next_free = (uint16_t)(i + 1);
  return unit_open(&m->unit, &mrpb_class, (const uint32_t *)&p, c->all->choice, c->id, err);
}

void core_mrpb_destroy(core_t *c) {
  unit_close(&c->mrpb.unit);
  free(c->mrpb.pool);
}

static void broken(core_t *c, const char *what) {
  mrpb_fail(c->all->err, "SM %u: the MRPB %s", c->id, what);
  c->all->failed = true;
}

/* ---- in -------------------------------------------------------------------- */

static unsigned in_block_warp(const core_t *c, unsigned w) {
  const config_t *cfg = &c->all->cfg;
  return cfg->mrpb_signature == CONFIG_SIGNATURE_SUB_CORE ? w % cfg->schedulers
                                                          : c->warp[w].ordinal;
}

static unsigned queue_of(const core_t *c, const mrpb_in_t *in) {
  const config_t *cfg = &c->all->cfg;
  const uint64_t signature = cfg->mrpb_signature == MRPB_SIGNATURE_BLOCK  ? in->in_block_i
                             : cfg->mrpb_signature == MRPB_SIGNATURE_WARP ? in->in_warp_i
                                                                          : in->in_block_warp_i;
  return (unsigned)(signature % cfg->mrpb_queues);
}

/* A barrier whose block has nothing left before the MRPB. */
static bool offer_barrier(core_t *c) {
  mrpb_in_t *in = &c->mrpb.in;
  for (uint32_t m = c->mrpb.barriers; m; m &= m - 1) {
    const unsigned slot = (unsigned)__builtin_ctz(m);
    if (c->block[slot].in_lsu > 0) continue;
    in->in_valid_i = 1;
    in->in_kind_i = MRPB_KIND_BARRIER;
    in->in_block_i = slot;
    return true;
  }
  return false;
}

/* Puts the next line of the instruction in turn, or else a barrier, on the MRPB's input; false if
 * there is neither. */
static bool offer(core_t *c) {
  core_mrpb_t *m = &c->mrpb;
  mrpb_in_t *in = &m->in;
  const core_inst_t *x = lsu_in_turn(c);
  if (!x || x->due > c->all->now) return offer_barrier(c);
  in->in_valid_i = 1;
  in->in_kind_i = x->load == CORE_NONE ? MRPB_KIND_WRITE : MRPB_KIND_READ;
  in->in_warp_i = x->warp;
  in->in_block_i = c->warp[x->warp].block;
  in->in_block_warp_i = in_block_warp(c, x->warp);
  in->in_data_i = bits(x->line[x->at].addr / CORE_SECTOR << NUMBER_W | m->free, SM_PAYLOAD_W);
  return true;
}

static void take_barrier(core_t *c) {
  const unsigned slot = (unsigned)c->mrpb.in.in_block_i;
  const uint32_t on = c->block[slot].passing;
  c->block[slot].passing = 0;
  c->mrpb.barriers &= ~(UINT32_C(1) << slot);
  issue_pass_barrier(c, slot, on);
}

static void take_line(core_t *c) {
  core_mrpb_t *m = &c->mrpb;
  core_inst_t *x = lsu_in_turn(c);
  core_held_t *h = &m->pool[m->free];
  m->free = h->next_free;
  h->inst = (uint16_t)(x - c->lsu.pool);
  h->line = x->at;
  h->queue = (uint8_t)queue_of(c, &m->in);
  h->inside = true;
  h->entered = c->all->now;
  x->inside++;
  m->held++;
  m->entered = c->all->now;
  bypass_policy_enter(&m->policy, h->queue);
  c->all->stats.mrpb_in++;
  (void)lsu_took_line(c);
}

void core_mrpb_barrier(core_t *c, unsigned slot, uint32_t on) {
  c->block[slot].passing |= on;
  c->mrpb.barriers |= UINT32_C(1) << slot;
  core_soon(c, c->all->now + 1);
}

/* ---- out ------------------------------------------------------------------- */

static core_inst_t *inst_of(const core_t *c, const core_held_t *h) {
  return &c->lsu.pool[h->inst];
}

/* The number becomes free only at the end of the cycle, because the offered request has the first
 * free one. */
static void gone(core_t *c, const core_front_t *f) {
  core_mrpb_t *m = &c->mrpb;
  core_held_t *h = &m->pool[f->number];
  core_inst_t *x = inst_of(c, h);
  m->gone = f->number;
  m->held--;
  m->left = c->all->now;
  h->inside = false;
  bypass_policy_leave(&m->policy, h->queue);
  c->all->stats.mrpb_out++;
  c->lsu.look_at = c->all->now + c->all->cfg.line_cycles;
  if (--x->inside == 0 && x->at == x->n) lsu_free(c, x);
}

/* Reads what is presented. It depends on no input of this cycle. False if there is nothing, or a
 * request that is not inside, which ends the run. */
static bool look_at_front(core_t *c, core_front_t *f) {
  core_mrpb_t *m = &c->mrpb;
  mrpb_out_t out;
  unit_mrpb_front(&m->unit, &m->in, &out);
  *f = (core_front_t){.valid = out.out_valid_o != 0,
                      .write = out.out_write_o != 0,
                      .warp = (uint8_t)out.out_warp_o,
                      .number = (uint16_t)bits(out.out_data_o, NUMBER_W)};
  if (!f->valid) return false;
  const core_held_t *h = f->number < core_mrpb_room(&c->all->cfg) ? &m->pool[f->number] : NULL;
  f->valid = h && h->inside && inst_of(c, h)->warp == f->warp &&
             (inst_of(c, h)->load == CORE_NONE) == f->write;
  if (!f->valid) broken(c, "presents a request that it does not hold");
  return f->valid;
}

/* BYPASS_POLICY: the read misses and is to bypass. Tells the policy what was found. */
static bool decided(core_t *c, const core_held_t *h) {
  bypass_policy_t *p = &c->mrpb.policy;
  const core_inst_t *x = inst_of(c, h);
  if (p->policy == BYPASS_POLICY_REFUSED || x->load == CORE_NONE || !x->cached) return false;
  if (lsu_misses(c, x, h->line)) return bypass_policy_miss(p, h->queue);
  bypass_policy_hit(p, h->queue);
  return false;
}

/* The L1D looks the line up; true if it takes it. The MRPB gets the answer. */
static bool try_l1d(core_t *c, const core_front_t *f) {
  core_mrpb_t *m = &c->mrpb;
  const core_held_t *h = &m->pool[f->number];
  uint64_t *answer = &m->in.l1_answer_i;
  m->tried = f->number;
  const bool took = !c->lsu.blocked && lsu_look_up(c, inst_of(c, h), h->line);
  *answer = took ? MRPB_L1_ACCEPTED : c->lsu.no_line ? MRPB_L1_ASSOC_STALL : MRPB_L1_OTHER_STALL;
  return took;
}

/* The refused read bypasses, if the MRPB wants that and its table has an entry. */
static bool bypass(core_t *c, const core_front_t *f) {
  core_mrpb_t *m = &c->mrpb;
  const core_held_t *h = &m->pool[f->number];
  mrpb_out_t out;
  m->tried = f->number;
  unit_mrpb_comb(&m->unit, &m->in, &out);
  if (!out.byp_valid_o || !lsu_bypass(c, inst_of(c, h), h->line)) return false;
  m->in.byp_ready_i = 1;
  gone(c, f);
  return true;
}

/* BYPASS_POLICY sends the read past the L1D: for the MRPB it is refused. */
static bool refused_by_policy(core_t *c, const core_front_t *f) {
  if (c->lsu.blocked || !decided(c, &c->mrpb.pool[f->number])) return false;
  c->mrpb.in.l1_answer_i = MRPB_L1_ASSOC_STALL;
  return true;
}

/* MRPB_ANSWER = 0: the presented request leaves for the L1D, or past it: true if it does. */
static bool present(core_t *c) {
  core_front_t f;
  if (!look_at_front(c, &f) || c->all->now < c->lsu.look_at) return false;
  if (refused_by_policy(c, &f) && bypass(c, &f)) return true;
  if (!try_l1d(c, &f)) return bypass(c, &f);
  gone(c, &f);
  return true;
}

/* MRPB_ANSWER > 0: the L1D answers the request that was presented so many cycles ago, and gets the
 * one that is presented now. If it refuses, it drops all that came after. In the cycle after a
 * refusal the refused read may bypass. True if a request leaves. */
static bool present_later(core_t *c) {
  core_mrpb_t *m = &c->mrpb;
  const unsigned answer = c->all->cfg.mrpb_answer;
  const core_front_t oldest = m->asked[0];
  const bool again = m->again;
  core_front_t f;
  m->again = false;
  memmove(&m->asked[0], &m->asked[1], (answer - 1) * sizeof m->asked[0]);
  m->asked[answer - 1].valid = false;
  const bool shows = look_at_front(c, &f);
  if (oldest.valid && (refused_by_policy(c, &oldest) || !try_l1d(c, &oldest))) {
    memset(m->asked, 0, sizeof m->asked);
    m->again = true;
    return false;
  }
  if (again && shows && bypass(c, &f)) return true;
  m->asked[answer - 1] = f;
  if (oldest.valid) gone(c, &oldest);
  return oldest.valid;
}

/* ---- the cycle ------------------------------------------------------------- */

/* The cycles since the last one that was run were like it. */
static void count_rest(core_t *c) {
  core_mrpb_t *m = &c->mrpb;
  inorder_stats_t *s = &c->all->stats;
  const uint64_t n = c->all->now - m->stepped - 1;
  s->mrpb_full += m->refused ? n : 0;
  s->mrpb_flush_full += m->flush_full ? n : 0;
  s->mrpb_flush_write += m->flush_write ? n : 0;
  if (c->profiled && m->refused) core_profiled_not_taken_again(c, n);
  m->stepped = c->all->now;
  m->refused = m->flush_full = m->flush_write = false;
}

/* The cycle and its edge, with all inputs known. */
static void clock_it(core_t *c, bool offered) {
  core_mrpb_t *m = &c->mrpb;
  inorder_stats_t *s = &c->all->stats;
  mrpb_out_t out;
  const bool stepped = unit_mrpb_step(&m->unit, true, &m->in, &out);
  if (!stepped && unit_edge(&m->unit, (const uint64_t *)&m->in, c->all->err) != 0)
    c->all->failed = true;
  if (out.order_err_o) broken(c, "has broken the order rule");
  m->refused = offered && !out.in_ready_o && m->in.in_kind_i != MRPB_KIND_BARRIER;
  m->flush_full = out.flush_full_o != 0;
  m->flush_write = out.flush_write_o != 0;
  s->mrpb_full += m->refused;
  s->mrpb_flush_full += m->flush_full;
  s->mrpb_flush_write += m->flush_write;
  if (c->profiled && m->refused) core_profiled_not_taken(c, lsu_in_turn(c));
  if (!out.in_ready_o) return;
  if (m->in.in_kind_i == MRPB_KIND_BARRIER)
    take_barrier(c);
  else
    take_line(c);
}

/* By then the last request has left the latency line, and the outbound buffer has been refilled. */
static uint64_t moves_until(const core_t *c) {
  const core_mrpb_t *m = &c->mrpb;
  const uint64_t in = m->entered + c->all->cfg.mrpb_latency, out = m->left + 1;
  return in > out ? in : out;
}

/* When there is something to do next. While a request stays refused and nothing moves, that is when
 * the table or the L1D changes (lsu_changed). */
static void plan(core_t *c) {
  const core_mrpb_t *m = &c->mrpb;
  const uint64_t now = c->all->now;
  const bool rests =
      m->held > 0 && c->lsu.blocked && !c->all->cfg.mrpb_answer && now > moves_until(c);
  const core_inst_t *x = lsu_in_turn(c);
  if (c->lsu.shared.n) core_soon(c, now + 1);
  if (x && !(rests && m->refused)) core_soon(c, x->due > now ? x->due : now + 1);
  if (!rests && (m->held > 0 || m->barriers)) core_soon(c, now + 1);
}

static bool asks(const core_mrpb_t *m) {
  if (m->again) return true;
  for (unsigned i = 0; i < CORE_MRPB_ANSWER; i++)
    if (m->asked[i].valid) return true;
  return false;
}

void core_mrpb_step(core_t *c) {
  core_mrpb_t *m = &c->mrpb;
  const bool held = m->held > 0;
  core_front_t f;
  count_rest(c);
  const bool left = held && (c->all->cfg.mrpb_answer ? present_later(c) : present(c));
  const bool offered = offer(c);
  if (held && !left && !asks(m) && c->all->now > moves_until(c) && !c->all->failed &&
      !look_at_front(c, &f) && !c->all->failed)
    broken(c, "holds requests and presents none");
  if (held || offered) clock_it(c, offered);
  m->in = at_rest;
  if (m->gone >= 0) {
    m->pool[m->gone].next_free = m->free;
    m->free = (uint16_t)m->gone;
    m->gone = -1;
  }
  plan(c);
}
