/* SPDX-License-Identifier: Apache-2.0 */
/* Gives each call of a function that calls itself its own .local variables. They lie in a stack in
 * the thread's local memory. The stack is a hidden variable: a word with the number of bytes in
 * use, then the bytes. The function takes its part at its beginning and releases it where it
 * returns. An address in its part is a hidden register plus an offset. */
#include "workload/ptx/parse.h"

#include <stdlib.h>
#include <string.h>

enum {
  HEAD = 16,      /* bytes before the stack: they hold the number of bytes in use */
  MOST = 1 << 16, /* maximum bytes of the stack */
  GROWTH = 4,     /* max instructions added at the beginning, or for one instruction */
  FRAME = 1,
  SPARE,
  NEW = SPARE /* number of hidden registers, which follow the function's own */
};

/* A function being rewritten. */
typedef struct {
  parser_t *p;
  unit_t *u;
  uint32_t unit, stack, bytes; /* its number, the stack variable, bytes per call */
  ptx_inst_t *to;
  uint32_t n;
  uint32_t *at; /* new index of each instruction */
} depot_t;

static ptx_operand_t reg_of(const depot_t *d, unsigned which) {
  return (ptx_operand_t){.kind = PTX_OPERAND_REG, .reg = d->u->k.n_regs - 1 + which};
}

static ptx_operand_t number(uint64_t v) {
  return (ptx_operand_t){.kind = PTX_OPERAND_IMM, .imm = v};
}

static ptx_operand_t stack_at(const depot_t *d, uint64_t offset) {
  return (ptx_operand_t){.kind = PTX_OPERAND_SYMBOL, .reg = d->stack, .imm = offset};
}

/* Adds an instruction with the guard of `like`; all added instructions are as wide as an
 * address. */
static ptx_inst_t *add(depot_t *d, ptx_op_t op, const ptx_inst_t *like) {
  ptx_inst_t *i = &d->to[d->n++];
  *i = (ptx_inst_t){.op = (uint8_t)op,
                    .type = d->p->m->narrow ? PTX_U32 : PTX_U64,
                    .n_vector = 1,
                    .guard = like->guard,
                    .guard_negated = like->guard_negated,
                    .target = PTX_NO_TARGET,
                    .reconverge = PTX_NO_TARGET,
                    .line = like->line};
  return i;
}

static void sum(depot_t *d, ptx_op_t op, const ptx_inst_t *like, ptx_operand_t to, ptx_operand_t a,
                ptx_operand_t b) {
  ptx_inst_t *i = add(d, op, like);
  i->dst[0] = to;
  i->src[0] = a;
  i->src[1] = b;
}

/* Moves the word of the stack to or from the spare register; timed like a parameter of a call. */
static void word(depot_t *d, bool load, const ptx_inst_t *like) {
  ptx_inst_t *i = add(d, load ? PTX_OP_LD : PTX_OP_ST, like);
  i->space = PTX_ARGUMENT;
  i->warp.elem = (uint8_t)ptx_type_bytes((ptx_type_t)i->type);
  i->src[0] = stack_at(d, 0);
  *(load ? &i->dst[0] : &i->src[1]) = reg_of(d, SPARE);
}

static void begin(depot_t *d) {
  const ptx_inst_t like = {.line = d->u->line};
  word(d, true, &like);
  sum(d, PTX_OP_ADD, &like, reg_of(d, FRAME), reg_of(d, SPARE), stack_at(d, HEAD));
  sum(d, PTX_OP_ADD, &like, reg_of(d, SPARE), reg_of(d, SPARE), number(d->bytes));
  word(d, false, &like);
}

static void give_back(depot_t *d, const ptx_inst_t *like) {
  sum(d, PTX_OP_SUB, like, reg_of(d, SPARE), reg_of(d, FRAME), stack_at(d, HEAD));
  word(d, false, like);
}

static bool is_ours(const depot_t *d, const variable_t *v, uint32_t index) {
  return v->kernel == d->unit && v->v.space == PTX_LOCAL && index != d->u->area &&
         index != d->stack;
}

static int refuse(const depot_t *d, const ptx_inst_t *i) {
  return ptx_fail(
      d->p, i->line,
      "function '%.80s' calls itself, directly or through others: the address of a "
      ".local variable of its own; legal: in mov, ld, st and a cvta as wide as addresses",
      d->u->k.name);
}

/* Rewrites an instruction that has the address of a .local variable of the function. */
static int rewrite(depot_t *d, const ptx_inst_t *i, unsigned s) {
  const ptx_operand_t o = i->src[s];
  const uint64_t offset = o.imm + d->p->m->variables[o.reg].v.address;
  const unsigned wide = d->p->m->narrow ? 4 : 8;
  ptx_inst_t now = *i;
  if (s != 0) return refuse(d, i);
  if (i->op == PTX_OP_LD || i->op == PTX_OP_ST) {
    now.src[0] = reg_of(d, FRAME);
    now.offset += (int64_t)offset;
  } else if ((i->op == PTX_OP_MOV && i->n_vector == 1) || i->op == PTX_OP_CVTA) {
    sum(d, PTX_OP_ADD, i, reg_of(d, SPARE), reg_of(d, FRAME), number(offset));
    now.src[0] = reg_of(d, SPARE);
    if (ptx_type_bytes((ptx_type_t)i->type) != wide) {
      if (i->op != PTX_OP_MOV) return refuse(d, i);
      now.op = PTX_OP_CVT;
      now.type = wide == 8 ? PTX_U32 : PTX_U64;
      now.type2 = wide == 8 ? PTX_U64 : PTX_U32;
    }
  } else {
    return refuse(d, i);
  }
  d->to[d->n++] = now;
  return 0;
}

static int copy(depot_t *d, const ptx_inst_t *i) {
  const ptx_module_t *m = d->p->m;
  if (i->op == PTX_OP_RET) give_back(d, i);
  for (unsigned s = 0; s < 5; s++)
    if (i->src[s].kind == PTX_OPERAND_SYMBOL &&
        is_ours(d, &m->variables[i->src[s].reg], i->src[s].reg))
      return rewrite(d, i, s);
  d->to[d->n++] = *i;
  return 0;
}

/* Branches must point to the new indices of their targets. */
static int retarget(depot_t *d, ptx_inst_t *i) {
  if (i->op != PTX_OP_CALL && i->target != PTX_NO_TARGET) i->target = d->at[i->target];
  if (i->op != PTX_OP_BRX) return 0;
  uint32_t *to = ptx_alloc(d->p, (i->n_targets + 1) * sizeof *to);
  for (uint32_t t = 0; to && t < i->n_targets; t++) to[t] = d->at[i->targets[t]];
  i->targets = to;
  return to ? 0 : -1;
}

/* Adds the hidden registers behind the existing ones. */
static int add_registers(depot_t *d) {
  static const char *const names[] = {"%frame", "%spare"};
  const unsigned n = d->u->k.n_regs;
  ptx_reg_t *regs = ptx_alloc(d->p, (n + NEW) * sizeof *regs);
  if (!regs) return -1;
  memcpy(regs, d->u->k.regs, n * sizeof *regs);
  for (unsigned i = 0; i < NEW; i++)
    regs[n + i] = (ptx_reg_t){.name = names[i], .type = d->p->m->narrow ? PTX_B32 : PTX_B64};
  d->u->k.regs = regs;
  return 0;
}

static int write_code(depot_t *d) {
  const ptx_kernel_t *k = &d->u->k;
  d->to = ptx_alloc(d->p, (k->n_insts + 1) * (size_t)GROWTH * sizeof *d->to);
  d->at = ptx_alloc(d->p, (k->n_insts + 1) * sizeof *d->at);
  if (!d->to || !d->at || add_registers(d)) return -1;
  begin(d);
  for (uint32_t i = 0; i < k->n_insts; i++) {
    d->at[i] = d->n;
    if (copy(d, &k->insts[i])) return -1;
  }
  for (uint32_t i = 0; i < d->n; i++)
    if (retarget(d, &d->to[i])) return -1;
  d->u->k.insts = d->to;
  d->u->k.n_insts = d->n;
  d->u->k.n_regs += NEW;
  return ptx_reconverge(d->to, d->n) ? ptx_no_memory(d->p, d->u->line) : 0;
}

/* Assigns the offsets of the variables within a call's part; *line is the line of the last one. */
static uint32_t lay_out(depot_t *d, uint32_t *line) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < d->p->m->n_variables; i++) {
    variable_t *v = &d->p->m->variables[i];
    if (!is_ours(d, v, i)) continue;
    v->v.address = (bytes + v->v.align - 1) / v->v.align * v->v.align;
    v->in_stack = true;
    bytes = v->v.address + v->v.bytes;
    *line = v->line;
    if (bytes > MOST) return MOST + 1;
  }
  return (uint32_t)(bytes + HEAD - 1) / HEAD * HEAD;
}

static int give_depot(parser_t *p, uint32_t unit) {
  depot_t d = {.p = p, .unit = unit, .u = &p->m->units[unit], .stack = UINT32_MAX};
  uint32_t line = 0;
  d.bytes = lay_out(&d, &line);
  if (d.bytes == 0) return 0;
  if (d.bytes > MOST)
    return ptx_fail(p, line,
                    "function '%.80s' calls itself and has more than %d bytes of .local variables",
                    d.u->k.name, MOST);
  const uint32_t calls = MOST / d.bytes < PTX_RECURSION ? MOST / d.bytes : PTX_RECURSION;
  if (ptx_hidden_variable(p, "(stack of calls)", unit, line, &d.stack)) return -1;
  d.u->stack = d.stack;
  p->m->variables[d.stack].v.bytes = HEAD + calls * d.bytes;
  return write_code(&d);
}

int ptx_give_depots(parser_t *p) {
  ptx_module_t *m = p->m;
  uint8_t *open = malloc(m->n_units + 1);
  int rc = open ? 0 : ptx_no_memory(p, p->line);
  for (uint32_t i = 0; i < m->n_units && rc == 0; i++) {
    unit_t *u = &m->units[i];
    if (!u->function || u->k.refused) continue;
    memset(open, 0, m->n_units);
    if (!ptx_leads_to(m, i, i, open) || give_depot(p, i) == 0) continue;
    u->k.refused = ptx_keep_error(p);
    u->k.insts = NULL;
    u->k.n_insts = 0;
    if (!u->k.refused) rc = -1;
  }
  free(open);
  return rc;
}
