/* SPDX-License-Identifier: Apache-2.0 */
/* What the schedulers of a core wait for: stack.c. */
#ifndef CORE_STACK_H
#define CORE_STACK_H

#include "gpu/inorder/inorder_state.h"

void stack_refused(core_t *c, refusal_t why);
void stack_accepted(core_t *c, refusal_t why);
void stack_load(core_t *c, core_load_t *l);
/* The last line of a load has been looked up. */
void stack_asked(core_t *c, core_load_t *l);
/* Data of the load come at `at` from `level`. */
static inline void stack_line(core_load_t *l, uint64_t at, stack_part_t level) {
  if (at < l->last) return;
  l->last = at;
  l->level = (uint8_t)level;
}
static inline void stack_woken(core_warp_t *w, uint64_t at, woken_t by) {
  w->stack.woken = at;
  w->stack.by = (uint8_t)by;
}
/* The load's data end the wait of its warp. */
void stack_data(core_t *c, const core_load_t *l);
/* Warp `w` issues: counts the cycles from `last`, the end of the scheduler's last issue, as what
 * the warp waited for. */
void stack_issue(core_t *c, unsigned w, uint64_t last);

#endif
