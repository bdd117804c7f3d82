/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that compute, load and store. */
#include "verify/prove/llvm/priv.h"

val_t inst_val_int(bv_t v) {
  return (val_t){.v = v};
}

bv_t inst_val_bits(exec_t *x, val_t v) {
  return v.base ? bv_add(&x->bv, v.v, bv_const(&x->bv, v.v.n, v.base)) : v.v;
}

val_t inst_val_pointer(exec_t *x, bv_t v) {
  if (!bv_is_const(v)) return (val_t){.v = v};
  return exec_const(x, bv_value(v));
}

static bv_t unset_bits(exec_t *x, val_t v) {
  return v.unset.n ? v.unset : bv_const(&x->bv, v.v.n, 0);
}

/* Drops the `unset` vector of `v` if it says nothing. */
static val_t settled(val_t v) {
  for (uint32_t i = 0; i < v.unset.n; i++)
    if (v.unset.b[i] != AIG_FALSE) return v;
  v.unset.n = 0;
  return v;
}

static val_t mux_bits(exec_t *x, lit_t c, val_t t, val_t e) {
  if (t.v.b == e.v.b && t.base == e.base) return t;
  if (t.base == e.base) {
    bool same = t.lo == e.lo && t.hi == e.hi;
    return (val_t){bv_mux(&x->bv, c, t.v, e.v), t.base, same ? t.lo : 0, same ? t.hi : 0,
                   (bv_t){NULL, 0}};
  }
  bv_t v = bv_mux(&x->bv, c, inst_val_bits(x, t), inst_val_bits(x, e));
  return inst_val_pointer(x, v);
}

val_t inst_val_mux(exec_t *x, lit_t c, val_t t, val_t e) {
  val_t v = mux_bits(x, c, t, e);
  if (!t.unset.n && !e.unset.n) return v;
  v.unset = bv_mux(&x->bv, c, unset_bits(x, t), unset_bits(x, e));
  return settled(v);
}

val_t inst_val_slice(exec_t *x, val_t v, uint32_t lsb, uint32_t n) {
  val_t part = inst_val_int(bv_slice(&x->bv, inst_val_bits(x, v), lsb, n));
  if (v.unset.n) part.unset = bv_slice(&x->bv, v.unset, lsb, n);
  return settled(part);
}

bv_t inst_used(frame_t *f, val_t v) {
  exec_t *x = f->x;
  if (v.unset.n) exec_oblige(f, bv_any(&x->bv, v.unset), "the use of a value that was never set");
  return inst_val_bits(x, v);
}

bool inst_is_pointer(LLVMValueRef v) {
  return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

uint32_t inst_type_bytes(const exec_t *x, LLVMTypeRef type) {
  return (uint32_t)LLVMABISizeOfType(x->layout, type);
}

/* An aggregate is the image of its memory. */
uint32_t inst_type_bits(const exec_t *x, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMIntegerTypeKind) return LLVMGetIntTypeWidth(type);
  return 8 * inst_type_bytes(x, type);
}

/* Obligations: the divisor is not zero, and a signed quotient fits. */
static val_t divide(frame_t *f, LLVMOpcode op, bv_t a, bv_t b) {
  bv_ctx_t *c = &f->x->bv;
  bv_t q, r, zero = bv_const(c, a.n, 0);
  exec_oblige(f, aig_not(bv_any(c, b)), "a division by 0");
  if (op == LLVMUDiv || op == LLVMURem) {
    bv_divide(c, a, b, &q, &r);
    return inst_val_int(op == LLVMUDiv ? q : r);
  }
  bv_t least = bv_const(c, a.n, 0);
  least.b[a.n - 1] = AIG_TRUE;
  lit_t minus_1 = bv_eq(c, b, bv_not(c, zero)), na = a.b[a.n - 1], nb = b.b[b.n - 1];
  exec_oblige(f, aig_and(c->g, bv_eq(c, a, least), minus_1), "a signed overflow");
  bv_divide(c, bv_mux(c, na, bv_sub(c, zero, a), a), bv_mux(c, nb, bv_sub(c, zero, b), b), &q, &r);
  if (op == LLVMSDiv) return inst_val_int(bv_mux(c, aig_xor(c->g, na, nb), bv_sub(c, zero, q), q));
  return inst_val_int(bv_mux(c, na, bv_sub(c, zero, r), r));
}

static val_t shift(frame_t *f, bv_shift_t kind, val_t a, val_t by) {
  bv_ctx_t *c = &f->x->bv;
  bv_t amount = inst_used(f, by), bits = inst_val_bits(f->x, a);
  exec_oblige(f, aig_not(bv_ult(c, amount, bv_const(c, amount.n, bits.n))),
              "a shift by the width or more");
  if (!a.unset.n) return inst_val_int(bv_shift(c, kind, bits, amount));
  if (!bv_is_const(amount)) return inst_val_int(bv_shift(c, kind, inst_used(f, a), amount));
  val_t v = inst_val_int(bv_shift(c, kind, bits, amount));
  v.unset = bv_shift(c, kind, a.unset, amount);
  return settled(v);
}

/* An unset bit does not matter if the other operand is 0 in an AND, or 1 in an OR. */
static val_t bitwise(frame_t *f, LLVMOpcode op, val_t a, val_t b) {
  exec_t *x = f->x;
  bv_ctx_t *c = &x->bv;
  bv_t p = inst_val_bits(x, a), q = inst_val_bits(x, b);
  val_t v = inst_val_int(op == LLVMAnd  ? bv_and(c, p, q)
                         : op == LLVMOr ? bv_or(c, p, q)
                                        : bv_xor(c, p, q));
  if (!a.unset.n && !b.unset.n) return v;
  bv_t ua = unset_bits(x, a), ub = unset_bits(x, b), all = bv_const(c, p.n, 0);
  if (op == LLVMOr) {
    p = bv_not(c, p);
    q = bv_not(c, q);
  }
  if (op == LLVMXor) p = q = bv_not(c, all);
  bv_t both = bv_and(c, ua, ub);
  v.unset = bv_or(c, both, bv_or(c, bv_and(c, ua, q), bv_and(c, ub, p)));
  return settled(v);
}

static val_t binary(frame_t *f, LLVMOpcode op, val_t a, val_t b) {
  bv_ctx_t *c = &f->x->bv;
  switch ((int)op) {
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    return bitwise(f, op, a, b);
  case LLVMShl:
    return shift(f, BV_SHL, a, b);
  case LLVMLShr:
    return shift(f, BV_LSHR, a, b);
  case LLVMAShr:
    return shift(f, BV_ASHR, a, b);
  case LLVMAdd:
    return inst_val_int(bv_add(c, inst_used(f, a), inst_used(f, b)));
  case LLVMSub:
    return inst_val_int(bv_sub(c, inst_used(f, a), inst_used(f, b)));
  case LLVMMul:
    return inst_val_int(bv_mul(c, inst_used(f, a), inst_used(f, b)));
  case LLVMUDiv:
  case LLVMURem:
  case LLVMSDiv:
  case LLVMSRem:
    return divide(f, op, inst_used(f, a), inst_used(f, b));
  default:
    exec_unknown(f, "this operation");
    return a;
  }
}

static lit_t compare(frame_t *f, LLVMIntPredicate p, bv_t a, bv_t b) {
  bv_ctx_t *c = &f->x->bv;
  switch (p) {
  case LLVMIntEQ:
    return bv_eq(c, a, b);
  case LLVMIntNE:
    return aig_not(bv_eq(c, a, b));
  case LLVMIntUGT:
    return bv_ult(c, b, a);
  case LLVMIntUGE:
    return aig_not(bv_ult(c, a, b));
  case LLVMIntULT:
    return bv_ult(c, a, b);
  case LLVMIntULE:
    return aig_not(bv_ult(c, b, a));
  case LLVMIntSGT:
    return bv_slt(c, b, a);
  case LLVMIntSGE:
    return aig_not(bv_slt(c, a, b));
  case LLVMIntSLT:
    return bv_slt(c, a, b);
  case LLVMIntSLE:
    return aig_not(bv_slt(c, b, a));
  default:
    exec_unknown(f, "this comparison");
    return AIG_FALSE;
  }
}

static val_t get_operand(void *frame, LLVMValueRef v) {
  return exec_operand(frame, v);
}

/* An address is a number of the executor, not the one that a program sees. */
static void aligned(frame_t *f, val_t at, unsigned bytes) {
  bv_t low = bv_slice(&f->x->bv, inst_val_bits(f->x, at), 0, 6);
  for (uint32_t i = 0; i < 6; i++)
    if (UINT32_C(2) << i > bytes) low.b[i] = AIG_FALSE;
  exec_oblige(f, bv_any(&f->x->bv, low), "an access that is not aligned");
}

static val_t load(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  lit_t legal;
  LLVMTypeRef type = LLVMTypeOf(inst);
  uint32_t bytes = (uint32_t)LLVMStoreSizeOfType(x->layout, type);
  val_t at = exec_operand(f, LLVMGetOperand(inst, 0));
  inst_used(f, at);
  val_t v = mem_load(&x->bv, f->mem, at, bytes, &legal);
  exec_oblige(f, aig_not(legal), "a read outside an object");
  aligned(f, at, LLVMGetAlignment(inst));
  v = inst_val_slice(x, v, 0, inst_type_bits(x, type));
  if (!inst_is_pointer(inst)) return v;
  val_t p = inst_val_pointer(x, v.v);
  p.unset = v.unset;
  return p;
}

static void store(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  LLVMValueRef what = LLVMGetOperand(inst, 0);
  uint32_t bytes = (uint32_t)LLVMStoreSizeOfType(x->layout, LLVMTypeOf(what));
  val_t v = inst_val_slice(x, exec_operand(f, what), 0, 8 * bytes);
  val_t at = exec_operand(f, LLVMGetOperand(inst, 1));
  inst_used(f, at);
  if (at.base && mem_is_protected(f->mem, mem_object(at.base)))
    exec_oblige(f, AIG_TRUE, "a write to constant data or to the inputs");
  else
    exec_oblige(f, aig_not(mem_store(&x->bv, &f->mem, at, v)), "a write outside an object");
  aligned(f, at, LLVMGetAlignment(inst));
}

static val_t allocate(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  bv_t count = inst_used(f, exec_operand(f, LLVMGetOperand(inst, 0)));
  uint64_t size = bv_value(count) * inst_type_bytes(x, LLVMGetAllocatedType(inst));
  if (!bv_is_const(count) || size > 1 << 24) exec_unknown(f, "an array of variable size");
  if (exec_stopped(x)) return exec_const(x, 0);
  uint64_t at = exec_object(x, &f->mem, (uint32_t)size, MEM_UNKNOWN);
  f->local = prove_grow(f->local, (f->n_locals + 1) * sizeof *f->local);
  f->local[f->n_locals++] = mem_object(at);
  return exec_const(x, at);
}

/* Only the distance of two pointers is independent of where the objects lie. */
static val_t number_of(frame_t *f, LLVMValueRef inst, val_t a) {
  for (LLVMUseRef u = LLVMGetFirstUse(inst); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool distance = LLVMIsAInstruction(user) && LLVMGetInstructionOpcode(user) == LLVMSub &&
                    LLVMIsAPtrToIntInst(LLVMGetOperand(user, 0)) &&
                    LLVMIsAPtrToIntInst(LLVMGetOperand(user, 1));
    if (!distance) exec_unknown(f, "a pointer that is used as a number");
  }
  return inst_val_slice(f->x, a, 0, inst_type_bits(f->x, LLVMTypeOf(inst)));
}

static val_t cast(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  val_t a = exec_operand(f, LLVMGetOperand(inst, 0)), v;
  uint32_t n = inst_type_bits(x, LLVMTypeOf(inst));
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMBitCast:
    return a;
  case LLVMPtrToInt:
    return number_of(f, inst, a);
  case LLVMTrunc:
  case LLVMZExt:
    return inst_val_slice(x, a, 0, n);
  case LLVMSExt:
    v = inst_val_int(bv_sext(&x->bv, a.v, n));
    if (a.unset.n) v.unset = bv_sext(&x->bv, a.unset, n);
    return v;
  default: /* IntToPtr */
    exec_unknown(f, "a number that is used as a pointer");
    return a;
  }
}

/* Position of an element in an aggregate's image, in bits, and its type. */
static uint32_t element_at(exec_t *x, LLVMTypeRef *type, const unsigned *index, unsigned n) {
  uint32_t at = 0;
  for (unsigned i = 0; i < n; i++) {
    if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
      at += 8 * (uint32_t)LLVMOffsetOfElement(x->layout, *type, index[i]);
      *type = LLVMStructGetTypeAtIndex(*type, index[i]);
    } else {
      *type = LLVMGetElementType(*type);
      at += 8 * inst_type_bytes(x, *type) * index[i];
    }
  }
  return at;
}

static val_t element(frame_t *f, LLVMValueRef inst, bool insert) {
  exec_t *x = f->x;
  val_t all = exec_operand(f, LLVMGetOperand(inst, 0));
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 0));
  uint32_t at = element_at(x, &type, LLVMGetIndices(inst), LLVMGetNumIndices(inst));
  if (!insert) {
    val_t v = inst_val_slice(x, all, at, inst_type_bits(x, type)), p = v;
    if (inst_is_pointer(inst)) p = inst_val_pointer(x, v.v);
    p.unset = v.unset;
    return p;
  }
  val_t part = exec_operand(f, LLVMGetOperand(inst, 1)), made = inst_val_slice(x, all, 0, all.v.n);
  bv_t v = inst_val_bits(x, part), unset = unset_bits(x, part);
  made.unset = bv_slice(&x->bv, made.unset, 0, made.v.n);
  for (uint32_t i = 0; i < v.n; i++) {
    made.v.b[at + i] = v.b[i];
    made.unset.b[at + i] = unset.b[i];
  }
  return settled(made);
}

static val_t choose(frame_t *f, LLVMValueRef inst) {
  lit_t c = inst_used(f, exec_operand(f, LLVMGetOperand(inst, 0))).b[0];
  return inst_val_mux(f->x, c, exec_operand(f, LLVMGetOperand(inst, 1)),
                      exec_operand(f, LLVMGetOperand(inst, 2)));
}

static bool computes_on_integers(LLVMValueRef inst) {
  if (!LLVMIsABinaryOperator(inst) && !LLVMIsAICmpInst(inst)) return false;
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, 0)));
  return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

/* The distance and the order of two pointers are meaningful only within one object. Even equality
 * depends on where compilers put the objects: one may lie directly behind the end of another, or in
 * its place after its end of life. */
static void same_object(frame_t *f, LLVMValueRef inst, bv_t a, bv_t b) {
  bv_ctx_t *c = &f->x->bv;
  const LLVMValueRef first = LLVMGetOperand(inst, 0);
  bool compared = LLVMIsAICmpInst(inst) && inst_is_pointer(first);
  bool equal = compared &&
               (LLVMGetICmpPredicate(inst) == LLVMIntEQ || LLVMGetICmpPredicate(inst) == LLVMIntNE);
  bool distance = LLVMGetInstructionOpcode(inst) == LLVMSub && LLVMIsAPtrToIntInst(first);
  if (!compared && !distance) return;
  lit_t two = aig_not(bv_eq(c, bv_slice(c, a, 32, 32), bv_slice(c, b, 32, 32)));
  if (equal) two = aig_and(c->g, two, aig_and(c->g, bv_any(c, a), bv_any(c, b)));
  exec_oblige(f, two, "a comparison or difference of pointers to two objects");
}

static val_t compute(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  if (!computes_on_integers(inst)) {
    exec_unknown(f, "an operation on anything but integers and pointers (floating point, vectors, "
                    "atomics)");
    return exec_const(x, 0);
  }
  val_t a = exec_operand(f, LLVMGetOperand(inst, 0)), b = exec_operand(f, LLVMGetOperand(inst, 1));
  same_object(f, inst, inst_val_bits(x, a), inst_val_bits(x, b));
  if (!LLVMIsAICmpInst(inst)) return binary(f, LLVMGetInstructionOpcode(inst), a, b);
  bv_t r = bv_new(&x->bv, 1);
  r.b[0] = compare(f, LLVMGetICmpPredicate(inst), inst_used(f, a), inst_used(f, b));
  return inst_val_int(r);
}

/* True if the memory at the address is read or written in the same block, which is checked more
 * strictly. */
static bool accessed(LLVMValueRef inst, unsigned depth) {
  for (LLVMUseRef u = LLVMGetFirstUse(inst); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsAInstruction(user) ||
        LLVMGetInstructionParent(user) != LLVMGetInstructionParent(inst))
      continue;
    if (LLVMIsALoadInst(user)) return true;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == inst) return true;
    bool moves = LLVMIsABitCastInst(user) ||
                 (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == inst);
    if (moves && depth < 4 && accessed(user, depth + 1)) return true;
  }
  return false;
}

/* A pointer may point to the end of its object, not beyond. */
static void stay_inside(frame_t *f, LLVMValueRef inst, val_t p) {
  bv_ctx_t *c = &f->x->bv;
  uint32_t size = mem_size(f->mem, mem_object(p.base));
  if (!LLVMIsInBounds(inst) || !p.base || accessed(inst, 0)) return;
  bv_t at = bv_add(c, p.v, bv_const(c, 64, (uint32_t)p.base));
  lit_t beyond = bv_ult(c, bv_const(c, 64, p.hi ? p.hi : size), at);
  if (p.hi) beyond = aig_or(c->g, beyond, bv_ult(c, at, bv_const(c, 64, p.lo)));
  exec_oblige(f, beyond, "a pointer beyond its object");
}

void inst_run(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  val_t v;
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMStore:
    store(f, inst);
    return;
  case LLVMLoad:
    v = load(f, inst);
    break;
  case LLVMAlloca:
    v = allocate(f, inst);
    break;
  case LLVMGetElementPtr:
    v = globals_gep(x, inst, exec_operand(f, LLVMGetOperand(inst, 0)), get_operand, f);
    stay_inside(f, inst, v);
    break;
  case LLVMBitCast:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
    v = cast(f, inst);
    break;
  case LLVMSelect:
    v = choose(f, inst);
    break;
  case LLVMFreeze:
    v = inst_val_int(inst_used(f, exec_operand(f, LLVMGetOperand(inst, 0))));
    break;
  case LLVMExtractValue:
    v = element(f, inst, false);
    break;
  case LLVMInsertValue:
    v = element(f, inst, true);
    break;
  default:
    v = compute(f, inst);
  }
  exec_set_value(f, inst, v);
}
