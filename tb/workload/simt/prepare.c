/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding for execution: every operand becomes a place, every instruction a function. */
#include "workload/simt/simt_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES = 5 };

typedef struct {
  simt_t *sim;
  simt_kernel_t *k;
  const ptx_inst_t *inst;
  const ptx_row_t *row; /* of its opcode */
  mrpb_err_t *err;
} ctx_t;

static int refuse(const ctx_t *c, const char *what) {
  return mrpb_fail(c->err, "%s:%" PRIu32 ": %s.%s: %s", c->k->kernel->name, c->inst->line,
                   ptx_op_name((ptx_op_t)c->inst->op), ptx_type_name((ptx_type_t)c->inst->type),
                   what);
}

static lane_t lane_of(unsigned type) {
  if (type == PTX_PRED) return LANE_PRED;
  return ptx_type_bytes((ptx_type_t)type) == 8 ? LANE_64 : LANE_32;
}

static lane_t doubled(unsigned type) {
  return ptx_type_bytes((ptx_type_t)type) == 4 ? LANE_64 : LANE_32;
}

/* The letter for operand `i` of a column of workload/ptx/table.def. */
static char letter_of(const char *letters, unsigned i) {
  const unsigned last = (unsigned)strlen(letters) - 1;
  return letters[i < last ? i : last];
}

/* The lane format that a letter stands for. `parts`: the operand is one of a vector. */
static lane_t letter_lane(const ptx_inst_t *p, char letter, bool parts) {
  switch (letter) {
  case 'w':
    return p->mul == PTX_MUL_WIDE ? doubled(p->type) : lane_of(p->type);
  case 'u':
    return LANE_32;
  case 'q':
    return LANE_64;
  case 's':
    return lane_of(p->type2);
  case 'p':
    return LANE_PRED;
  case 'v':
    return parts ? LANE_32 : lane_of(p->type);
  case 'a':
  case 'i':
  case 'o':
    return LANE_ANY;
  default:
    return lane_of(p->type);
  }
}

/* The lane format in which the instruction's function reads source `i`, and writes target `i`. */
static lane_t source_lane(const ctx_t *c, unsigned i) {
  const ptx_inst_t *p = c->inst;
  if (simt_is_collective(p)) return simt_collective_source(p, i);
  return letter_lane(p, letter_of(c->row->sources, i), p->src[1].kind != PTX_OPERAND_NONE);
}

static lane_t target_lane(const ctx_t *c, unsigned i) {
  const ptx_inst_t *p = c->inst;
  if (simt_is_collective(p)) return simt_collective_target(p, i);
  if (i == 1 && p->carry_out) return LANE_PRED;
  return letter_lane(p, letter_of(c->row->targets, i),
                     p->n_vector > 1 && p->src[1].kind == PTX_OPERAND_NONE);
}

/* ---- constants ------------------------------------------------------------- */

/* The place of a vector of 32 copies of a constant; an existing one is reused. 0 if out of
 * memory. */
static simt_place_t constant(simt_kernel_t *k, simt_const_t want) {
  for (unsigned i = 0; i < k->n_consts; i++) {
    const simt_const_t *c = &k->consts[i];
    if (c->wide == want.wide && c->special == want.special && c->bytes == want.bytes &&
        c->is_signed == want.is_signed && c->value == want.value)
      return c->at | AREA_CONST;
  }
  if (k->n_consts == k->max_consts) {
    unsigned n = k->max_consts ? 2 * k->max_consts : 32;
    simt_const_t *more = realloc(k->consts, n * sizeof *more);
    if (!more) return 0;
    k->consts = more;
    k->max_consts = n;
  }
  want.at = k->const_bytes;
  k->consts[k->n_consts++] = want;
  k->const_bytes += want.wide ? 2 * VECTOR : VECTOR;
  return want.at | AREA_CONST;
}

/* The place of a special register. The clock's is filled when it is read. */
static simt_place_t special(simt_kernel_t *k, unsigned which, bool wide) {
  switch ((int)which) {
  case PTX_TID_X:
  case PTX_TID_Y:
  case PTX_TID_Z:
    return (which - PTX_TID_X) * VECTOR | AREA_THREAD;
  case PTX_WARPID:
    return 3 * VECTOR | AREA_THREAD;
  case PTX_CTAID_X:
  case PTX_CTAID_Y:
  case PTX_CTAID_Z:
    return (which - PTX_CTAID_X) * VECTOR | AREA_BLOCK;
  case PTX_SMID:
  case PTX_NSMID:
    return (3 + which - PTX_SMID) * VECTOR | AREA_BLOCK;
  default:
    break;
  }
  return constant(k, (simt_const_t){.special = (uint8_t)(which + 1), .wide = wide});
}

/* The lane format in which the special register is read where `want` is wanted. */
static lane_t special_lane(unsigned which, lane_t want) {
  if (which == PTX_GRIDID) return want == LANE_64 ? LANE_64 : LANE_32;
  return which == PTX_CLOCK64 ? LANE_64 : LANE_32;
}

static lane_t reg_lane(const ctx_t *c, uint32_t reg) {
  return lane_of(c->k->kernel->regs[reg].type);
}

/* The place of an operand that is read as `lane`. A register may have another width only if `lane`
 * is LANE_ANY; an immediate then has the format `any`. */
static int place(ctx_t *c, const ptx_operand_t *o, lane_t lane, lane_t any, simt_place_t *at) {
  simt_kernel_t *k = c->k;
  *at = 0;
  switch ((ptx_operand_kind_t)o->kind) {
  case PTX_OPERAND_NONE:
    return 0;
  case PTX_OPERAND_REG:
    if (o->reg == 0 || o->reg >= k->kernel->n_regs) return refuse(c, "register number");
    if (lane != LANE_ANY && reg_lane(c, o->reg) != lane)
      return refuse(c, "a register is wider or narrower than the type");
    *at = k->reg[o->reg];
    return 0;
  case PTX_OPERAND_SPECIAL:
    if (lane != LANE_ANY && lane != special_lane(o->reg, lane))
      return refuse(c, "special registers have 32 bits, %clock64 has 64");
    if (lane == LANE_ANY) lane = special_lane(o->reg, any);
    *at = special(k, o->reg, lane == LANE_64);
    break;
  case PTX_OPERAND_IMM:
    if (lane == LANE_ANY) lane = any;
    *at = constant(k, (simt_const_t){.wide = lane == LANE_64,
                                     .value = lane == LANE_PRED ? (o->imm ? UINT32_MAX : 0)
                                              : lane == LANE_32 ? (uint32_t)o->imm
                                                                : o->imm});
    break;
  case PTX_OPERAND_SYMBOL:
    return refuse(c, "a variable without an address (a texture that the host has not bound)");
  }
  return *at ? 0 : refuse(c, "out of memory");
}

/* ---- instructions ---------------------------------------------------------- */

/* The address of byte `at` of the parameter block in the constant cache: without gaps, as GPGPU-Sim
 * 3.2.0 lays out parameters. */
static uint64_t packed(const ptx_kernel_t *k, uint64_t at) {
  uint64_t before = 0;
  for (unsigned i = 0; i < k->n_params; i++) {
    const ptx_param_t *p = &k->params[i];
    if (at < p->offset + p->bytes) return before + (at > p->offset ? at - p->offset : 0);
    before += p->bytes;
  }
  return before;
}

/* ld.param: its values are constants of the kernel; its address is that in the parameter block. */
static int parameter(ctx_t *c, simt_op_t *op) {
  const ptx_inst_t *p = c->inst;
  unsigned bytes = ptx_type_bytes((ptx_type_t)p->type);
  uint64_t at = (p->src[0].kind == PTX_OPERAND_IMM ? p->src[0].imm : 0) + (uint64_t)p->offset;
  if (at > SIMT_MAX_PARAM_BYTES || at + (uint64_t)bytes * op->n > SIMT_MAX_PARAM_BYTES)
    return refuse(c, "outside the parameters; legal: 4096 bytes");
  op->fixed = true;
  op->offset = (int64_t)packed(c->k->kernel, at);
  for (unsigned i = 0; i < op->n; i++) {
    bool wide = op->wide >> i & 1;
    op->s[i] = constant(c->k, (simt_const_t){.wide = wide,
                                             .bytes = (uint8_t)bytes,
                                             .is_signed = p->type == PTX_S8 || p->type == PTX_S16 ||
                                                          p->type == PTX_S32,
                                             .value = at + (uint64_t)i * bytes});
    if (!op->s[i]) return refuse(c, "out of memory");
  }
  return 0;
}

/* Whether the first source is an address. */
static bool has_address(const ptx_inst_t *p) {
  return p->op == PTX_OP_LD || p->op == PTX_OP_ST || p->op == PTX_OP_ATOM || p->op == PTX_OP_RED ||
         p->op == PTX_OP_CP_ASYNC;
}

/* What the function must know of source `i`, which has the lane format `have`. */
static void note_source(simt_op_t *op, unsigned i, char letter, lane_t have) {
  const bool wide = have == LANE_64;
  if (letter == 'a' && i == 0) op->address64 = wide;
  if (letter == 'a' && i == 1) op->target64 = wide;
  if (letter == 'i' && wide) op->wide |= (uint8_t)(1u << (i - 1));
  if (letter == 'o' && wide) op->wide |= 16;
}

/* A source that may have any width: an address, or a value at least as wide as its type. */
static int check_width(const ctx_t *c, char letter, lane_t have) {
  const unsigned type = letter == 'o' ? c->inst->type2 : c->inst->type;
  if (have == LANE_PRED) return refuse(c, "a predicate is not a value");
  if (letter != 'a' && lane_of(type) == LANE_64 && have != LANE_64)
    return refuse(c, "a register is narrower than the type");
  return 0;
}

static int source(ctx_t *c, simt_op_t *op, unsigned i) {
  const ptx_inst_t *p = c->inst;
  const ptx_operand_t *o = &p->src[i];
  const char letter = simt_is_collective(p) ? '\0' : letter_of(c->row->sources, i);
  const lane_t any = letter == 'a' ? LANE_64 : lane_of(letter == 'o' ? p->type2 : p->type);
  if (place(c, o, source_lane(c, i), any, &op->s[i]) != 0) return -1;
  if (o->negated) op->negated |= (uint8_t)(1u << i);
  const lane_t have = o->kind == PTX_OPERAND_REG       ? reg_lane(c, o->reg)
                      : o->kind == PTX_OPERAND_SPECIAL ? special_lane(o->reg, any)
                                                       : any;
  note_source(op, i, letter, have);
  const bool width = letter == 'a' || letter == 'i' || letter == 'o';
  return width && o->kind != PTX_OPERAND_NONE ? check_width(c, letter, have) : 0;
}

static int sources(ctx_t *c, simt_op_t *op) {
  if (ptx_reads_fixed(c->inst)) return parameter(c, op);
  for (unsigned i = 0; i < SOURCES; i++)
    if (source(c, op, i) != 0) return -1;
  return 0;
}

static int targets(ctx_t *c, simt_op_t *op) {
  const ptx_inst_t *p = c->inst;
  for (unsigned i = 0; i < 4; i++) {
    const ptx_operand_t *o = &p->dst[i];
    if (ptx_is_sink(p, i)) op->d[i] = c->k->sink;
    if (o->kind == PTX_OPERAND_NONE) continue;
    if (o->kind != PTX_OPERAND_REG) return refuse(c, "the destination must be a register");
    if (place(c, o, target_lane(c, i), LANE_ANY, &op->d[i]) != 0) return -1;
    lane_t have = reg_lane(c, o->reg);
    if (target_lane(c, i) == LANE_ANY && have == LANE_PRED)
      return refuse(c, "a predicate is not a value");
    if (target_lane(c, i) == LANE_ANY && lane_of(p->type) == LANE_64 && have != LANE_64)
      return refuse(c, "a register is narrower than the type");
    if (have == LANE_64) op->wide |= (uint8_t)(1u << i);
  }
  return 0;
}

static simt_exec_t find(const ctx_t *c, const simt_op_t *op) {
  const ptx_inst_t *p = c->inst;
  bool fast = c->sim->fast;
  simt_exec_t fn = exec_eight(p);
  if (!fn) fn = exec_half(p);
  if (!fn) fn = exec_carry(p, fast);
  if (!fn) fn = exec_int(p, fast);
  if (!fn) fn = exec_bits(p, fast);
  if (!fn) fn = exec_float(p, fast);
  if (!fn) fn = exec_double(p, fast);
  if (!fn) fn = exec_round(p, fast);
  if (!fn) fn = exec_compare(p, fast);
  if (!fn) fn = exec_move(p, fast);
  if (!fn) fn = exec_convert(p, op, fast);
  if (!fn) fn = exec_access(p, fast);
  if (!fn) fn = exec_warp(p);
  if (!fn) fn = exec_atomic(p);
  if (!fn) fn = exec_barrier(p);
  if (!fn) fn = exec_async(p);
  return fn;
}

/* Sets what the SM sees. A generic access may turn out to be one of shared or local memory. An
 * atomic in local memory is a fault, and not an access for the memory system. */
static void timing(simt_op_t *op, simt_other_t *other) {
  const ptx_inst_t *p = op->inst;
  op->warp = other->shared = other->local = other->constant = p->warp;
  other->constant.space = WARP_CONST;
  other->shared.space = WARP_SHARED;
  other->shared.bypass = other->local.bypass = other->constant.bypass = 0;
  other->local.atomic = other->constant.atomic = 0;
  other->local.local = 1;
  if (p->op == PTX_OP_LD || p->op == PTX_OP_ST) {
    if (p->space == PTX_LOCAL) op->warp = other->local;
    return;
  }
  other->local.local = 0;
  other->local.cls = WARP_ALU;
  other->local.unit = WARP_SP;
  other->local.latency = other->local.interval = 1;
}

static int flow(ctx_t *c, simt_op_t *op, uint32_t index) {
  const ptx_inst_t *p = c->inst;
  uint32_t n = c->k->kernel->n_insts;
  op->offset = p->offset;
  if (p->op == PTX_OP_BRA || p->op == PTX_OP_CALL || p->op == PTX_OP_BRX) {
    op->target = p->target;
    op->reconverge = p->reconverge;
  }
  op->step = p->op == PTX_OP_BRA        ? STEP_BRANCH
             : p->op == PTX_OP_EXIT     ? STEP_EXIT
             : p->op == PTX_OP_CALL     ? STEP_CALL
             : p->op == PTX_OP_RET      ? STEP_RETURN
             : p->op == PTX_OP_BRX      ? STEP_SWITCH
             : p->op == PTX_OP_TRAP     ? STEP_TRAP
             : ptx_is_clock(&p->src[0]) ? STEP_CLOCK
                                        : STEP_NEXT;
  if (p->op == PTX_OP_BRA &&
      (p->target >= n || (p->reconverge >= n && p->reconverge != UINT32_MAX)))
    return refuse(c, "the branch leaves the kernel");
  bool ends = (p->op == PTX_OP_BRA || p->op == PTX_OP_BRX || ptx_ends_thread(p)) && p->guard == 0;
  if (index == n - 1 && !ends) return refuse(c, "the kernel's last instruction must be ret or bra");
  return 0;
}

/* Whether the instruction copies an operand unchanged to one register, with the same result at any
 * time. */
static bool is_copy(const ptx_inst_t *p) {
  if (p->dst[0].kind != PTX_OPERAND_REG || p->dst[1].kind != PTX_OPERAND_NONE) return false;
  if (p->n_vector > 1) return false;
  if (ptx_is_clock(&p->src[0])) return false;
  if (p->op == PTX_OP_MOV) return p->src[1].kind == PTX_OPERAND_NONE && !p->src[0].negated;
  if (p->op == PTX_OP_CVTA) return p->space == PTX_GLOBAL || p->space == PTX_GENERIC;
  return ptx_reads_fixed(p);
}

static void describe(simt_op_t *op, const ptx_inst_t *p) {
  op->inst = p;
  op->guarded = p->guard != 0;
  op->guard_negated = p->guard_negated;
  op->space = p->space & 7u;
  op->store = p->op == PTX_OP_ST;
  op->texture = p->op == PTX_OP_TEX;
  op->generic = has_address(p) && p->space == PTX_GENERIC;
  op->bytes = (uint8_t)ptx_type_bytes((ptx_type_t)p->type);
  op->n = p->n_vector > 1 ? p->n_vector : 1;
  op->access = (uint8_t)(p->op == PTX_OP_TEX ? op->bytes : op->bytes * op->n);
  op->kind = simt_memory_kind(p) & 15u;
  if (p->op == PTX_OP_SETP) op->n = p->dst[1].kind == PTX_OPERAND_NONE ? 1 : 2;
}

static int prepare_one(ctx_t *c, simt_op_t *op, simt_other_t *other, uint32_t index) {
  const ptx_inst_t *p = c->inst;
  const ptx_operand_t guard = {.kind = p->guard ? PTX_OPERAND_REG : PTX_OPERAND_NONE,
                               .reg = p->guard};
  c->row = ptx_row_of((ptx_op_t)p->op);
  describe(op, p);
  if (op->n > 4 || (p->op != PTX_OP_MOV && op->bytes * op->n > (p->op == PTX_OP_TEX ? 32 : 16)))
    return refuse(c, "legal vectors: v2, v4");
  timing(op, other);
  if (flow(c, op, index) != 0 || place(c, &guard, LANE_PRED, LANE_PRED, &op->guard) != 0) return -1;
  switch (p->op) {
  case PTX_OP_BRA:
  case PTX_OP_MEMBAR:
  case PTX_OP_FENCE:
  case PTX_OP_EXIT:
  case PTX_OP_PREFETCH:
  case PTX_OP_RET:
  case PTX_OP_TRAP:
    return 0;
  case PTX_OP_CALL:
    return place(c, &p->src[0], LANE_64, LANE_64, &op->s[0]);
  case PTX_OP_ASYNC_COMMIT:
  case PTX_OP_ASYNC_WAIT:
    op->exec = exec_async(p);
    return 0;
  case PTX_OP_BRX:
    return place(c, &p->src[0], LANE_32, LANE_32, &op->s[0]);
  default:
    break;
  }
  if (targets(c, op) != 0 || sources(c, op) != 0) return -1;
  op->exec = find(c, op);
  if (!op->exec) return refuse(c, "this combination of types and modifiers is not supported");
  if (is_copy(p) && op->d[0] == op->s[0]) op->exec = NULL; /* nothing to copy */
  return 0;
}

/* ---- copies of constants --------------------------------------------------- */

/* A register that is written only by one unguarded copy of a constant needs no place in the warps:
 * it is read where the constant is. */
static int find_copies(ctx_t *c, simt_kernel_t *k) {
  const ptx_kernel_t *p = k->kernel;
  uint32_t *writes = calloc(p->n_regs + 1, sizeof *writes);
  if (!writes) return mrpb_fail(c->err, "%s: out of memory", p->name);
  for (uint32_t i = 0; i < p->n_insts; i++)
    for (unsigned d = 0; d < 4; d++)
      if (p->insts[i].dst[d].kind == PTX_OPERAND_REG) writes[p->insts[i].dst[d].reg]++;
  int rc = 0;
  for (uint32_t i = 0; i < p->n_insts && rc == 0; i++) {
    const ptx_inst_t *inst = c->inst = &p->insts[i];
    simt_op_t op = {0};
    simt_other_t other;
    if (!is_copy(inst) || inst->guard || writes[inst->dst[0].reg] != 1) continue;
    if (inst->src[0].kind == PTX_OPERAND_REG && k->reg[inst->src[0].reg] == 0) continue;
    rc = prepare_one(c, &op, &other, i);
    k->reg[inst->dst[0].reg] = op.s[0];
  }
  free(writes);
  return rc;
}

int simt_prepare(simt_t *t, simt_kernel_t *k, const ptx_kernel_t *kernel, mrpb_err_t *err) {
  ctx_t c = {.sim = t, .k = k, .err = err};
  k->kernel = kernel;
  if (kernel->n_insts == 0) return mrpb_fail(err, "%s: no instructions", kernel->name);
  k->ops = aligned_alloc(SIMT_LINE, kernel->n_insts * sizeof *k->ops);
  k->other = calloc(kernel->n_insts, sizeof *k->other);
  k->reg = calloc(kernel->n_regs + 1, sizeof *k->reg);
  if (!k->ops || !k->other || !k->reg) return mrpb_fail(err, "%s: out of memory", kernel->name);
  memset(k->ops, 0, kernel->n_insts * sizeof *k->ops);
  if (find_copies(&c, k) != 0) return -1;
  if (simt_place_registers(k) != 0) return mrpb_fail(err, "%s: out of memory", kernel->name);
  for (uint32_t i = 0; i < kernel->n_insts; i++) {
    c.inst = &kernel->insts[i];
    if (prepare_one(&c, &k->ops[i], &k->other[i], i) != 0) return -1;
  }
  k->constants = aligned_alloc(VECTOR, k->const_bytes + VECTOR);
  if (!k->constants || simt_prepare_groups(k) != 0 || simt_prepare_frames(k) != 0)
    return mrpb_fail(err, "%s: out of memory", kernel->name);
  return 0;
}

void simt_unprepare(simt_kernel_t *k) {
  free(k->ops);
  free(k->other);
  free(k->reg);
  free(k->consts);
  free(k->constants);
  free(k->grouped);
  simt_unprepare_frames(k);
}
