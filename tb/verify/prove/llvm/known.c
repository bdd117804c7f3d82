/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: intrinsics, and the few functions of the C library that models use. */
#include "verify/prove/llvm/priv.h"

#include <string.h>

static bool starts(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

/* memcpy, memmove and memset of a constant number of bytes. */
static void move(frame_t *f, const val_t *args, bool set, bool apart) {
  exec_t *x = f->x;
  bv_t size = inst_used(f, args[2]);
  val_t v;
  lit_t legal = AIG_TRUE;
  uint64_t n = bv_value(size);
  if (!bv_is_const(size) || n > 1 << 20) {
    exec_unknown(f, "a memcpy or memset of variable size");
    return;
  }
  inst_used(f, args[0]);
  if (n == 0) return;
  if (set) {
    v = inst_val_int(bv_new(&x->bv, 8 * (uint32_t)n));
    bv_t byte = inst_used(f, args[1]);
    for (uint32_t i = 0; i < v.v.n; i++) v.v.b[i] = byte.b[i % 8];
  } else {
    bv_t gap = bv_sub(&x->bv, inst_val_bits(x, args[0]), inst_used(f, args[1])),
         far = bv_const(&x->bv, 64, n);
    lit_t overlap = aig_or(x->bv.g, bv_ult(&x->bv, gap, far),
                           bv_ult(&x->bv, bv_sub(&x->bv, bv_const(&x->bv, 64, 0), gap), far));
    /* A structure may be assigned to itself. */
    if (apart)
      exec_oblige(f, aig_and(x->bv.g, overlap, bv_any(&x->bv, gap)), "a memcpy onto its source");
    v = mem_load(&x->bv, f->mem, args[1], (uint32_t)n, &legal);
    exec_oblige(f, aig_not(legal), "a copy from outside an object");
  }
  if (args[0].base && mem_is_protected(f->mem, mem_object(args[0].base))) {
    exec_oblige(f, AIG_TRUE, "a write to constant data or to the inputs");
    return;
  }
  legal = mem_store(&x->bv, &f->mem, args[0], v);
  exec_oblige(f, aig_not(legal), "a copy to outside an object");
}

/* {result, overflow flag} of signed arithmetic. */
static val_t with_overflow(frame_t *f, LLVMValueRef call, char kind, bv_t a, bv_t b) {
  exec_t *x = f->x;
  bv_ctx_t *c = &x->bv;
  LLVMTypeRef type = LLVMTypeOf(call);
  uint32_t n = a.n, m = kind == 'm' ? 2 * n : n + 1;
  bv_t wa = bv_sext(c, a, m), wb = bv_sext(c, b, m);
  bv_t exact = kind == 'a'   ? bv_add(c, wa, wb)
               : kind == 's' ? bv_sub(c, wa, wb)
                             : bv_mul(c, wa, wb);
  bv_t r = bv_slice(c, exact, 0, n), v = bv_const(c, inst_type_bits(x, type), 0);
  for (uint32_t i = 0; i < n; i++) v.b[i] = r.b[i];
  v.b[8 * LLVMOffsetOfElement(x->layout, type, 1)] = aig_not(bv_eq(c, bv_sext(c, r, m), exact));
  return inst_val_int(v);
}

static bv_t smaller(bv_ctx_t *c, const char *kind, bv_t a, bv_t b) {
  lit_t less = kind[0] == 's' ? bv_slt(c, a, b) : bv_ult(c, a, b);
  return strncmp(kind + 1, "min", 3) == 0 ? bv_mux(c, less, a, b) : bv_mux(c, less, b, a);
}

/* Shift of the pair a:b by c mod n. */
static bv_t funnel(bv_ctx_t *c, bool left, bv_t a, bv_t b, bv_t by) {
  bv_t both = bv_new(c, 2 * a.n), amount = bv_const(c, 2 * a.n, 0);
  for (uint32_t i = 0; i < a.n; i++) {
    both.b[i] = b.b[i];
    both.b[a.n + i] = a.b[i];
  }
  for (uint32_t i = 0; UINT32_C(1) << i < a.n; i++) amount.b[i] = by.b[i];
  bv_t moved = bv_shift(c, left ? BV_SHL : BV_LSHR, both, amount);
  return bv_slice(c, moved, left ? a.n : 0, a.n);
}

/* Intrinsics that compute; a vector of no bits if `name` is not one of them. */
static bv_t computed(exec_t *x, const char *kind, const val_t *a) {
  bv_ctx_t *c = &x->bv;
  bv_t none = {NULL, 0};
  if (starts(kind, "cttz.")) return bv_cttz(c, a[0].v);
  if (starts(kind, "ctlz.")) return bv_ctlz(c, a[0].v);
  if (starts(kind, "ctpop.")) return bv_ctpop(c, a[0].v);
  if (starts(kind, "expect.")) return a[0].v;
  if (starts(kind, "umin.") || starts(kind, "umax.") || starts(kind, "smin.") ||
      starts(kind, "smax."))
    return smaller(c, kind, a[0].v, a[1].v);
  if (starts(kind, "fshl.") || starts(kind, "fshr."))
    return funnel(c, kind[3] == 'l', a[0].v, a[1].v, a[2].v);
  if (starts(kind, "abs.")) {
    bv_t minus = bv_sub(c, bv_const(c, a[0].v.n, 0), a[0].v);
    return bv_mux(c, a[0].v.b[a[0].v.n - 1], minus, a[0].v);
  }
  if (starts(kind, "usub.sat."))
    return bv_mux(c, bv_ult(c, a[0].v, a[1].v), bv_const(c, a[0].v.n, 0),
                  bv_sub(c, a[0].v, a[1].v));
  if (starts(kind, "bswap.")) {
    bv_t v = bv_new(c, a[0].v.n);
    for (uint32_t i = 0; i < v.n; i++) v.b[i] = a[0].v.b[v.n - 8 - i / 8 * 8 + i % 8];
    return v;
  }
  return none;
}

static bool harmless(const char *name) {
  static const char *const names[] = {"llvm.dbg.", "llvm.experimental.noalias", "llvm.va_",
                                      "llvm.donothing"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (starts(name, names[i])) return true;
  return false;
}

static val_t make_object(frame_t *f, bv_t count, bv_t size, mem_fill_t fill) {
  exec_t *x = f->x;
  uint64_t bytes = bv_value(count) * bv_value(size);
  if (!bv_is_const(count) || !bv_is_const(size) || bytes > 1 << 24)
    exec_unknown(f, "an allocation of variable size");
  if (exec_stopped(x)) return exec_const(x, 0);
  return exec_const(x, exec_object(x, &f->mem, (uint32_t)bytes, fill));
}

static bool run_intrinsic(frame_t *f, const char *kind, LLVMValueRef call, const val_t *args,
                          val_t *ret) {
  exec_t *x = f->x;
  unsigned n = LLVMGetNumArgOperands(call);
  val_t a[4] = {{.base = 0}};
  for (unsigned i = 0; i < n && i < 4; i++) a[i] = inst_val_int(inst_used(f, args[i]));
  if ((starts(kind, "cttz.") || starts(kind, "ctlz.")) && a[1].v.b[0] != AIG_FALSE)
    exec_oblige(f, aig_not(bv_any(&x->bv, a[0].v)),
                "a count of the zeros before the lowest 1 of 0");
  if (starts(kind + 1, "add.with.overflow.") || starts(kind + 1, "sub.with.overflow.") ||
      starts(kind + 1, "mul.with.overflow.")) {
    if (kind[0] != 's') return false;
    *ret = with_overflow(f, call, kind[1], a[0].v, a[1].v);
    return true;
  }
  bv_t v = computed(x, kind, a);
  if (v.n) *ret = inst_val_int(v);
  return v.n > 0;
}

/* The life of a local variable, or of allocated memory, begins or ends. */
static bool run_life(frame_t *f, const char *name, const val_t *args) {
  exec_t *x = f->x;
  const bool local = starts(name, "llvm.lifetime.");
  if (!local && strcmp(name, "free") != 0) return false;
  const val_t at = args[local];
  const uint32_t id = mem_object(at.base);
  if (!local) {
    inst_used(f, at);
    bool null = bv_is_const(at.v) && bv_value(inst_val_bits(x, at)) == 0;
    if (null) return true;
    if (!at.base || !bv_is_const(at.v) || bv_value(at.v) != 0) {
      exec_unknown(f, "a free of a pointer that varies");
      return true;
    }
    exec_oblige(f, mem_size(f->mem, id) > 0 && (uint32_t)at.base == 0 ? AIG_FALSE : AIG_TRUE,
                "a free of what is not allocated");
    mem_kill(&f->mem, id);
    return true;
  }
  if (starts(name, "llvm.lifetime.start")) mem_revive(&x->bv, &f->mem, id);
  if (starts(name, "llvm.lifetime.end")) mem_kill(&f->mem, id);
  return true;
}

bool known_run(frame_t *f, const char *name, LLVMValueRef call, const val_t *args, val_t *ret) {
  exec_t *x = f->x;
  if (harmless(name) || run_life(f, name, args)) return true;
  if (starts(name, UNSET_MARK)) {
    if (LLVMGetFirstUse(call)) *ret = globals_constant(x, LLVMGetUndef(LLVMTypeOf(call)));
    return true;
  }
  if (starts(name, "llvm.memcpy.") || starts(name, "llvm.memmove.") ||
      starts(name, "llvm.memset.")) {
    move(f, args, starts(name, "llvm.memset."), starts(name, "llvm.memcpy."));
    return true;
  }
  if (strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0 || strcmp(name, "memset") == 0) {
    move(f, args, strcmp(name, "memset") == 0, strcmp(name, "memcpy") == 0);
    *ret = args[0];
    return true;
  }
  if (starts(name, "llvm.assume")) {
    exec_oblige(f, aig_not(inst_used(f, args[0]).b[0]), "a false assumption");
    return true;
  }
  if (strcmp(name, "calloc") == 0) {
    *ret = make_object(f, args[0].v, args[1].v, MEM_ZERO);
    return true;
  }
  if (strcmp(name, "malloc") == 0) {
    *ret = make_object(f, bv_const(&x->bv, 64, 1), args[0].v, MEM_UNKNOWN);
    return true;
  }
  if (strcmp(name, "aligned_alloc") == 0) {
    *ret = make_object(f, bv_const(&x->bv, 64, 1), args[1].v, MEM_UNKNOWN);
    return true;
  }
  if (strcmp(name, "abort") == 0 || strcmp(name, "__assert_fail") == 0 ||
      starts(name, "llvm.trap") || starts(name, "llvm.ubsantrap"))
    return true; /* unreachable follows */
  if (!starts(name, "llvm.")) return false;
  return run_intrinsic(f, name + strlen("llvm."), call, args, ret);
}

/* An argument passed by value is an object of the callee. */
static val_t by_value(frame_t *f, LLVMValueRef fn, unsigned i, val_t at) {
  exec_t *x = f->x;
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(fn, i + 1, kind);
  if (!attribute) return at;
  uint32_t size = inst_type_bytes(x, LLVMGetTypeAttributeValue(attribute));
  lit_t legal;
  val_t v = mem_load(&x->bv, f->mem, at, size, &legal);
  val_t copy = exec_const(x, exec_object(x, &f->mem, size, MEM_ZERO));
  mem_store(&x->bv, &f->mem, copy, v);
  exec_oblige(f, aig_not(legal), "a copy from outside an object");
  return copy;
}

/* The function to which a constant pointer in memory points. */
static LLVMValueRef behind(exec_t *x, val_t at) {
  for (LLVMValueRef fn = LLVMGetFirstFunction(x->module); fn; fn = LLVMGetNextFunction(fn))
    if (bv_is_const(at.v) &&
        mem_address(func_index_get(&x->global, fn)) == bv_value(inst_val_bits(x, at)))
      return fn;
  return NULL;
}

/* A call through a pointer of another type passes arguments that the function does not take. */
static bool takes(frame_t *f, LLVMValueRef fn, const val_t *args, unsigned n) {
  exec_t *x = f->x;
  unsigned params = LLVMCountParams(fn);
  bool good = n == params || (n > params && LLVMIsFunctionVarArg(LLVMGlobalGetValueType(fn)));
  for (unsigned i = 0; good && i < params; i++)
    good = args[i].v.n == inst_type_bits(x, LLVMTypeOf(LLVMGetParam(fn, i)));
  if (!good) exec_unknown(f, "a call with other arguments than the function takes");
  return good;
}

void known_call(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  LLVMValueRef fn = LLVMGetCalledValue(inst);
  unsigned n = LLVMGetNumArgOperands(inst);
  val_t args[MAX_ARGS], ret = {.base = 0};
  size_t length;
  if (LLVMIsAInlineAsm(fn)) {
    exec_unknown(f, "assembler");
    return;
  }
  if (!LLVMIsAFunction(fn)) fn = behind(x, inst_val_int(inst_used(f, exec_operand(f, fn))));
  if (!fn || n > MAX_ARGS) {
    exec_unknown(f,
                 fn ? "a call with that many arguments" : "a call through a pointer that varies");
    return;
  }
  const char *name = LLVMGetValueName2(fn, &length);
  bool body = LLVMCountBasicBlocks(fn) > 0;
  if (!body && harmless(name)) return;
  for (unsigned i = 0; i < n; i++) {
    args[i] = exec_operand(f, LLVMGetOperand(inst, i));
    if (body) args[i] = by_value(f, fn, i, args[i]);
  }
  if (body) {
    lit_t when = aig_and(x->bv.g, f->outside, f->cond);
    if (takes(f, fn, args, n)) exec_function(x, fn, args, LLVMCountParams(fn), when, &f->mem, &ret);
  } else if (!known_run(f, name, inst, args, &ret)) {
    char what[160];
    snprintf(what, sizeof what, "the function %s", name);
    exec_unknown(f, what);
  }
  LLVMTypeRef type = LLVMTypeOf(inst);
  if (exec_stopped(x) || !ret.v.n || LLVMGetTypeKind(type) == LLVMVoidTypeKind) return;
  if (ret.v.n != inst_type_bits(x, type)) exec_unknown(f, "a call of a function of another type");
  exec_set_value(f, inst, ret);
}
