/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction reads and writes, and where basic blocks begin: for the passes that change
 * code. */
#ifndef PTX_FLOW_H
#define PTX_FLOW_H

#include "workload/ptx/ptx.h"

static inline bool ptx_operand_is(const ptx_operand_t *o, uint32_t reg) {
  return o->kind == PTX_OPERAND_REG && o->reg == reg;
}

/* As an operand; a guard is not one. */
static inline bool ptx_reads(const ptx_inst_t *i, uint32_t reg) {
  for (unsigned s = 0; s < 5; s++)
    if (ptx_operand_is(&i->src[s], reg)) return true;
  return false;
}

static inline bool ptx_writes(const ptx_inst_t *i, uint32_t reg) {
  for (unsigned d = 0; d < 4; d++)
    if (ptx_operand_is(&i->dst[d], reg)) return true;
  return false;
}

static inline bool ptx_jumps(const ptx_inst_t *i) {
  return i->op == PTX_OP_BRA || i->op == PTX_OP_BRX || i->op == PTX_OP_CALL || ptx_ends_thread(i);
}

/* Marks the targets of branches and the beginnings of functions among the n_insts instructions.
 * What follows a jump is not marked. */
static inline void ptx_leaders(const ptx_kernel_t *k, bool *leader) {
  for (uint32_t i = 0; i < k->n_insts; i++) {
    if (k->insts[i].op == PTX_OP_BRA && k->insts[i].target < k->n_insts)
      leader[k->insts[i].target] = true;
    for (uint32_t t = 0; t < k->insts[i].n_targets; t++) leader[k->insts[i].targets[t]] = true;
  }
  for (unsigned s = 0; s < k->n_spans; s++) leader[k->spans[s].first] = true;
}

#endif
