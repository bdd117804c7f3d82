/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, edges, calls and returns. */
#include "verify/prove/llvm/priv.h"

#include <stdlib.h>
#include <string.h>

bool exec_stopped(const exec_t *x) {
  return x->err && x->err->text[0] != '\0';
}

/* Writes "function, file.c:12" for the current instruction. */
static void place_of(const frame_t *f, char *text, size_t size) {
  size_t n;
  unsigned line = f->at ? LLVMGetDebugLocLine(f->at) : 0;
  const char *name = LLVMGetValueName2(f->f->fn, &n);
  if (line == 0) {
    snprintf(text, size, "%s", name);
    return;
  }
  unsigned length = 0;
  const char *file = LLVMGetDebugLocFilename(f->at, &length);
  const char *slash = file ? strrchr(file, '/') : NULL;
  snprintf(text, size, "%s, %s:%u", name, slash ? slash + 1 : file ? file : "", line);
}

void exec_oblige(frame_t *f, lit_t cond, const char *why) {
  exec_t *x = f->x;
  lit_t bad = aig_and(x->bv.g, f->outside, aig_and(x->bv.g, f->cond, cond));
  if (bad == AIG_FALSE) return;
  x->obligation = prove_room(x->obligation, x->n_obligations + 1, &x->room, sizeof *x->obligation);
  obligation_t *o = &x->obligation[x->n_obligations++];
  o->bad = bad;
  o->why = why;
  place_of(f, o->where, sizeof o->where);
}

void exec_unknown(frame_t *f, const char *what) {
  char where[96];
  place_of(f, where, sizeof where);
  mrpb_fail(f->x->err, "%s: the executor does not know %s", where, what);
}

val_t exec_operand(frame_t *f, LLVMValueRef v) {
  uint32_t n = func_index_get(&f->f->value, v);
  return n == INDEX_NONE ? globals_constant(f->x, v) : f->value[n];
}

void exec_set_value(frame_t *f, LLVMValueRef inst, val_t v) {
  f->value[func_index_get(&f->f->value, inst)] = v;
}

static uint32_t n_phis(LLVMBasicBlockRef block) {
  uint32_t n = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i))
    n++;
  return n;
}

static val_t incoming(frame_t *f, LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == from) return exec_operand(f, LLVMGetIncomingValue(phi, k));
  exec_unknown(f, "a phi without this predecessor");
  return (val_t){.base = 0};
}

/* Takes the edge from block `from` under `cond`; consumes `mem`. */
static void take_edge(frame_t *f, uint32_t from, LLVMBasicBlockRef to, lit_t cond, mem_t *mem) {
  exec_t *x = f->x;
  uint32_t at = func_index_get(&f->f->at, LLVMBasicBlockAsValue(to)), k = 0;
  pending_t *p = &f->pending[at];
  if (cond == AIG_FALSE) {
    mem_close(mem);
    return;
  }
  if (f->f->loop_end[at] && (from < at || from >= f->f->loop_end[at]))
    p->rounds = p->visits = p->changes = p->last = 0;
  lit_t choice = p->cond == AIG_FALSE ? AIG_TRUE : aig_choice(x->bv.g, cond, p->cond);
  if (!p->phi) p->phi = prove_alloc(n_phis(to) * sizeof *p->phi);
  for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i), k++) {
    val_t v = incoming(f, i, f->f->block[from]);
    if (exec_stopped(x)) break;
    p->phi[k] = p->cond == AIG_FALSE ? v : inst_val_mux(x, choice, v, p->phi[k]);
  }
  p->mem = p->cond == AIG_FALSE ? mem : mem_merge(&x->bv, choice, mem, p->mem);
  p->cond = aig_or(x->bv.g, p->cond, cond);
}

static void run_return(frame_t *f, LLVMValueRef inst) {
  exec_t *x = f->x;
  bool first = f->returned == AIG_FALSE;
  lit_t choice = first ? AIG_TRUE : aig_choice(x->bv.g, f->cond, f->returned);
  if (LLVMGetNumOperands(inst) == 1) {
    val_t v = exec_operand(f, LLVMGetOperand(inst, 0));
    f->ret = first ? v : inst_val_mux(x, choice, v, f->ret);
  }
  f->ret_mem = first ? f->mem : mem_merge(&x->bv, choice, f->mem, f->ret_mem);
  f->returned = aig_or(x->bv.g, f->returned, f->cond);
}

/* A path that does not return. */
static void end_path(frame_t *f) {
  f->ended = aig_or(f->x->bv.g, f->ended, f->cond);
  mem_close(f->mem);
}

static void run_switch(frame_t *f, uint32_t from, LLVMValueRef inst) {
  exec_t *x = f->x;
  bv_t v = inst_used(f, exec_operand(f, LLVMGetOperand(inst, 0)));
  lit_t none = AIG_TRUE;
  unsigned n = (unsigned)LLVMGetNumOperands(inst);
  for (unsigned k = 2; k + 1 < n; k += 2) {
    bv_t c = inst_val_bits(x, globals_constant(x, LLVMGetOperand(inst, k)));
    lit_t hit = aig_and(x->bv.g, none, bv_eq(&x->bv, v, c));
    take_edge(f, from, LLVMValueAsBasicBlock(LLVMGetOperand(inst, k + 1)),
              aig_and(x->bv.g, f->cond, hit), mem_share(f->mem));
    none = aig_and(x->bv.g, none, aig_not(hit));
  }
  take_edge(f, from, LLVMGetSwitchDefaultDest(inst), aig_and(x->bv.g, f->cond, none), f->mem);
}

/* The violation that a check which ends in this block has found (clang's -fsanitize-trap); NULL for
 * any other block. */
static const char *trap_of(LLVMBasicBlockRef block) {
  static const char *const kinds[] = {[0] = "a signed overflow",
                                      [3] = "a division by 0 or a signed overflow",
                                      [5] = "a number that is too large for an integer",
                                      [8] = "a count of the zeros before the lowest 1 of 0",
                                      [10] = "a bool that is neither 0 nor 1",
                                      [12] = "a signed overflow",
                                      [13] = "a signed overflow",
                                      [16] = "a null pointer that must not be one",
                                      [17] = "a null pointer that must not be one",
                                      [18] = "an index outside its array",
                                      [19] = "a pointer beyond its object",
                                      [20] = "a signed shift whose result does not fit",
                                      [21] = "a signed overflow"};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  size_t n;
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  if (!i || !LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i))) return NULL;
  if (strcmp(LLVMGetValueName2(LLVMGetCalledValue(i), &n), "llvm.ubsantrap") != 0) return NULL;
  uint64_t kind = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
  return kind < KINDS && kinds[kind] ? kinds[kind] : "undefined behaviour";
}

/* Reaching a check's end is an obligation; execution continues on the other path as if there were
 * no check. */
static bool run_check(frame_t *f, uint32_t from, LLVMBasicBlockRef yes, LLVMBasicBlockRef no,
                      lit_t c) {
  const char *bad = trap_of(yes), *also = bad ? NULL : trap_of(no);
  if (!bad && !also) return false;
  exec_oblige(f, bad ? c : aig_not(c), bad ? bad : also);
  take_edge(f, from, bad ? no : yes, f->cond, f->mem);
  return true;
}

static void run_branch(frame_t *f, uint32_t at, LLVMValueRef inst) {
  exec_t *x = f->x;
  if (!LLVMIsConditional(inst)) {
    take_edge(f, at, LLVMGetSuccessor(inst, 0), f->cond, f->mem);
    return;
  }
  lit_t c = inst_used(f, exec_operand(f, LLVMGetCondition(inst))).b[0];
  LLVMBasicBlockRef yes = LLVMGetSuccessor(inst, 0), no = LLVMGetSuccessor(inst, 1);
  if (run_check(f, at, yes, no, c)) return;
  lit_t on_yes = aig_and(x->bv.g, f->cond, c), on_no = aig_and(x->bv.g, f->cond, aig_not(c));
  if (on_yes == AIG_FALSE || yes == no) {
    take_edge(f, at, no, yes == no ? f->cond : on_no, f->mem);
    return;
  }
  if (on_no != AIG_FALSE) take_edge(f, at, no, on_no, mem_share(f->mem));
  take_edge(f, at, yes, on_yes, f->mem);
}

static void run_terminator(frame_t *f, uint32_t at, LLVMValueRef inst) {
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMRet:
    run_return(f, inst);
    return;
  case LLVMBr:
    run_branch(f, at, inst);
    return;
  case LLVMSwitch:
    run_switch(f, at, inst);
    return;
  case LLVMUnreachable:
    exec_oblige(f, AIG_TRUE, "code that must not be reached (abort, or undefined behaviour)");
    end_path(f);
    return;
  default:
    exec_unknown(f, "this terminator");
    mem_close(f->mem);
  }
}

/* Position of the first block that something waits for. If it is the only one, every path that has
 * not ended is there; this is simpler than the condition collected on the way. */
static uint32_t next_block(frame_t *f) {
  uint32_t first = f->f->n_blocks, n = 0;
  for (uint32_t at = f->f->n_blocks; at-- > 0;) {
    if (f->pending[at].cond == AIG_FALSE) continue;
    first = at;
    n++;
  }
  if (n == 1) f->pending[first].cond = aig_not(aig_or(f->x->bv.g, f->returned, f->ended));
  return first;
}

/* Runs the block at position `at`, for which something waits. */
static void run_block(frame_t *f, uint32_t at) {
  pending_t *p = &f->pending[at];
  LLVMValueRef i = LLVMGetFirstInstruction(f->f->block[at]);
  f->cond = p->cond;
  f->mem = p->mem;
  f->at = i;
  p->cond = AIG_FALSE;
  p->mem = NULL;
  for (uint32_t k = 0; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i), k++)
    exec_set_value(f, i, p->phi[k]);
  /* A round that could not have been the last one leaves the condition unchanged. */
  if (f->f->loop_end[at]) p->rounds++;
  if (f->f->loop_end[at] && f->cond != AIG_TRUE) p->visits++;
  if (f->f->loop_end[at] && f->cond != p->last) p->changes++;
  p->last = f->cond;
  if (p->rounds > MAX_ROUNDS || p->visits > f->x->unroll || p->changes > f->x->rounds) {
    f->at = i;
    exec_oblige(f, AIG_TRUE, "a loop that goes on beyond the bound (--unroll)");
    end_path(f);
    return;
  }
  for (; i && !exec_stopped(f->x); i = LLVMGetNextInstruction(i)) {
    f->at = i;
    if (LLVMIsATerminatorInst(i))
      run_terminator(f, at, i);
    else if (LLVMIsACallInst(i))
      known_call(f, i);
    else
      inst_run(f, i);
  }
}

static const func_t *function_of(exec_t *x, LLVMValueRef fn) {
  uint32_t n = func_index_get(&x->cache, fn);
  if (n != INDEX_NONE) return x->func[n];
  func_t *f = func_open(fn, x->err);
  if (!f) return NULL;
  x->func = prove_grow(x->func, (x->n_func + 1) * sizeof *x->func);
  x->func[x->n_func] = f;
  func_index_put(&x->cache, fn, x->n_func++);
  return f;
}

void exec_function(exec_t *x, LLVMValueRef fn, const val_t *args, unsigned n_args, lit_t when,
                   mem_t **m, val_t *ret) {
  size_t length;
  const func_t *func = function_of(x, fn);
  if (!func) return;
  if (x->depth == MAX_DEPTH) {
    mrpb_fail(x->err, "%s: more than %d calls deep", LLVMGetValueName2(fn, &length), MAX_DEPTH);
    return;
  }
  frame_t f = {.x = x, .f = func, .outside = when, .returned = AIG_FALSE};
  f.value = prove_alloc(func->n_values * sizeof *f.value);
  f.pending = prove_alloc(func->n_blocks * sizeof *f.pending);
  memset(f.pending, 0, func->n_blocks * sizeof *f.pending);
  for (unsigned i = 0; i < n_args; i++) f.value[i] = args[i];
  f.pending[0].cond = AIG_TRUE;
  f.pending[0].mem = *m;
  x->depth++;
  for (uint32_t at = 0; at < func->n_blocks && !exec_stopped(x); at = next_block(&f))
    run_block(&f, at);
  x->depth--;
  *m = f.ret_mem;
  for (uint32_t i = 0; i < f.n_locals && *m; i++) mem_forget(m, f.local[i]);
  free(f.local);
  if (f.returned == AIG_FALSE && !exec_stopped(x))
    mrpb_fail(x->err, "%s: never returns", LLVMGetValueName2(fn, &length));
  if (ret) *ret = f.ret;
  for (uint32_t i = 0; i < func->n_blocks; i++) free(f.pending[i].phi);
  free(f.pending);
  free(f.value);
}

void exec_set_rounds(exec_t *x, uint32_t rounds) {
  x->rounds = rounds;
}

bool exec_has(const exec_t *x, const char *function) {
  LLVMValueRef fn = LLVMGetNamedFunction(x->module, function);
  return fn && LLVMCountBasicBlocks(fn) > 0;
}

static int call(exec_t *x, LLVMValueRef fn, const val_t *args, unsigned n_args, lit_t when,
                mem_t **m, val_t *ret, mrpb_err_t *err) {
  if (LLVMCountParams(fn) != n_args) {
    size_t n;
    return mrpb_fail(err, "%s takes %u arguments, not %u", LLVMGetValueName2(fn, &n),
                     LLVMCountParams(fn), n_args);
  }
  x->err = err;
  exec_function(x, fn, args, n_args, when, m, ret);
  x->err = NULL;
  return err->text[0] ? -1 : 0;
}

int exec_call(exec_t *x, const char *function, const val_t *args, unsigned n_args, lit_t when,
              mem_t **m, val_t *ret, mrpb_err_t *err) {
  if (!exec_has(x, function)) return mrpb_fail(err, "the C model has no function %s", function);
  return call(x, LLVMGetNamedFunction(x->module, function), args, n_args, when, m, ret, err);
}

const obligation_t *exec_obligations(const exec_t *x, unsigned *n) {
  *n = x->n_obligations;
  return x->obligation;
}

void exec_forget(exec_t *x) {
  x->n_obligations = 0;
}
