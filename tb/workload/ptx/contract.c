/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of products that the driver's compiler contracts to fma: docs/ptx.md, "Contraction".
 *
 * A product and a sum without rounding modifiers become one fma if nothing but such sums uses the
 * product. The product's instruction stays, but no instruction reads its result any more. */
#include "workload/ptx/flow.h"
#include "workload/ptx/parse.h"

#include <stdlib.h>

typedef struct {
  const ptx_kernel_t *k;
  uint32_t *from[2]; /* of a sum: 1 + the product that is its first or second operand; 0: none */
  uint32_t *uses;    /* of a product: the number of sums that use it; 0: it stays */
  uint32_t *seen, *stack; /* of a walk; seen: 1 + the product for which it was */
  bool *leader;           /* the first instruction of a basic block */
} work_t;

/* ---- one instruction ------------------------------------------------------------------------- */

static bool is_plain(const ptx_inst_t *i) {
  return ptx_is_float((ptx_type_t)i->type) && i->round == PTX_ROUND_NONE;
}

static bool is_product(const ptx_inst_t *i) {
  return i->op == PTX_OP_MUL && is_plain(i) && !i->sat && !i->guard;
}

static bool is_sum(const ptx_inst_t *i) {
  return (i->op == PTX_OP_ADD || i->op == PTX_OP_SUB) && is_plain(i);
}

/* ---- constants ------------------------------------------------------------------------------- */

/* What the compiler computes itself if all its operands are constants. */
static bool can_fold(const ptx_inst_t *i) {
  if (i->guard || i->carry_out) return false;
  return i->op == PTX_OP_MOV || i->op == PTX_OP_CVT || i->op == PTX_OP_ADD || i->op == PTX_OP_SUB ||
         i->op == PTX_OP_MUL;
}

/* The instruction whose result instruction `at` reads in the register: the last one that writes it
 * in the block, or else the only one. n_insts: not known. */
static uint32_t writer_of(const work_t *x, uint32_t at, uint32_t reg) {
  const ptx_kernel_t *k = x->k;
  uint32_t only = k->n_insts;
  for (uint32_t i = at; i > 0 && !x->leader[i] && !ptx_jumps(&k->insts[i - 1]); i--)
    if (ptx_writes(&k->insts[i - 1], reg)) return i - 1;
  for (uint32_t i = 0; i < k->n_insts; i++) {
    if (!ptx_writes(&k->insts[i], reg)) continue;
    if (only < k->n_insts) return k->n_insts;
    only = i;
  }
  return only;
}

enum { FOLD_DEPTH = 8 };

static bool is_constant(const work_t *x, uint32_t at, const ptx_operand_t *o, unsigned depth) {
  if (o->kind != PTX_OPERAND_REG) return o->kind == PTX_OPERAND_IMM;
  const uint32_t by = depth < FOLD_DEPTH ? writer_of(x, at, o->reg) : x->k->n_insts;
  if (by >= x->k->n_insts || !can_fold(&x->k->insts[by])) return false;
  const ptx_inst_t *i = &x->k->insts[by];
  bool all = i->src[0].kind != PTX_OPERAND_NONE;
  for (unsigned s = 0; s < 5 && all; s++)
    all = i->src[s].kind == PTX_OPERAND_NONE || is_constant(x, by, &i->src[s], depth + 1);
  return all;
}

/* Whether the compiler computes the product: it is then no instruction that a sum could take. In 16
 * bits it does not. */
static bool is_folded(const work_t *x, uint32_t at) {
  const ptx_inst_t *i = &x->k->insts[at];
  if (i->type != PTX_F32 && i->type != PTX_F64) return false;
  return is_constant(x, at, &i->src[0], 0) && is_constant(x, at, &i->src[1], 0);
}

/* ---- uses of a product ----------------------------------------------------------------------- */

static void push(work_t *x, uint32_t *n, uint32_t to, uint32_t mark) {
  if (to >= x->k->n_insts || x->seen[to] == mark) return;
  x->seen[to] = mark;
  x->stack[(*n)++] = to;
}

/* Whether some path from behind `last`, the end of a block, reads `reg` before it is written. */
static bool read_later(work_t *x, uint32_t last, uint32_t reg, uint32_t mark) {
  const ptx_inst_t *inst = x->k->insts;
  uint32_t n = 0, at = last;
  for (;;) {
    const ptx_inst_t *i = &inst[at];
    const bool ends = i->op == PTX_OP_BRA || i->op == PTX_OP_BRX || ptx_ends_thread(i);
    if (i->op == PTX_OP_BRA) push(x, &n, i->target, mark);
    for (uint32_t t = 0; t < i->n_targets; t++) push(x, &n, i->targets[t], mark);
    if (!ends || i->guard) push(x, &n, at + 1, mark);
    for (;;) {
      if (n == 0) return false;
      at = x->stack[--n];
      if (ptx_reads(&inst[at], reg)) return true;
      if (!ptx_writes(&inst[at], reg) || inst[at].guard) break;
    }
  }
}

/* Whether the sum can take the place of product `p`, and as which of its operands. */
static bool takes(const ptx_inst_t *p, const ptx_inst_t *sum, unsigned *operand) {
  const uint32_t reg = p->dst[0].reg;
  if (!is_sum(sum) || sum->type != p->type || sum->ftz != p->ftz) return false;
  *operand = ptx_operand_is(&sum->src[1], reg);
  return ptx_operand_is(&sum->src[0], reg) != ptx_operand_is(&sum->src[1], reg);
}

/* Notes the sums that use product `at`, if nothing else does, and they are in its basic block. */
static void find_uses(work_t *x, uint32_t at) {
  const ptx_inst_t *inst = x->k->insts, *p = &inst[at];
  const uint32_t reg = p->dst[0].reg;
  bool gone = ptx_reads(p, reg), changed = gone; /* result overwritten; operands overwritten */
  uint32_t j = at, found = 0;
  unsigned operand;
  if (gone) return;
  while (j + 1 < x->k->n_insts && !gone && !x->leader[j + 1] && !ptx_jumps(&inst[j])) {
    const ptx_inst_t *i = &inst[++j];
    if (ptx_reads(i, reg) && (changed || !takes(p, i, &operand))) return;
    found += ptx_reads(i, reg);
    if (ptx_writes(i, reg) && i->guard) return;
    gone = ptx_writes(i, reg);
    for (unsigned s = 0; s < 2; s++)
      changed |= p->src[s].kind == PTX_OPERAND_REG && ptx_writes(i, p->src[s].reg);
  }
  if (!gone && read_later(x, j, reg, at + 1)) return;
  x->uses[at] = found;
  for (uint32_t n = at + 1; n <= j && found; n++)
    if (ptx_reads(&inst[n], reg) && takes(p, &inst[n], &operand)) {
      x->from[operand][n] = at + 1;
      found--;
    }
}

/* A sum of two products takes the one with fewer uses, or else the first; the other one stays. */
static void choose(work_t *x) {
  for (uint32_t i = 0; i < x->k->n_insts; i++) {
    const uint32_t a = x->from[0][i], b = x->from[1][i];
    if (!a || !b || !x->uses[a - 1] || !x->uses[b - 1]) continue;
    x->uses[(x->uses[a - 1] <= x->uses[b - 1] ? b : a) - 1] = 0;
  }
}

/* ---- a kernel -------------------------------------------------------------------------------- */

static bool allocate(work_t *x) {
  const size_t n = x->k->n_insts + 1;
  x->from[0] = calloc(n, sizeof *x->from[0]);
  x->from[1] = calloc(n, sizeof *x->from[1]);
  x->uses = calloc(n, sizeof *x->uses);
  x->seen = calloc(n, sizeof *x->seen);
  x->stack = calloc(n, sizeof *x->stack);
  x->leader = calloc(n, sizeof *x->leader);
  return x->from[0] && x->from[1] && x->uses && x->seen && x->stack && x->leader;
}

static void release(work_t *x) {
  free(x->from[0]);
  free(x->from[1]);
  free(x->uses);
  free(x->seen);
  free(x->stack);
  free(x->leader);
}

static void find(work_t *x) {
  const ptx_kernel_t *k = x->k;
  ptx_leaders(k, x->leader);
  for (uint32_t i = 0; i < k->n_insts; i++)
    if (is_product(&k->insts[i]) && !is_folded(x, i)) find_uses(x, i);
  choose(x);
}

static uint32_t product_of(const work_t *x, uint32_t sum, unsigned *operand) {
  for (*operand = 0; *operand < 2; ++*operand) {
    const uint32_t from = x->from[*operand][sum];
    if (from && x->uses[from - 1]) return from;
  }
  return 0;
}

static void rewrite(ptx_inst_t *sum, const ptx_inst_t *p, unsigned operand, const ptx_reg_t *regs) {
  const bool minus = sum->op == PTX_OP_SUB;
  const ptx_operand_t other = sum->src[1 - operand];
  const uint32_t pc = sum->warp.pc;
  sum->minus = !minus ? PTX_MINUS_NONE : operand ? PTX_MINUS_PRODUCT : PTX_MINUS_ADDEND;
  sum->op = PTX_OP_FMA;
  sum->src[0] = p->src[0];
  sum->src[1] = p->src[1];
  sum->src[2] = other;
  sum->warp = (warp_inst_t){.pc = pc};
  ptx_time(sum, regs);
}

/* Returns the number of sums, and contracts them if `change`; -1 if out of memory. */
static int64_t contract(const ptx_kernel_t *k, bool change) {
  work_t x = {.k = k};
  int64_t n = 0;
  unsigned operand;
  if (!allocate(&x)) {
    release(&x);
    return -1;
  }
  find(&x);
  ptx_inst_t *inst = (ptx_inst_t *)(uintptr_t)k->insts; /* the module's, which is ours */
  for (uint32_t i = 0; i < k->n_insts; i++) {
    const uint32_t from = product_of(&x, i, &operand);
    if (!from) continue;
    n++;
    if (change) rewrite(&inst[i], &inst[from - 1], operand, k->regs);
  }
  release(&x);
  return n;
}

uint64_t ptx_contractable(const ptx_kernel_t *k) {
  const int64_t n = contract(k, false);
  return n > 0 ? (uint64_t)n : 0;
}

int ptx_contract(ptx_module_t *m, uint64_t *sums, mrpb_err_t *err) {
  *sums = 0;
  for (; m; m = m->next)
    for (size_t i = 0; i < m->n_kernels; i++) {
      const int64_t n = contract(&m->kernels[i], true);
      if (n < 0) return mrpb_fail(err, "%s: out of memory", m->name);
      *sums += (uint64_t)n;
    }
  return 0;
}
