/* Instructions that compute, load and store. */
#include "prove/llvm/priv.h"

val_t val_int(bv_t v) {
  return (val_t){.v = v};
}

bv_t val_bits(exec_t *x, val_t v) {
  return v.base ? bv_add(&x->bv, v.v, bv_const(&x->bv, v.v.n, v.base)) : v.v;
}

val_t val_pointer(exec_t *x, bv_t v) {
  if (!bv_is_const(v)) return (val_t){.v = v};
  return exec_const(x, bv_value(v));
}

val_t val_mux(exec_t *x, lit_t c, val_t t, val_t e) {
  if (t.v.b == e.v.b && t.base == e.base) return t;
  if (t.base == e.base) {
    bool same = t.lo == e.lo && t.hi == e.hi;
    return (val_t){bv_mux(&x->bv, c, t.v, e.v), t.base, same ? t.lo : 0, same ? t.hi : 0};
  }
  bv_t v = bv_mux(&x->bv, c, val_bits(x, t), val_bits(x, e));
  return val_pointer(x, v);
}

bool is_pointer(LLVMValueRef v) {
  return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

uint32_t type_bytes(const exec_t *x, LLVMTypeRef type) {
  return (uint32_t)LLVMABISizeOfType(x->layout, type);
}

/* An aggregate is the image of its memory. */
uint32_t type_bits(const exec_t *x, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMIntegerTypeKind) return LLVMGetIntTypeWidth(type);
  return 8 * type_bytes(x, type);
}

static val_t binary(frame_t *f, LLVMOpcode op, bv_t a, bv_t b) {
  bv_ctx_t *c = &f->x->bv;
  bv_t q, r;
  switch ((int)op) {
  case LLVMAdd:
    return val_int(bv_add(c, a, b));
  case LLVMSub:
    return val_int(bv_sub(c, a, b));
  case LLVMMul:
    return val_int(bv_mul(c, a, b));
  case LLVMAnd:
    return val_int(bv_and(c, a, b));
  case LLVMOr:
    return val_int(bv_or(c, a, b));
  case LLVMXor:
    return val_int(bv_xor(c, a, b));
  case LLVMShl:
    return val_int(bv_shift(c, BV_SHL, a, b));
  case LLVMLShr:
    return val_int(bv_shift(c, BV_LSHR, a, b));
  case LLVMAShr:
    return val_int(bv_shift(c, BV_ASHR, a, b));
  case LLVMUDiv:
  case LLVMURem:
    oblige(f, aig_not(bv_any(c, b)), "a division by 0");
    bv_divide(c, a, b, &q, &r);
    return val_int(op == LLVMUDiv ? q : r);
  default:
    unknown(f, "this operation");
    return val_int(a);
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
    unknown(f, "this comparison");
    return AIG_FALSE;
  }
}

static val_t get_operand(void *frame, LLVMValueRef v) {
  return operand(frame, v);
}

static val_t load(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  lit_t legal;
  LLVMTypeRef type = LLVMTypeOf(inst);
  uint32_t bytes = (uint32_t)LLVMStoreSizeOfType(x->layout, type);
  bv_t v = mem_load(&x->bv, f->mem, operand(f, LLVMGetOperand(inst, 0)), bytes, &legal);
  oblige(f, aig_not(legal), "a read outside an object");
  v = bv_slice(&x->bv, v, 0, type_bits(x, type));
  return is_pointer(inst) ? val_pointer(x, v) : val_int(v);
}

static void store(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  LLVMValueRef what = LLVMGetOperand(inst, 0);
  uint32_t bytes = (uint32_t)LLVMStoreSizeOfType(x->layout, LLVMTypeOf(what));
  bv_t v = bv_slice(&x->bv, val_bits(x, operand(f, what)), 0, 8 * bytes);
  lit_t legal = mem_store(&x->bv, &f->mem, operand(f, LLVMGetOperand(inst, 1)), v);
  oblige(f, aig_not(legal), "a write outside an object");
}

static val_t allocate(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  bv_t count = val_bits(x, operand(f, LLVMGetOperand(inst, 0)));
  uint64_t size = bv_value(count) * type_bytes(x, LLVMGetAllocatedType(inst));
  if (!bv_is_const(count) || size > 1 << 24) unknown(f, "an array of variable size");
  if (stopped(x)) return exec_const(x, 0);
  return exec_const(x, exec_object(x, &f->mem, (uint32_t)size, MEM_UNKNOWN));
}

static val_t cast(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  val_t a = operand(f, LLVMGetOperand(inst, 0));
  uint32_t n = type_bits(x, LLVMTypeOf(inst));
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMBitCast:
    return a;
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMPtrToInt:
    return val_int(bv_slice(&x->bv, val_bits(x, a), 0, n));
  case LLVMSExt:
    return val_int(bv_sext(&x->bv, a.v, n));
  default: /* IntToPtr */
    return val_pointer(x, bv_slice(&x->bv, a.v, 0, 64));
  }
}

/* Where an element lies in an aggregate's image, in bits; its type. */
static uint32_t element_at(exec_t *x, LLVMTypeRef *type, const unsigned *index, unsigned n) {
  uint32_t at = 0;
  for (unsigned i = 0; i < n; i++) {
    if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
      at += 8 * (uint32_t)LLVMOffsetOfElement(x->layout, *type, index[i]);
      *type = LLVMStructGetTypeAtIndex(*type, index[i]);
    } else {
      *type = LLVMGetElementType(*type);
      at += 8 * type_bytes(x, *type) * index[i];
    }
  }
  return at;
}

static val_t element(frame_t *f, LLVMValueRef inst, bool insert) {
  exec_t *x = f->x;
  bv_t all = val_bits(x, operand(f, LLVMGetOperand(inst, 0)));
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 0));
  uint32_t at = element_at(x, &type, LLVMGetIndices(inst), LLVMGetNumIndices(inst));
  if (!insert) {
    bv_t v = bv_slice(&x->bv, all, at, type_bits(x, type));
    return is_pointer(inst) ? val_pointer(x, v) : val_int(v);
  }
  bv_t v = val_bits(x, operand(f, LLVMGetOperand(inst, 1)));
  bv_t made = bv_slice(&x->bv, all, 0, all.n);
  for (uint32_t i = 0; i < v.n; i++) made.b[at + i] = v.b[i];
  return val_int(made);
}

static val_t choose(frame_t *f, LLVMValueRef inst) {
  lit_t c = operand(f, LLVMGetOperand(inst, 0)).v.b[0];
  return val_mux(f->x, c, operand(f, LLVMGetOperand(inst, 1)), operand(f, LLVMGetOperand(inst, 2)));
}

static bool computes_on_integers(LLVMValueRef inst) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, 0)));
  return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

static val_t compute(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  if (!computes_on_integers(inst)) {
    unknown(f, "an operation on anything but integers and pointers");
    return exec_const(x, 0);
  }
  bv_t a = val_bits(x, operand(f, LLVMGetOperand(inst, 0)));
  bv_t b = val_bits(x, operand(f, LLVMGetOperand(inst, 1)));
  if (op != LLVMICmp) return binary(f, op, a, b);
  bv_t r = bv_new(&x->bv, 1);
  r.b[0] = compare(f, LLVMGetICmpPredicate(inst), a, b);
  return val_int(r);
}

void run_instruction(frame_t *f, LLVMValueRef inst) {
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
    v = gep(x, inst, operand(f, LLVMGetOperand(inst, 0)), get_operand, f);
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
    v = operand(f, LLVMGetOperand(inst, 0));
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
  set_value(f, inst, v);
}
