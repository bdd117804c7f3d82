/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and links bitcode files, and brings them into the form that the executor needs. */
#include "verify/prove/llvm/priv.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

static LLVMModuleRef read_file(LLVMContextRef context, const char *path, mrpb_err_t *err) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    mrpb_fail(err, "%s: %s", path, message);
    LLVMDisposeMessage(message);
    return NULL;
  }
  if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
    mrpb_fail(err, "%s: no LLVM 14 bitcode", path);
    module = NULL;
  }
  LLVMDisposeMemoryBuffer(buffer);
  return module;
}

/* A separate function for each type, without a body. */
static LLVMValueRef mark_of(exec_t *x, LLVMTypeRef type) {
  for (LLVMValueRef f = LLVMGetLastFunction(x->module); f; f = LLVMGetPreviousFunction(f)) {
    size_t n;
    LLVMTypeRef is = LLVMGlobalGetValueType(f);
    if (strncmp(LLVMGetValueName2(f, &n), UNSET_MARK, strlen(UNSET_MARK)) != 0) break;
    if (LLVMGetReturnType(is) == type) return f;
  }
  return LLVMAddFunction(x->module, UNSET_MARK, LLVMFunctionType(type, NULL, 0, 0));
}

static void mark_after(exec_t *x, LLVMBuilderRef b, LLVMValueRef inst, LLVMValueRef local) {
  LLVMTypeRef type = LLVMGetAllocatedType(local);
  LLVMValueRef fn = mark_of(x, type);
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(inst));
  LLVMBuildStore(b, LLVMBuildCall2(b, LLVMGlobalGetValueType(fn), fn, NULL, 0, ""), local);
}

static bool is_scalar(LLVMValueRef alloca) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(alloca));
  return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

/* The variable whose life begins; NULL if none. */
static LLVMValueRef begun(LLVMValueRef inst) {
  size_t n;
  LLVMValueRef fn = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
  if (!fn || strncmp(LLVMGetValueName2(fn, &n), "llvm.lifetime.start", 19) != 0) return NULL;
  LLVMValueRef at = LLVMGetOperand(inst, 1);
  if (LLVMIsABitCastInst(at)) at = LLVMGetOperand(at, 0);
  return LLVMIsAAllocaInst(at) && is_scalar(at) ? at : NULL;
}

/* Makes each scalar local variable begin with a value that was never set, wherever its life begins.
 * mem2reg would use LLVM's undef for this value and fold it into whatever it meets. */
static void mark_locals(exec_t *x) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(x->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(x->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef local = begun(i);
        if (local) mark_after(x, builder, i, local);
        if (LLVMIsAAllocaInst(i) && is_scalar(i)) mark_after(x, builder, i, i);
      }
  LLVMDisposeBuilder(builder);
}

/* Gives loops one back edge, exits of their own, and no value that is used outside its loop except
 * through a phi. exec.c relies on this. */
static int normalise(exec_t *x, mrpb_err_t *err) {
  mark_locals(x);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failed =
      LLVMRunPasses(x->module, "function(mem2reg,loop-simplify,lcssa)", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!failed) return 0;
  char *message = LLVMGetErrorMessage(failed);
  mrpb_fail(err, "LLVM: %s", message);
  LLVMDisposeErrorMessage(message);
  return -1;
}

exec_t *exec_open(aig_t *g, const char *const *files, unsigned n, uint32_t unroll,
                  mrpb_err_t *err) {
  exec_t *x = prove_alloc(sizeof *x);
  *x = (exec_t){.bv = {.g = g}, .unroll = unroll, .rounds = unroll};
  x->context = LLVMContextCreate();
  x->start = mem_open();
  for (unsigned i = 0; i < n; i++) {
    LLVMModuleRef m = read_file(x->context, files[i], err);
    if (m && !x->module)
      x->module = m;
    else if (m && LLVMLinkModules2(x->module, m))
      mrpb_fail(err, "%s: cannot be linked to the files before it", files[i]);
    if (!m || err->text[0]) {
      exec_close(x);
      return NULL;
    }
  }
  x->layout = LLVMGetModuleDataLayout(x->module);
  if (normalise(x, err) != 0 || globals_open(x, err) != 0) {
    exec_close(x);
    return NULL;
  }
  return x;
}

void exec_close(exec_t *x) {
  if (!x) return;
  for (uint32_t i = 0; i < x->n_func; i++) func_close(x->func[i]);
  free(x->func);
  free(x->obligation);
  free(x->global.slot);
  free(x->cache.slot);
  mem_close(x->start);
  bv_free(&x->bv);
  if (x->module) LLVMDisposeModule(x->module);
  LLVMContextDispose(x->context);
  free(x);
}

bv_ctx_t *exec_bv(exec_t *x) {
  return &x->bv;
}

mem_t *exec_memory(exec_t *x) {
  return mem_share(x->start);
}
