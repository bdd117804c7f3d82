/* Bitcode files: read, linked, brought into the form that the executor needs. */
#include "prove/llvm/priv.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>

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

/* Loops with one way back, exits of their own, and no value that is used beyond its loop but
 * through a phi: what exec.c relies on. */
static int normalise(exec_t *x, mrpb_err_t *err) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failed = LLVMRunPasses(x->module, "function(loop-simplify,lcssa)", NULL, options);
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
