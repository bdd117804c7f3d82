/* SPDX-License-Identifier: Apache-2.0 */
/* What the SM's timing sees of an instruction: unit, latency, initiation interval, and registers in
 * the order in which the operand collector reads them. Follows GPGPU-Sim 3.2.0, which derives them
 * from PTX with the latencies of its Tesla C2050 file. */
#include "workload/ptx/parse.h"

typedef struct {
  uint16_t latency, interval;
} cost_t;

/* Columns: integers (and everything untyped), .f32, .f64. */
static const cost_t costs[][3] = {
    [ISSUE_PLAIN] = {{1, 1}, {1, 1}, {1, 1}},   [ISSUE_ADD] = {{4, 1}, {4, 1}, {8, 8}},
    [ISSUE_MAX] = {{13, 2}, {13, 2}, {19, 16}}, [ISSUE_MUL] = {{4, 2}, {4, 1}, {8, 8}},
    [ISSUE_MAD] = {{5, 1}, {5, 1}, {8, 8}},     [ISSUE_DIV] = {{145, 8}, {39, 4}, {330, 130}},
    [ISSUE_SFU] = {{8, 8}, {8, 8}, {8, 8}}, /* taken for a double-precision multiply */
};

static warp_unit_t unit_of(ptx_issue_t issue, bool is_float) {
  switch (issue) {
  case ISSUE_MUL:
    return is_float ? WARP_SP_OR_SFU : WARP_SFU;
  case ISSUE_MAD:
    return is_float ? WARP_SP : WARP_SFU;
  case ISSUE_DIV:
  case ISSUE_SFU:
    return WARP_SFU;
  case ISSUE_MEMORY:
    return WARP_MEM;
  case ISSUE_PLAIN:
  case ISSUE_ADD:
  case ISSUE_MAX:
    break;
  }
  return WARP_SP;
}

static warp_space_t space_of(const ptx_inst_t *i) {
  if (i->op == PTX_OP_TEX) return WARP_TEX;
  if (i->space == PTX_SHARED) return WARP_SHARED;
  return i->space == PTX_CONST || i->space == PTX_PARAM ? WARP_CONST : WARP_GLOBAL;
}

static void time_class(ptx_inst_t *i) {
  warp_inst_t *w = &i->warp;
  switch ((int)i->op) {
  case PTX_OP_BRA:
  case PTX_OP_BRX:
  case PTX_OP_CALL:
  case PTX_OP_RET:
    w->cls = WARP_BRANCH;
    break;
  case PTX_OP_BAR:
    w->cls = WARP_BARRIER;
    break;
  case PTX_OP_EXIT:
  case PTX_OP_TRAP:
    w->cls = WARP_EXIT;
    break;
  case PTX_OP_ST:
    w->cls = WARP_STORE;
    break;
  case PTX_OP_TEX:
  case PTX_OP_LD:
  case PTX_OP_CP_ASYNC:
  case PTX_OP_ATOM:
  case PTX_OP_RED:
    w->cls = WARP_LOAD;
    break;
  default:
    w->cls = WARP_ALU;
    break;
  }
  if (i->space == PTX_ARGUMENT) w->cls = WARP_ALU; /* passed in registers */
  bool memory = w->cls == WARP_LOAD || w->cls == WARP_STORE;
  unsigned column = i->type == PTX_F64 ? 2 : i->type == PTX_F32 ? 1 : 0;
  ptx_issue_t issue = ptx_row_of((ptx_op_t)i->op)->issue;
  if (issue == ISSUE_MEMORY && !memory) issue = ISSUE_PLAIN;
  w->unit = unit_of(issue, column != 0);
  w->latency = memory ? 0 : costs[issue][column].latency;
  w->interval = memory ? 0 : costs[issue][column].interval;
  w->space = memory ? space_of(i) : WARP_GLOBAL;
  if (!memory) w->elem = 0;
}

static void add_source(warp_inst_t *w, const ptx_operand_t *o, unsigned *n, const ptx_reg_t *regs) {
  if (o->kind != PTX_OPERAND_REG) return;
  if (*n < 4) {
    w->src[*n] = ptx_sm_register(o->reg);
    w->src_bank[*n] = regs[o->reg].bank;
  } else {
    w->wait[1] = ptx_sm_register(o->reg);
  }
  ++*n;
}

/* Destinations; `_` has no register and is skipped. */
static void add_targets(warp_inst_t *w, const ptx_inst_t *i, const ptx_reg_t *regs) {
  unsigned n = 0;
  for (unsigned d = 0; d < 4; d++) {
    if (i->dst[d].kind != PTX_OPERAND_REG) continue;
    w->dst[n] = ptx_sm_register(i->dst[d].reg);
    w->dst_bank[n++] = regs[i->dst[d].reg].bank;
  }
}

void ptx_time(ptx_inst_t *i, const ptx_reg_t *regs) {
  warp_inst_t *w = &i->warp;
  unsigned n = 0;
  time_class(i);
  w->op = i->op;
  w->type = i->type;
  w->variant = i->op == PTX_OP_MUL || i->op == PTX_OP_MAD ? i->mul : w->atomic ? i->what : i->round;
  w->clock = ptx_is_clock(&i->src[0]);
  w->param = i->op == PTX_OP_LD && i->space == PTX_PARAM;
  add_targets(w, i, regs);
  bool store = i->op == PTX_OP_ST || w->atomic; /* values first, then the address */
  for (unsigned s = store ? 1 : 0; s < 5; s++) add_source(w, &i->src[s], &n, regs);
  if (store) add_source(w, &i->src[0], &n, regs);
  w->wait[0] = ptx_sm_register(i->guard);
  warp_inst_gather(w);
}
