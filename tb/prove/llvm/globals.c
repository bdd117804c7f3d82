/* Constants, global variables and addresses computed from them. */
#include "prove/llvm/priv.h"

#include <string.h>

val_t exec_const(exec_t *x, uint64_t value) {
  return (val_t){.v = bv_const(&x->bv, 64, 0), .base = value};
}

uint64_t exec_object(exec_t *x, mem_t **m, uint32_t size, mem_fill_t fill) {
  uint32_t id = x->n_objects++;
  mem_add(&x->bv, m, id, size, fill);
  return mem_address(id);
}

/* base + the offset of `inst` (an instruction or a constant expression). Constant parts go into the
 * pointer's base, so that what varies stays the bare index. */
val_t gep(exec_t *x, LLVMValueRef inst, val_t base, val_t (*get)(void *, LLVMValueRef), void *ctx) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(inst);
  uint64_t fixed = 0;
  bool zero = bv_is_const(base.v) && bv_value(base.v) == 0, known = base.base != 0 && zero;
  if (zero) base.lo = base.hi = 0;
  bv_t sum = {NULL, 0};
  unsigned n = (unsigned)LLVMGetNumOperands(inst);
  for (unsigned i = 1; i < n; i++) {
    bv_t index = val_bits(x, get(ctx, LLVMGetOperand(inst, i)));
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)bv_value(index);
      fixed += LLVMOffsetOfElement(x->layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    uint32_t length = i > 1 ? LLVMGetArrayLength(type) : 0;
    if (i > 1) type = LLVMGetElementType(type);
    bv_t wide = bv_sext(&x->bv, index, 64);
    uint64_t size = LLVMABISizeOfType(x->layout, type);
    if (bv_is_const(wide)) {
      fixed += bv_value(wide) * size;
      continue;
    }
    if (known && length > 0 && !sum.n) {
      base.lo = (uint32_t)(base.base + fixed);
      base.hi = base.lo + length * (uint32_t)size;
    }
    wide = bv_mul(&x->bv, wide, bv_const(&x->bv, 64, size));
    sum = sum.n ? bv_add(&x->bv, sum, wide) : wide;
  }
  if (!base.base && !zero) { /* nothing is known of it */
    base.v = bv_add(&x->bv, base.v, bv_const(&x->bv, 64, fixed));
    fixed = 0;
  }
  if (sum.n) base.v = zero ? sum : bv_add(&x->bv, base.v, sum);
  base.base += fixed;
  return base;
}

static val_t get_constant(void *x, LLVMValueRef v) {
  return constant(x, v);
}

static val_t expression(exec_t *x, LLVMValueRef c) {
  val_t a = constant(x, LLVMGetOperand(c, 0));
  switch ((int)LLVMGetConstOpcode(c)) {
  case LLVMGetElementPtr:
    return gep(x, c, a, get_constant, x);
  case LLVMBitCast:
    return a;
  case LLVMPtrToInt:
    return val_int(bv_slice(&x->bv, val_bits(x, a), 0, type_bits(x, LLVMTypeOf(c))));
  case LLVMIntToPtr:
    return val_pointer(x, bv_slice(&x->bv, a.v, 0, 64));
  default:
    mrpb_fail(x->err, "the executor does not know a constant expression");
    return exec_const(x, 0);
  }
}

/* The image of a structure or array. */
static bv_t aggregate(exec_t *x, LLVMValueRef c) {
  LLVMTypeRef type = LLVMTypeOf(c);
  bv_t all = bv_const(&x->bv, type_bits(x, type), 0);
  bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  bool data = LLVMIsAConstantDataSequential(c) != NULL;
  unsigned n = is_struct ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength(type);
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef e = data ? LLVMGetElementAsConstant(c, i) : LLVMGetOperand(c, i);
    uint64_t at = is_struct ? LLVMOffsetOfElement(x->layout, type, i)
                            : (uint64_t)i * type_bytes(x, LLVMGetElementType(type));
    bv_t v = val_bits(x, constant(x, e));
    for (uint32_t k = 0; k < v.n; k++) all.b[8 * at + k] = v.b[k];
  }
  return all;
}

val_t constant(exec_t *x, LLVMValueRef c) {
  uint32_t id = index_get(&x->global, c);
  if (id != INDEX_NONE) return exec_const(x, mem_address(id));
  uint32_t bits = type_bits(x, LLVMTypeOf(c));
  if (LLVMIsAConstantInt(c)) {
    if (bits > 64) mrpb_fail(x->err, "the executor does not know constants of %u bits", bits);
    return val_int(bv_const(&x->bv, bits, LLVMConstIntGetZExtValue(c)));
  }
  if (LLVMIsUndef(c) || LLVMIsPoison(c)) return val_int(bv_fresh(&x->bv, bits));
  if (LLVMIsAConstantPointerNull(c)) return exec_const(x, 0);
  if (LLVMIsNull(c)) return val_int(bv_const(&x->bv, bits, 0));
  if (LLVMIsAConstantExpr(c)) return expression(x, c);
  if (LLVMIsAConstantStruct(c) || LLVMIsAConstantArray(c) || LLVMIsAConstantDataSequential(c))
    return val_int(aggregate(x, c));
  mrpb_fail(x->err, "the executor does not know a constant");
  return val_int(bv_const(&x->bv, bits, 0));
}

int globals_open(exec_t *x, mrpb_err_t *err) {
  x->err = err;
  for (LLVMValueRef g = LLVMGetFirstGlobal(x->module); g; g = LLVMGetNextGlobal(g)) {
    uint32_t size = type_bytes(x, LLVMGetElementType(LLVMTypeOf(g)));
    index_put(&x->global, g, mem_object(exec_object(x, &x->start, size, MEM_ZERO)));
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(x->module); f; f = LLVMGetNextFunction(f))
    index_put(&x->global, f, mem_object(exec_object(x, &x->start, 0, MEM_ZERO)));
  for (LLVMValueRef g = LLVMGetFirstGlobal(x->module); g && !stopped(x); g = LLVMGetNextGlobal(g)) {
    LLVMValueRef init = LLVMGetInitializer(g);
    uint32_t id = index_get(&x->global, g);
    if (!init || LLVMIsNull(init)) continue;
    bv_t v = val_bits(x, constant(x, init));
    for (uint32_t i = 0; i < v.n; i++) mem_set_byte(&x->start, id, i / 8)[i % 8] = v.b[i];
  }
  x->err = NULL;
  return err->text[0] ? -1 : 0;
}
