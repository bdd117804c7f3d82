/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/pipeline/profiled.h"

#include "gpu/pipeline/sm_state.h"

#include <stdlib.h>

#define NO_ADDRESS UINT64_MAX /* of no array */

int sm_profiled_create(sm_profiled_t **out, profile_core_t *to, mrpb_err_t *err) {
  *out = NULL;
  if (!to) return 0;
  sm_profiled_t *p = *out = calloc(1, sizeof *p);
  if (!p) return mrpb_fail(err, "profile: out of memory");
  p->to = to;
  for (unsigned k = 0; k < SM_SCHEDULERS; k++) p->due[k].pc = PROFILE_NOWHERE;
  return 0;
}

static void add(const sm_profiled_t *p, sm_place_t at, profile_column_t column, uint64_t n) {
  if (n > 0) profile_add_at(p->to, at.pc, at.addr, column, n);
}

/* ---- tallies ------------------------------------------------------------------- */

static void tell(const sm_profiled_t *p, sm_tally_t *t) {
  if (t->at.addr != NO_ADDRESS)
    add(p, t->at, t->column, t->n);
  else if (t->n > 0)
    profile_add(p->to, t->at.pc, t->column, t->n);
  t->n = 0;
}

/* The same as in the last cycles, or else what they had is told. */
static void again(sm_profiled_t *p, sm_tally_of_t of, sm_place_t at, profile_column_t column,
                  uint64_t n) {
  sm_tally_t *t = &p->tally[of];
  if (t->at.pc != at.pc || t->at.addr != at.addr || t->column != column) {
    tell(p, t);
    *t = (sm_tally_t){at, column, 0};
  }
  t->n += n;
}

/* ---- issue --------------------------------------------------------------------- */

void sm_profiled_issue(sm_t *sm, unsigned w, const warp_inst_t *i, uint32_t mask, uint64_t now) {
  sm_profiled_t *p = sm->profiled;
  profile_add(p->to, i->pc, PROFILE_ISSUES, 1);
  profile_add(p->to, i->pc, PROFILE_THREADS, (unsigned)__builtin_popcount(mask));
  for (unsigned k = 0; k < 4 && i->dst[k]; k++)
    p->writer[i->dst[k]][w] = (sm_writer_t){.at.pc = i->pc, .since = now};
}

void sm_profiled_lines(sm_t *sm, unsigned w, const warp_inst_t *i, const uint64_t *addr,
                       uint32_t mask, const sm_accesses_t *a) {
  sm_profiled_t *p = sm->profiled;
  if (i->atomic) profile_changes(p->to, i->pc, addr, mask);
  for (unsigned n = 0; n < a->left; n++)
    add(p, (sm_place_t){i->pc, a->t[n].addr}, PROFILE_LINES, 1);
  if (a->left == 0 || i->cls != WARP_LOAD || !i->dst[0]) return;
  sm_writer_t *writer = &p->writer[i->dst[0]][w];
  writer->at = (sm_place_t){i->pc, a->t[0].addr};
  writer->load = true;
}

void sm_profiled_loaded(sm_t *sm, unsigned w, unsigned reg, uint64_t now) {
  const sm_profiled_t *p = sm->profiled;
  const sm_writer_t *by = &p->writer[reg][w];
  if (by->load) profile_loaded(p->to, by->at.pc, by->at.addr, now - by->since);
}

/* ---- the L1D ------------------------------------------------------------------- */

void sm_profiled_refused(sm_t *sm, l1d_reason_t reason, uint64_t n) {
  static const profile_column_t column[L1D_REASONS] = {[L1D_ASSOC] = PROFILE_REFUSED_ASSOC,
                                                       [L1D_MISSQ] = PROFILE_REFUSED_MISSQ,
                                                       [L1D_MSHR] = PROFILE_REFUSED_MSHR,
                                                       [L1D_MERGE] = PROFILE_REFUSED_MERGE};
  again(sm->profiled, SM_TALLY_REFUSED, sm->profiled->refused, column[reason], n);
}

void sm_profiled_tried(sm_t *sm, const l1d_request_t *r, const l1d_answer_t *a,
                       const l1d_stats_t *before) {
  sm_profiled_t *p = sm->profiled;
  const l1d_stats_t *now = l1d_stats(sm->l1d);
  const sm_place_t at = {r->pc, r->addr};
  if (a->reason != L1D_NONE) {
    p->refused = at;
    sm_profiled_refused(sm, a->reason, 1);
    return;
  }
  add(p, at, PROFILE_HITS, now->hits - before->hits);
  add(p, at, PROFILE_MISSES, now->misses - before->misses);
  add(p, at, PROFILE_PENDING, now->pending_hits - before->pending_hits);
  add(p, at, PROFILE_MERGES, now->merges - before->merges);
  add(p, at, PROFILE_WRITES, now->writes - before->writes);
}

/* ---- past the L1D -------------------------------------------------------------- */

void sm_profiled_tries_bypass(sm_t *sm, uint32_t pc, uint64_t addr) {
  sm->profiled->waits = (sm_place_t){pc, addr};
}

void sm_profiled_bypasses(sm_t *sm) {
  add(sm->profiled, sm->profiled->waits, PROFILE_BYPASSES, 1);
}

void sm_profiled_waits(sm_t *sm, uint64_t n) {
  sm_profiled_t *p = sm->profiled;
  const sm_wait_t wait = sm_bypass_waits_for(&sm->bypass);
  again(p, SM_TALLY_WAITS, p->waits,
        wait == SM_WAIT_ICNT    ? PROFILE_WAITS_ICNT
        : wait == SM_WAIT_TABLE ? PROFILE_WAITS_TABLE
                                : PROFILE_WAITS_STORE,
        n);
}

/* ---- the dispatch register ----------------------------------------------------- */

void sm_profiled_stays(sm_t *sm, uint64_t n) {
  const sm_place_t at = {sm_ldst_inst(&sm->ldst)->pc, NO_ADDRESS};
  again(sm->profiled, SM_TALLY_STAYS, at, PROFILE_STAGE, n);
}

void sm_profiled_not_taken(sm_t *sm, bool barrier, uint64_t n) {
  sm_place_t at = {PROFILE_NOWHERE, NO_ADDRESS};
  if (!barrier)
    at = (sm_place_t){sm_ldst_inst(&sm->ldst)->pc,
                      sm_ldst_access(&sm->ldst)->t[sm_ldst_l1d_left(&sm->ldst) - 1].addr};
  again(sm->profiled, SM_TALLY_NOT_TAKEN, at, PROFILE_REFUSED_MRPB, n);
}

/* ---- schedulers ---------------------------------------------------------------- */

/* The instruction that writes a register which warp `w` awaits; its own next one if none does, which
 * waits for something else. */
static uint32_t awaited_by(const sm_t *sm, unsigned w) {
  const warp_inst_t *i = sm_warps_at(&sm->warps, w)->next;
  for (unsigned k = 0; k < WARP_OPERANDS; k++)
    if (i->regs[k] && sm_sched_awaits(&sm->sched, w, i->regs[k]))
      return sm->profiled->writer[i->regs[k]][w].at.pc;
  return i->pc;
}

/* The instruction that scheduler k's state is due to, or PROFILE_NOWHERE. */
static uint32_t due_to(const sm_t *sm, unsigned k, sm_sched_outcome_t state) {
  const uint64_t warps = sm_sched_warps(&sm->sched, k) & sm_warps_to_issue(&sm->warps);
  const uint64_t ready = sm_sched_ready(&sm->sched) & warps;
  if (state == SM_SCHED_SCOREBOARD) return awaited_by(sm, sm_sched_first(&sm->sched, k, warps));
  if (state != SM_SCHED_PIPELINE) return PROFILE_NOWHERE;
  return sm_warps_at(&sm->warps, sm_sched_first(&sm->sched, k, ready))->next->pc;
}

/* Tells of the state that scheduler `k` was in; from now on it is in this one. */
static void stall(sm_profiled_t *p, unsigned k, sm_sched_outcome_t state, uint32_t pc) {
  static const profile_column_t column[SM_SCHED_OUTCOMES] = {
      [SM_SCHED_IDLE] = PROFILE_IDLE,
      [SM_SCHED_SCOREBOARD] = PROFILE_SCOREBOARD,
      [SM_SCHED_PIPELINE] = PROFILE_PIPELINE};
  sm_due_t *s = &p->due[k];
  if (s->state != SM_SCHED_ISSUED && p->cycles > s->since)
    profile_add(p->to, s->pc, column[s->state], p->cycles - s->since);
  *s = (sm_due_t){pc, state, p->cycles};
}

void sm_profiled_scheduled(sm_t *sm) {
  sm_profiled_t *p = sm->profiled;
  for (unsigned k = 0; k < sm_sched_number(&sm->sched); k++) {
    const sm_sched_outcome_t state = sm_sched_state(&sm->sched, k);
    const uint32_t pc = due_to(sm, k, state);
    if (state != p->due[k].state || pc != p->due[k].pc) stall(p, k, state, pc);
  }
}

void sm_profiled_told(sm_t *sm) {
  sm_profiled_t *p = sm->profiled;
  for (unsigned k = 0; k < sm_sched_number(&sm->sched); k++)
    stall(p, k, p->due[k].state, p->due[k].pc);
  for (unsigned i = 0; i < SM_TALLIES; i++) tell(p, &p->tally[i]);
}
