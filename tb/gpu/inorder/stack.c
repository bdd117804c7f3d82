/* SPDX-License-Identifier: Apache-2.0 */
/* What the schedulers wait for. The cycles between two issues of a scheduler are those of the warp
 * that ends them: what it waited for last is what no other warp of the scheduler could bridge. They
 * are counted once, when it issues, from the times that its instruction and its loads have left
 * behind, the latest first. See docs/statistics.md. */
#include "gpu/inorder/stack.h"

#include "gpu/inorder/profiled.h"

/* ---- refusals of the load/store unit ------------------------------------------ */

void stack_refused(core_t *c, refusal_t why) {
  core_stack_t *k = &c->stack;
  if (k->since[why]) return;
  k->since[why] = c->all->now;
  if (why == REFUSED_TABLE) k->from = c->all->now;
}

void stack_accepted(core_t *c, refusal_t why) {
  core_stack_t *k = &c->stack;
  if (k->since[why] == 0) return;
  k->sum[why] += c->all->now - k->since[why];
  k->since[why] = 0;
  if (why == REFUSED_TABLE) k->to = c->all->now;
}

static uint64_t refused(const core_t *c, refusal_t why) {
  const core_stack_t *k = &c->stack;
  return k->sum[why] + (k->since[why] ? c->all->now - k->since[why] : 0);
}

/* ---- loads ------------------------------------------------------------------- */

void stack_load(core_t *c, core_load_t *l) {
  l->issued = c->all->now;
  for (unsigned why = 0; why < REFUSALS; why++) l->at_issue[why] = refused(c, why);
}

void stack_asked(core_t *c, core_load_t *l) {
  l->asked = c->all->now;
  for (unsigned why = 0; why < REFUSALS; why++)
    l->refused[why] = (uint32_t)(refused(c, why) - l->at_issue[why]);
}

void stack_data(core_t *c, const core_load_t *l) {
  stack_warp_t *k = &c->warp[l->warp].stack;
  stack_woken(&c->warp[l->warp], c->all->now, WOKEN_BY_LOAD);
  k->issued = l->issued;
  k->asked = l->asked;
  k->level = l->level;
  if (c->profiled) core_profiled_woken(c, l);
  for (unsigned why = 0; why < REFUSALS; why++) k->refused[why] = l->refused[why];
}

/* ---- issue ------------------------------------------------------------------- */

/* The cycles before warp `w` issues that are not counted yet: those before `end`. */
typedef struct {
  core_t *c;
  unsigned w;
  uint64_t end;
} gap_t;

/* The cycles from `from` to the end, if there are any, were waited for `part`; the end moves there. */
static void until(gap_t *g, uint64_t from, core_awaits_t awaits, stack_part_t part) {
  if (from >= g->end) return;
  const uint64_t n = g->end - from;
  g->c->all->stats.stack[part] += n;
  if (g->c->all->stacks) stacks_add(g->c->all->stacks, g->c->id, part, from, g->end);
  if (g->c->profiled) core_profiled_waited(g->c, g->w, awaits, part, n);
  g->end = from;
}

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The `n` cycles before the end, but none before `from`. */
static void before(gap_t *g, uint64_t n, uint64_t from, stack_part_t part) {
  until(g, n < g->end ? later(g->end - n, from) : from, AWAITS_LOAD, part);
}

/* What an instruction that has its operands waits for. */
static stack_part_t unit_of(const core_t *c, const warp_inst_t *i) {
  if (i->cls != WARP_LOAD && i->cls != WARP_STORE) return STACK_UNITS;
  return lsu_takes(c, i) ? STACK_LSU : STACK_SHARED;
}

/* What it waited for before, if not for a load of the load/store unit or a barrier. */
static stack_part_t operand_of(const core_warp_t *p, uint64_t can_issue) {
  if (p->fetched >= can_issue) return STACK_FETCH;
  return p->stack.space >= can_issue ? p->stack.space_part : STACK_SCOREBOARD;
}

/* The instruction has had its operands since `ready`; the table has refused the unit meanwhile. */
static void wait_for_unit(gap_t *g, const warp_inst_t *i, uint64_t ready) {
  const core_stack_t *k = &g->c->stack;
  const stack_part_t unit = unit_of(g->c, i);
  if (unit == STACK_LSU && k->from) {
    const uint64_t to = k->since[REFUSED_TABLE] ? g->end : k->to;
    until(g, later(to, ready), AWAITS_UNIT, STACK_LSU);
    until(g, later(k->from, ready), AWAITS_UNIT, STACK_TABLE);
  }
  until(g, ready, AWAITS_UNIT, unit);
}

static void wait_for_load(gap_t *g, const stack_warp_t *q, uint64_t last) {
  const uint64_t issued = later(q->issued, last);
  until(g, later(q->asked, last), AWAITS_LOAD, q->level);
  before(g, q->refused[REFUSED_TABLE], issued, STACK_TABLE);
  before(g, q->refused[REFUSED_LINE], issued, STACK_LINES);
  until(g, issued, AWAITS_LOAD, STACK_LSU);
}

/* The latest cycles first. Those before the warp's block came are left. */
void stack_issue(core_t *c, unsigned w, uint64_t last) {
  const core_warp_t *p = &c->warp[w];
  const stack_warp_t *q = &p->stack;
  const uint64_t can_issue = c->can_issue[w];
  gap_t g = {c, w, c->all->now};
  if (can_issue < g.end) wait_for_unit(&g, p->next, later(can_issue, last));
  const uint64_t woken = later(q->woken, last);
  until(&g, woken, AWAITS_OPERAND, operand_of(p, can_issue));
  if (woken == last) return;
  if (q->by == WOKEN_BY_LOAD)
    wait_for_load(&g, q, last);
  else if (q->by == WOKEN_BY_BARRIER)
    until(&g, last, AWAITS_BARRIER, STACK_BARRIER);
}
