/* SPDX-License-Identifier: Apache-2.0 */
/* Order of a warp's loads and stores to one line between issue and the LDST unit: instructions
 * leave the operand collectors in any order (docs/check.md, hazard g). */
#include "gpu/pipeline/sm_state.h"

#define SLOT(s) (UINT64_C(1) << (s))

/* True if two lists of transactions touch a common line. */
static bool meet(const sm_accesses_t *a, const sm_accesses_t *b) {
  for (unsigned i = 0; i < a->left; i++)
    for (unsigned j = 0; j < b->left; j++)
      if (a->t[i].addr / COALESCER_LINE == b->t[j].addr / COALESCER_LINE) return true;
  return false;
}

/* The same for lists in ascending order. */
static bool share_line(const sm_accesses_t *a, const sm_accesses_t *b) {
  for (unsigned i = 0, j = 0; i < a->left && j < b->left;) {
    uint64_t x = a->t[i].addr / COALESCER_LINE, y = b->t[j].addr / COALESCER_LINE;
    if (x == y) return true;
    if (x < y)
      i++;
    else
      j++;
  }
  return false;
}

static bool writes(const warp_inst_t *i) {
  return i->cls == WARP_STORE || i->atomic;
}

void sm_ldst_keep_order(sm_t *sm, unsigned w, unsigned slot) {
  const sm_pipe_t *p = &sm->pipe;
  const sm_accesses_t *access = sm->ldst.access;
  const warp_inst_t *mine = sm_pipe_inst(p, slot);
  uint64_t behind = 0;
  if (sm->hazards & HAZARD_COLLECTOR || mine->space != WARP_GLOBAL) return;
  for (uint64_t m = sm_pipe_mem_inside(p) & ~SLOT(slot); m; m &= m - 1) {
    unsigned other = (unsigned)__builtin_ctzll(m);
    const warp_inst_t *i = sm_pipe_inst(p, other);
    if (sm_pipe_warp(p, other) != w || i->space != WARP_GLOBAL || !(writes(i) || writes(mine)))
      continue;
    const bool atomic = i->atomic || mine->atomic; /* not in ascending order */
    if (atomic ? meet(&access[slot], &access[other]) : share_line(&access[slot], &access[other]))
      behind |= SLOT(other);
  }
  sm_pipe_order(&sm->pipe, slot, behind);
}
