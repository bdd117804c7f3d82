/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a model's functions before any is executed: their names must be unique, the stack must
 * have room, and wrappers must do nothing but call. */
#include "verify/prove/llvm/priv.h"

#include "verify/prove/parts/parts.h"

#include <string.h>

enum { STACK = 1 << 16 }; /* bytes of a function's local variables: calls 64 deep fit into 8 MB */

static bool begins_with_stem(const char *name) {
  if (strncmp(name, "module_", strlen("module_")) == 0) return true; /* from cmodel/module.c */
  for (unsigned i = 0; prove_class_at(i); i++) {
    const char *stem = prove_class_at(i)->stem;
    if (strncmp(name, stem, strlen(stem)) == 0 && name[strlen(stem)] == '_') return true;
  }
  return false;
}

static uint64_t locals(const exec_t *x, LLVMValueRef f) {
  uint64_t bytes = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
        bytes += LLVMABISizeOfType(x->layout, LLVMGetAllocatedType(i)) *
                 LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
  return bytes;
}

int exec_check_functions(const exec_t *x, mrpb_err_t *err) {
  size_t n;
  for (LLVMValueRef f = LLVMGetFirstFunction(x->module); f; f = LLVMGetNextFunction(f)) {
    const char *name = LLVMGetValueName2(f, &n);
    if (LLVMCountBasicBlocks(f) == 0) continue;
    if (LLVMGetLinkage(f) != LLVMInternalLinkage && !begins_with_stem(name))
      return mrpb_fail(err,
                       "the C model defines the function '%s', which others may have or know; "
                       "legal are static functions and names that begin with the module's",
                       name);
    if (locals(x, f) > STACK)
      return mrpb_fail(err,
                       "%s has %llu bytes of local variables, for which the stack may have no "
                       "room; legal are %d",
                       name, (unsigned long long)locals(x, f), STACK);
  }
  return 0;
}

/* In a wrapper: computes an address, or passes on the result of the call. */
static bool hands_on(LLVMValueRef i, LLVMValueRef call) {
  switch ((int)LLVMGetInstructionOpcode(i)) {
  case LLVMBitCast:
  case LLVMGetElementPtr:
  case LLVMRet:
    return true;
  case LLVMZExt:
  case LLVMTrunc:
    return call && LLVMGetOperand(i, 0) == call;
  case LLVMStore: {
    const LLVMValueRef what = LLVMGetOperand(i, 0);
    return call && (what == call || (LLVMIsAZExtInst(what) && LLVMGetOperand(what, 0) == call));
  }
  default:
    return false;
  }
}

bool exec_only_calls(const exec_t *x, const char *wrapper, const char *name) {
  size_t n;
  LLVMValueRef f = LLVMGetNamedFunction(x->module, wrapper), call = NULL;
  if (!f || LLVMCountBasicBlocks(f) != 1) return false;
  LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f);
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
    LLVMValueRef to = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    const char *called = to ? LLVMGetValueName2(to, &n) : "";
    if (strncmp(called, "llvm.dbg.", strlen("llvm.dbg.")) == 0 ||
        strncmp(called, UNSET_MARK, strlen(UNSET_MARK)) == 0)
      continue;
    if (to && !call && strcmp(called, name) == 0)
      call = i;
    else if (!hands_on(i, call))
      return false;
  }
  return call != NULL;
}
