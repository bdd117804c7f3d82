/* SPDX-License-Identifier: Apache-2.0 */
/* Constants, global variables and addresses computed from them. */
#include "verify/prove/llvm/priv.h"

#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
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
 * pointer's base, so that the variable part stays the bare index. */
val_t globals_gep(exec_t *x, LLVMValueRef inst, val_t base, val_t (*get)(void *, LLVMValueRef),
                  void *ctx) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(inst);
  uint64_t fixed = 0;
  bool zero = bv_is_const(base.v) && bv_value(base.v) == 0, known = base.base != 0 && zero;
  bv_t sum = {NULL, 0};
  unsigned n = (unsigned)LLVMGetNumOperands(inst);
  for (unsigned i = 1; i < n; i++) {
    bv_t index = inst_val_bits(x, get(ctx, LLVMGetOperand(inst, i)));
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
    if (known && length > 0 && !sum.n) { /* one element of an array leads to the others */
      base.lo = (uint32_t)(base.base + fixed);
      base.hi = base.lo + length * (uint32_t)size;
    }
    if (bv_is_const(wide)) {
      fixed += bv_value(wide) * size;
      continue;
    }
    wide = bv_mul(&x->bv, wide, bv_const(&x->bv, 64, size));
    sum = sum.n ? bv_add(&x->bv, sum, wide) : wide;
  }
  if (!base.base && !zero) { /* nothing is known about it */
    base.v = bv_add(&x->bv, base.v, bv_const(&x->bv, 64, fixed));
    fixed = 0;
  }
  if (sum.n) base.v = zero ? sum : bv_add(&x->bv, base.v, sum);
  base.base += fixed;
  return base;
}

static val_t get_constant(void *x, LLVMValueRef v) {
  return globals_constant(x, v);
}

static val_t expression(exec_t *x, LLVMValueRef c) {
  val_t a = globals_constant(x, LLVMGetOperand(c, 0));
  switch ((int)LLVMGetConstOpcode(c)) {
  case LLVMGetElementPtr:
    return globals_gep(x, c, a, get_constant, x);
  case LLVMBitCast:
    return a;
  default:
    mrpb_fail(x->err, "the executor does not know a constant expression of this kind (a pointer as "
                      "a number?)");
    return exec_const(x, 0);
  }
}

/* LLVM 15 and later use another name for it. */
static LLVMValueRef element_of_data(LLVMValueRef c, unsigned i) {
#if LLVM_VERSION_MAJOR >= 15
  return LLVMGetAggregateElement(c, i);
#else
  return LLVMGetElementAsConstant(c, i);
#endif
}

/* The image of a structure or array. */
static val_t aggregate(exec_t *x, LLVMValueRef c) {
  LLVMTypeRef type = LLVMTypeOf(c);
  val_t all = {.v = bv_const(&x->bv, inst_type_bits(x, type), 0)};
  all.unset = bv_const(&x->bv, all.v.n, 0);
  bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  bool data = LLVMIsAConstantDataSequential(c) != NULL;
  unsigned n = is_struct ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength(type);
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef e = data ? element_of_data(c, i) : LLVMGetOperand(c, i);
    uint64_t at = is_struct ? LLVMOffsetOfElement(x->layout, type, i)
                            : (uint64_t)i * inst_type_bytes(x, LLVMGetElementType(type));
    val_t part = globals_constant(x, e);
    bv_t v = inst_val_bits(x, part);
    for (uint32_t k = 0; k < v.n; k++) all.v.b[8 * at + k] = v.b[k];
    for (uint32_t k = 0; k < part.unset.n; k++) all.unset.b[8 * at + k] = part.unset.b[k];
  }
  return inst_val_slice(x, all, 0, all.v.n);
}

val_t globals_constant(exec_t *x, LLVMValueRef c) {
  uint32_t id = func_index_get(&x->global, c);
  if (id != INDEX_NONE) return exec_const(x, mem_address(id));
  uint32_t bits = inst_type_bits(x, LLVMTypeOf(c));
  if (LLVMIsAConstantInt(c)) {
    if (bits > 64) mrpb_fail(x->err, "the executor does not know constants of %u bits", bits);
    return inst_val_int(bv_const(&x->bv, bits, LLVMConstIntGetZExtValue(c)));
  }
  if (LLVMIsUndef(c) || LLVMIsPoison(c)) {
    val_t v = inst_val_int(bv_fresh(&x->bv, bits));
    v.unset = bv_not(&x->bv, bv_const(&x->bv, bits, 0));
    return v;
  }
  if (LLVMIsAConstantPointerNull(c)) return exec_const(x, 0);
  if (LLVMIsNull(c)) return inst_val_int(bv_const(&x->bv, bits, 0));
  if (LLVMIsAConstantExpr(c)) return expression(x, c);
  if (LLVMIsAConstantStruct(c) || LLVMIsAConstantArray(c) || LLVMIsAConstantDataSequential(c))
    return aggregate(x, c);
  mrpb_fail(x->err, "the executor does not know a constant");
  return inst_val_int(bv_const(&x->bv, bits, 0));
}

/* The tables of modules that do not belong to this proof (cmodel/module_list.c lists them all). */
static bool is_class(const char *name) {
  size_t n = strlen(name), k = strlen("_class");
  return n > k && strcmp(name + n - k, "_class") == 0;
}

/* Writes "fifo_bank.c:12: " if the debug information has it. */
static void place_of_global(LLVMValueRef g, char *text, size_t size) {
  size_t n = 0;
  LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(g, &n);
  text[0] = '\0';
  for (unsigned i = 0; i < n; i++) {
    LLVMMetadataRef m = LLVMValueMetadataEntriesGetMetadata(all, i);
    if (LLVMGetMetadataKind(m) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
    LLVMMetadataRef v = LLVMDIGlobalVariableExpressionGetVariable(m);
    unsigned length = 0;
    const char *file = LLVMDIFileGetFilename(LLVMDIVariableGetFile(v), &length);
    const char *slash = file ? strrchr(file, '/') : NULL;
    snprintf(text, size, "%s:%u: ", slash ? slash + 1 : file ? file : "", LLVMDIVariableGetLine(v));
  }
  LLVMDisposeValueMetadataEntries(all);
}

int exec_check_state(exec_t *x, mrpb_err_t *err) {
  char place[160];
  size_t n;
  if (LLVMGetModuleInlineAsm(x->module, &n)[0])
    return mrpb_fail(err, "the C model has assembler outside its functions; legal is C");
  if (LLVMGetFirstGlobalAlias(x->module) || LLVMGetFirstGlobalIFunc(x->module))
    return mrpb_fail(err, "the C model has a name for another symbol (an alias); legal is C");
  for (LLVMValueRef g = LLVMGetFirstGlobal(x->module); g; g = LLVMGetNextGlobal(g)) {
    const char *name = LLVMGetValueName2(g, &n);
    place_of_global(g, place, sizeof place);
    if (strncmp(name, "llvm.global_", strlen("llvm.global_")) == 0)
      return mrpb_fail(err, "the C model has a function that runs before main; legal is C that "
                            "<stem>_create, _comb and _edge call");
    if (!LLVMIsGlobalConstant(g) || LLVMIsThreadLocal(g))
      return mrpb_fail(err,
                       "%s'%s' is state outside the model, which nothing compares; legal are "
                       "const variables and members of the model's structure",
                       place, name);
    if (!LLVMGetInitializer(g) && !is_class(name))
      return mrpb_fail(err,
                       "%s'%s' is defined outside the C model; legal are const variables with "
                       "their values in its files",
                       place, name);
  }
  return 0;
}

int globals_open(exec_t *x, mrpb_err_t *err) {
  x->err = err;
  for (LLVMValueRef g = LLVMGetFirstGlobal(x->module); g; g = LLVMGetNextGlobal(g)) {
    bool here = LLVMGetInitializer(g) != NULL;
    uint32_t size = here ? inst_type_bytes(x, LLVMGlobalGetValueType(g)) : 0;
    func_index_put(&x->global, g, mem_object(exec_object(x, &x->start, size, MEM_ZERO)));
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(x->module); f; f = LLVMGetNextFunction(f))
    func_index_put(&x->global, f, x->n_objects++); /* no memory behind this address */
  for (LLVMValueRef g = LLVMGetFirstGlobal(x->module); g && !exec_stopped(x);
       g = LLVMGetNextGlobal(g)) {
    LLVMValueRef init = LLVMGetInitializer(g);
    uint32_t id = func_index_get(&x->global, g);
    if (init && !LLVMIsNull(init)) {
      val_t v = globals_constant(x, init);
      v.v = inst_val_bits(x, v);
      v.base = 0;
      if (!exec_stopped(x)) mem_store(&x->bv, &x->start, exec_const(x, mem_address(id)), v);
    }
    mem_protect(&x->start, id);
  }
  x->err = NULL;
  return err->text[0] ? -1 : 0;
}
