/* SPDX-License-Identifier: Apache-2.0 */
/* What the schedulers wait for. The cycles between two issues of a scheduler are those of the warp
 * that ends them: what it waited for last is what no other warp of the scheduler could bridge. They
 * are counted once, when it issues, from the times that its instruction and its loads have left
 * behind, the latest first. See docs/statistics.md. */
#include "gpu/inorder/inorder_state.h"

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
  for (unsigned why = 0; why < REFUSALS; why++) k->refused[why] = l->refused[why];
}

/* ---- issue ------------------------------------------------------------------- */

/* The cycles from `from` to *end, if there are any, were waited for `part`; *end moves there. */
static void until(core_t *c, uint64_t *end, uint64_t from, stack_part_t part) {
  if (from >= *end) return;
  c->all->stats.stack[part] += *end - from;
  *end = from;
}

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The `n` cycles before *end, but none before `from`. */
static void before(core_t *c, uint64_t *end, uint64_t n, uint64_t from, stack_part_t part) {
  until(c, end, n < *end ? later(*end - n, from) : from, part);
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
static void wait_for_unit(core_t *c, const warp_inst_t *i, uint64_t *end, uint64_t ready) {
  const core_stack_t *k = &c->stack;
  const stack_part_t unit = unit_of(c, i);
  if (unit == STACK_LSU && k->from) {
    const uint64_t to = k->since[REFUSED_TABLE] ? *end : k->to;
    until(c, end, later(to, ready), STACK_LSU);
    until(c, end, later(k->from, ready), STACK_TABLE);
  }
  until(c, end, ready, unit);
}

static void wait_for_load(core_t *c, const stack_warp_t *q, uint64_t end, uint64_t last) {
  const uint64_t issued = later(q->issued, last);
  until(c, &end, later(q->asked, last), q->level);
  before(c, &end, q->refused[REFUSED_TABLE], issued, STACK_TABLE);
  before(c, &end, q->refused[REFUSED_LINE], issued, STACK_LINES);
  until(c, &end, issued, STACK_LSU);
}

/* The latest cycles first. Those before the warp's block came are left. */
void stack_issue(core_t *c, unsigned w, uint64_t last) {
  const core_warp_t *p = &c->warp[w];
  const stack_warp_t *q = &p->stack;
  const uint64_t can_issue = c->can_issue[w];
  uint64_t end = c->all->now;
  if (can_issue < end) wait_for_unit(c, p->next, &end, later(can_issue, last));
  const uint64_t woken = later(q->woken, last);
  if (end > woken) c->all->stats.stack[operand_of(p, can_issue)] += end - woken;
  if (woken == last) return;
  if (end > woken) end = woken;
  if (q->by == WOKEN_BY_LOAD)
    wait_for_load(c, q, end, last);
  else if (q->by == WOKEN_BY_BARRIER)
    until(c, &end, last, STACK_BARRIER);
}
