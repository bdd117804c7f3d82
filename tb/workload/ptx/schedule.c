/* SPDX-License-Identifier: Apache-2.0 */
/* Moves loads forward within basic blocks, as the driver's compiler does: docs/ptx.md, "As the
 * driver compiles". */
#include "workload/ptx/flow.h"
#include "workload/ptx/parse.h"

#include <stdlib.h>
#include <string.h>

/* What may be in flight, not used yet, in registers of 32 bits. */
enum { MOST = 512, WORDS = MOST / 64, OPEN_LOADS = 24, OPEN_SHARED = 10 };

/* The part of a block that is put in order at once: n instructions. */
typedef struct {
  ptx_inst_t *inst;
  uint32_t n;
  uint64_t reads[MOST], writes[MOST]; /* by instruction: of register r, bit r % 64 */
  uint64_t after[MOST][WORDS];        /* by instruction: those that must stand before it */
  uint32_t base[MOST]; /* of an access: 1 + the instruction that wrote its base register; 0: none */
  uint8_t rank[MOST];
  bool done[MOST], used[MOST]; /* used: of a load, something that reads it stands behind it */
  uint32_t order[MOST];
} part_t;

/* ---- memory ---------------------------------------------------------------------------------- */

static bool is_access(const ptx_inst_t *i) {
  return i->op == PTX_OP_LD || i->op == PTX_OP_ST || i->op == PTX_OP_TEX || i->op == PTX_OP_ATOM ||
         i->op == PTX_OP_RED;
}

static bool may_write(const ptx_inst_t *i) {
  return i->op == PTX_OP_ST || i->op == PTX_OP_ATOM || i->op == PTX_OP_RED;
}

/* Nothing that touches memory passes it. */
static bool is_fence(const ptx_inst_t *i) {
  if (i->op == PTX_OP_ATOM || i->op == PTX_OP_RED) return i->order > PTX_ORDER_RELAXED;
  return i->op == PTX_OP_BAR || i->op == PTX_OP_WARPBAR || i->op == PTX_OP_MEMBAR ||
         i->op == PTX_OP_FENCE;
}

/* Parameters of calls are local memory. */
static unsigned space_of(const ptx_inst_t *i) {
  return i->space == PTX_ARGUMENT ? PTX_LOCAL : i->space;
}

static bool nothing_writes(const ptx_inst_t *i) {
  return i->op == PTX_OP_TEX || i->read_only || i->space == PTX_CONST || i->space == PTX_PARAM;
}

static uint64_t place_of(const ptx_inst_t *i) {
  return (i->src[0].kind == PTX_OPERAND_REG ? 0 : i->src[0].imm) + (uint64_t)i->offset;
}

static uint64_t bytes_of(const ptx_inst_t *i) {
  return ptx_type_bytes((ptx_type_t)i->type) * (uint64_t)(i->n_vector ? i->n_vector : 1);
}

/* Whether both have the same base, and their bytes do not overlap. */
static bool apart(const part_t *x, uint32_t a, uint32_t b) {
  const ptx_inst_t *i = &x->inst[a], *j = &x->inst[b];
  const ptx_operand_t *p = &i->src[0], *q = &j->src[0];
  if (p->kind != q->kind || x->base[a] != x->base[b]) return false;
  if (p->kind != PTX_OPERAND_IMM && p->reg != q->reg) return false;
  return place_of(j) - place_of(i) >= bytes_of(i) && place_of(i) - place_of(j) >= bytes_of(j);
}

static bool same_memory(const part_t *x, uint32_t a, uint32_t b) {
  const ptx_inst_t *i = &x->inst[a], *j = &x->inst[b];
  const bool generic = i->space == PTX_GENERIC || j->space == PTX_GENERIC;
  if (is_fence(i) || is_fence(j))
    return (is_fence(i) || is_access(i)) && (is_fence(j) || is_access(j));
  if (!is_access(i) || !is_access(j) || (!may_write(i) && !may_write(j))) return false;
  if (nothing_writes(i) || nothing_writes(j)) return false;
  if (!generic && space_of(i) != space_of(j)) return false;
  return !apart(x, a, b);
}

/* ---- what must stay behind what --------------------------------------------------------------- */

/* Only these are moved; in front of and behind all others a part ends. */
static bool can_move(const ptx_inst_t *i) {
  if (ptx_is_clock(&i->src[0]) || i->cached == PTX_CACHED_CV) return false;
  if ((i->op == PTX_OP_LD || i->op == PTX_OP_ST) && i->order > PTX_ORDER_WEAK) return false;
  if (is_fence(i) || is_access(i)) return true;
  return i->op < PTX_OP_LD; /* shfl and the like: ptxas puts a branch there (BRA.DIV) */
}

static void note_registers(part_t *x, uint32_t a) {
  const ptx_inst_t *i = &x->inst[a];
  x->reads[a] = i->guard ? UINT64_C(1) << i->guard % 64 : 0;
  x->writes[a] = 0;
  for (unsigned s = 0; s < 5; s++)
    if (i->src[s].kind == PTX_OPERAND_REG) x->reads[a] |= UINT64_C(1) << i->src[s].reg % 64;
  for (unsigned d = 0; d < 4; d++)
    if (i->dst[d].kind == PTX_OPERAND_REG) x->writes[a] |= UINT64_C(1) << i->dst[d].reg % 64;
  x->base[a] = 0;
  for (uint32_t b = a; b-- > 0 && is_access(i) && i->src[0].kind == PTX_OPERAND_REG;)
    if (ptx_writes(&x->inst[b], i->src[0].reg)) {
      x->base[a] = b + 1;
      break;
    }
}

/* Whether `i` reads a register that `by` writes. */
static bool uses(const ptx_inst_t *i, const ptx_inst_t *by) {
  for (unsigned d = 0; d < 4; d++)
    if (by->dst[d].kind == PTX_OPERAND_REG &&
        (ptx_reads(i, by->dst[d].reg) || i->guard == by->dst[d].reg))
      return true;
  return false;
}

static bool write_one(const ptx_inst_t *i, const ptx_inst_t *j) {
  for (unsigned d = 0; d < 4; d++)
    if (i->dst[d].kind == PTX_OPERAND_REG && ptx_writes(j, i->dst[d].reg)) return true;
  return false;
}

static bool must_follow(const part_t *x, uint32_t a, uint32_t b) {
  const ptx_inst_t *i = &x->inst[a], *j = &x->inst[b];
  if ((x->reads[b] & x->writes[a]) != 0 && uses(j, i)) return true;
  if ((x->writes[b] & x->reads[a]) != 0 && uses(i, j)) return true;
  if ((x->writes[b] & x->writes[a]) != 0 && write_one(i, j)) return true;
  return same_memory(x, a, b);
}

/* 2: a load from the memory below the SM, or something that must stand before one; 1: the same of
 * shared and constant memory. */
static unsigned own_rank(const ptx_inst_t *i) {
  if (i->op == PTX_OP_TEX) return 2;
  if (i->op != PTX_OP_LD || ptx_reads_fixed(i) || i->space == PTX_ARGUMENT) return 0;
  return i->space == PTX_SHARED || i->space == PTX_CONST || i->space == PTX_PARAM ? 1 : 2;
}

static void find_order(part_t *x) {
  memset(x->after, 0, x->n * sizeof *x->after);
  for (uint32_t a = 0; a < x->n; a++) note_registers(x, a);
  for (uint32_t b = 0; b < x->n; b++)
    for (uint32_t a = 0; a < b; a++)
      if (must_follow(x, a, b)) x->after[b][a / 64] |= UINT64_C(1) << a % 64;
  for (uint32_t a = 0; a < x->n; a++) x->rank[a] = (uint8_t)own_rank(&x->inst[a]);
  for (uint32_t b = x->n; b-- > 0;)
    for (uint32_t a = 0; a < b; a++)
      if ((x->after[b][a / 64] >> a % 64 & 1) != 0 && x->rank[a] < x->rank[b])
        x->rank[a] = x->rank[b];
}

/* ---- the order ---------------------------------------------------------------------------------- */

static uint32_t registers_of(const ptx_inst_t *i) {
  uint32_t n = 0;
  for (unsigned d = 0; d < 4; d++)
    if (i->dst[d].kind == PTX_OPERAND_REG) n += ptx_type_bytes((ptx_type_t)i->type) > 4 ? 2 : 1;
  return n;
}

static bool ready(const part_t *x, uint32_t a, const uint64_t *done) {
  for (uint32_t w = 0; w <= a / 64; w++)
    if (x->after[a][w] & ~done[w]) return false;
  return true;
}

/* The next instruction: loads and what they need first, in the order of the text. If as much is in
 * flight as may be, no further load. */
static uint32_t choose(const part_t *x, const uint64_t *done, const uint32_t open[3]) {
  static const uint32_t most[3] = {UINT32_MAX, OPEN_SHARED, OPEN_LOADS};
  uint32_t best = x->n, held = x->n;
  for (uint32_t a = 0; a < x->n; a++) {
    const unsigned own = own_rank(&x->inst[a]);
    if (x->done[a] || !ready(x, a, done)) continue;
    const bool full = open[x->rank[a]] >= most[x->rank[a]];
    const unsigned rank = full ? 0 : x->rank[a];
    if (own && full) {
      if (held == x->n) held = a;
      continue;
    }
    if (best == x->n || rank > (open[x->rank[best]] >= most[x->rank[best]] ? 0 : x->rank[best]))
      best = a;
  }
  return best < x->n ? best : held;
}

static void place(part_t *x, uint32_t at, uint32_t a, uint64_t *done, uint32_t open[3]) {
  const ptx_inst_t *i = &x->inst[a];
  x->order[at] = a;
  x->done[a] = true;
  x->used[a] = false;
  done[a / 64] |= UINT64_C(1) << a % 64;
  for (uint32_t k = 0; k < at; k++) {
    const uint32_t b = x->order[k];
    const unsigned rank = own_rank(&x->inst[b]);
    if (!rank || x->used[b] || !uses(i, &x->inst[b])) continue;
    x->used[b] = true;
    open[rank] -= registers_of(&x->inst[b]);
  }
  open[own_rank(i)] += own_rank(i) ? registers_of(i) : 0;
}

/* Returns the number of loads that now stand before something that they stood behind. */
static uint32_t put_in_order(part_t *x, ptx_inst_t *copy) {
  uint64_t done[WORDS] = {0};
  uint32_t open[3] = {0}, moved = 0, first = x->n;
  find_order(x);
  memset(x->done, 0, sizeof x->done);
  for (uint32_t at = 0; at < x->n; at++) place(x, at, choose(x, done, open), done, open);
  memcpy(copy, x->inst, x->n * sizeof *copy);
  for (uint32_t at = 0; at < x->n; at++) {
    const uint32_t pc = copy[at].warp.pc;
    x->inst[at] = copy[x->order[at]];
    x->inst[at].warp.pc = pc;
  }
  for (uint32_t at = x->n; at-- > 0;) { /* first: of the text, among those placed later */
    moved += own_rank(&x->inst[at]) > 0 && first < x->order[at];
    if (x->order[at] < first) first = x->order[at];
  }
  return moved;
}

/* ---- a kernel ------------------------------------------------------------------------------------ */

/* Operands that wait for an address move with their instructions. */
static void move_fixups(ptx_module_t *m, const part_t *x) {
  uint32_t to[MOST];
  for (uint32_t at = 0; at < x->n; at++) to[x->order[at]] = at;
  for (size_t f = 0; f < m->n_fixups; f++) {
    const uintptr_t inst = (uintptr_t)m->fixups[f].inst, first = (uintptr_t)x->inst;
    if (inst >= first && inst < (uintptr_t)(x->inst + x->n))
      m->fixups[f].inst = &x->inst[to[(inst - first) / sizeof *x->inst]];
  }
}

static int64_t schedule(ptx_module_t *m, const ptx_kernel_t *k) {
  bool *leader = calloc((size_t)k->n_insts + 1, sizeof *leader);
  part_t *x = malloc(sizeof *x);
  ptx_inst_t *copy = malloc(MOST * sizeof *copy);
  int64_t moved = leader && x && copy ? 0 : -1;
  if (moved == 0) ptx_leaders(k, leader);
  for (uint32_t i = 0, n; moved >= 0 && i < k->n_insts; i += n ? n : 1) {
    for (n = 0; i + n < k->n_insts && n < MOST && can_move(&k->insts[i + n]); n++)
      if (n && leader[i + n]) break;
    if (n < 2) continue;
    x->inst = (ptx_inst_t *)(uintptr_t)&k->insts[i]; /* the module's, which is ours */
    x->n = n;
    moved += put_in_order(x, copy);
    move_fixups(m, x);
  }
  free(leader);
  free(x);
  free(copy);
  return moved;
}

int ptx_schedule(ptx_module_t *m, uint64_t *loads, mrpb_err_t *err) {
  *loads = 0;
  for (; m; m = m->next)
    for (size_t i = 0; i < m->n_kernels; i++) {
      const int64_t n = schedule(m, &m->kernels[i]);
      if (n < 0) return mrpb_fail(err, "%s: out of memory", m->name);
      *loads += (uint64_t)n;
    }
  return 0;
}
