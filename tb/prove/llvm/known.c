/* Calls: intrinsics and the few functions of the C library that models use. */
#include "prove/llvm/priv.h"

#include <string.h>

static bool starts(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

/* memcpy, memmove and memset of a constant number of bytes. */
static void move(frame_t *f, const val_t *args, bool set) {
  exec_t *x = f->x;
  bv_t size = val_bits(x, args[2]), v;
  lit_t legal = AIG_TRUE;
  uint64_t n = bv_value(size);
  if (!bv_is_const(size) || n > 1 << 20) {
    unknown(f, "a memcpy or memset of variable size");
    return;
  }
  if (n == 0) return;
  if (set) {
    v = bv_new(&x->bv, 8 * (uint32_t)n);
    for (uint32_t i = 0; i < v.n; i++) v.b[i] = args[1].v.b[i % 8];
  } else {
    v = mem_load(&x->bv, f->mem, args[1], (uint32_t)n, &legal);
    oblige(f, aig_not(legal), "a copy from outside an object");
  }
  legal = mem_store(&x->bv, &f->mem, args[0], v);
  oblige(f, aig_not(legal), "a copy to outside an object");
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

/* The intrinsics that compute; a vector of no bits if `name` is none of them. */
static bv_t computed(exec_t *x, const char *name, const val_t *a) {
  bv_ctx_t *c = &x->bv;
  bv_t none = {NULL, 0};
  const char *kind = name + strlen("llvm.");
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
  static const char *const names[] = {
      "llvm.lifetime.", "llvm.dbg.",      "llvm.experimental.noalias",
      "llvm.va_",       "llvm.donothing", "free"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (starts(name, names[i])) return true;
  return false;
}

static val_t make_object(frame_t *f, bv_t count, bv_t size, mem_fill_t fill) {
  exec_t *x = f->x;
  uint64_t bytes = bv_value(count) * bv_value(size);
  if (!bv_is_const(count) || !bv_is_const(size) || bytes > 1 << 24)
    unknown(f, "an allocation of variable size");
  if (stopped(x)) return exec_const(x, 0);
  return exec_const(x, exec_object(x, &f->mem, (uint32_t)bytes, fill));
}

bool run_known(frame_t *f, const char *name, LLVMValueRef call, const val_t *args, val_t *ret) {
  exec_t *x = f->x;
  if (harmless(name)) return true;
  if (starts(name, "llvm.memcpy.") || starts(name, "llvm.memmove.") ||
      starts(name, "llvm.memset.")) {
    move(f, args, starts(name, "llvm.memset."));
    return true;
  }
  if (strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0 || strcmp(name, "memset") == 0) {
    move(f, args, strcmp(name, "memset") == 0);
    *ret = args[0];
    return true;
  }
  if (starts(name, "llvm.assume")) {
    oblige(f, aig_not(args[0].v.b[0]), "a false assumption");
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
  if (strcmp(name, "abort") == 0 || starts(name, "llvm.trap"))
    return true; /* unreachable follows */
  if (!starts(name, "llvm.")) return false;
  bv_t v = computed(x, name, args);
  if (v.n == 0) return false;
  *ret = val_int(v);
  (void)call;
  return true;
}

/* An argument passed by value is an object of the callee's own. */
static val_t by_value(frame_t *f, LLVMValueRef fn, unsigned i, val_t at) {
  exec_t *x = f->x;
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(fn, i + 1, kind);
  if (!attribute) return at;
  uint32_t size = type_bytes(x, LLVMGetTypeAttributeValue(attribute));
  lit_t legal;
  bv_t v = mem_load(&x->bv, f->mem, at, size, &legal);
  val_t copy = exec_const(x, exec_object(x, &f->mem, size, MEM_ZERO));
  mem_store(&x->bv, &f->mem, copy, v);
  oblige(f, aig_not(legal), "a copy from outside an object");
  return copy;
}

/* The function behind a constant pointer in memory. */
static LLVMValueRef behind(exec_t *x, val_t at) {
  for (LLVMValueRef fn = LLVMGetFirstFunction(x->module); fn; fn = LLVMGetNextFunction(fn))
    if (bv_is_const(at.v) && mem_address(index_get(&x->global, fn)) == bv_value(val_bits(x, at)))
      return fn;
  return NULL;
}

void run_call(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  LLVMValueRef fn = LLVMGetCalledValue(inst);
  unsigned n = LLVMGetNumArgOperands(inst);
  val_t args[MAX_ARGS], ret = {.base = 0};
  size_t length;
  if (!LLVMIsAFunction(fn)) fn = behind(x, operand(f, fn));
  if (!fn || n > MAX_ARGS) {
    unknown(f, fn ? "a call with that many arguments" : "a call through a pointer that varies");
    return;
  }
  const char *name = LLVMGetValueName2(fn, &length);
  bool body = LLVMCountBasicBlocks(fn) > 0;
  if (!body && harmless(name)) return;
  for (unsigned i = 0; i < n; i++) {
    args[i] = operand(f, LLVMGetOperand(inst, i));
    if (body) args[i] = by_value(f, fn, i, args[i]);
  }
  if (body) {
    lit_t when = aig_and(x->bv.g, f->outside, f->cond);
    run_function(x, fn, args, n, when, &f->mem, &ret);
  } else if (!run_known(f, name, inst, args, &ret)) {
    char what[160];
    snprintf(what, sizeof what, "the function %s", name);
    unknown(f, what);
  }
  if (ret.v.n && LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind) set_value(f, inst, ret);
}
