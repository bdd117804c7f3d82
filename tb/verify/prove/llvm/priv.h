/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the executor. Internal to tb/verify/prove/llvm. */
#ifndef PROVE_EXEC_PRIV_H
#define PROVE_EXEC_PRIV_H

#include "verify/prove/llvm/exec.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

typedef struct {
  LLVMValueRef key;
  uint32_t value;
} slot_t;

/* Maps LLVM's pointers to small numbers. */
typedef struct {
  slot_t *slot;
  uint32_t n, mask;
} index_t;

#define INDEX_NONE UINT32_MAX
enum { MAX_DEPTH = 64, MAX_ARGS = 16, MAX_ROUNDS = 1 << 17 };

void func_index_put(index_t *ix, LLVMValueRef key, uint32_t value);
uint32_t func_index_get(const index_t *ix, LLVMValueRef key);

/* A function with its blocks in order of execution: a loop's blocks are consecutive, and its header
 * comes first. */
typedef struct {
  LLVMValueRef fn;
  LLVMBasicBlockRef *block;
  uint32_t n_blocks;
  uint32_t *loop_end; /* for a header: the position after its loop's last block; else 0 */
  index_t at;         /* block (as a value) -> position */
  index_t value;      /* argument or instruction -> number */
  uint32_t n_values;
} func_t;

/* Returns NULL and a message in err for a function without a body or with a loop of two entries. */
func_t *func_open(LLVMValueRef fn, mrpb_err_t *err);
void func_close(func_t *f);

struct exec {
  bv_ctx_t bv;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  mem_t *start;
  uint32_t n_objects, unroll, rounds, depth;
  index_t global; /* global variable or function -> object */
  index_t cache;  /* function -> index in func */
  func_t **func;
  uint32_t n_func;
  obligation_t *obligation;
  uint32_t n_obligations;
  size_t room;
  mrpb_err_t *err; /* of the current call */
};

/* State at the entry of a block, which waits until all blocks that can reach it have been run. */
typedef struct {
  lit_t cond; /* AIG_FALSE: nothing waits */
  mem_t *mem;
  val_t *phi;
  uint32_t rounds;          /* of a loop */
  uint32_t visits, changes; /* rounds that data may end; those of them that could be the last */
  lit_t last;               /* condition of the previous round */
} pending_t;

typedef struct {
  exec_t *x;
  const func_t *f;
  val_t *value;
  pending_t *pending;
  lit_t outside; /* condition of the call; inner conditions are relative to it */
  lit_t cond;    /* of the current block */
  mem_t *mem;
  LLVMValueRef at; /* the current instruction */
  lit_t ended;     /* condition of the paths that do not return */
  lit_t returned;  /* condition of the returns so far, with their memory and value */
  mem_t *ret_mem;
  val_t ret;
  uint32_t *local, n_locals; /* objects of its local variables */
} frame_t;

uint32_t inst_type_bits(const exec_t *x, LLVMTypeRef type);
uint32_t inst_type_bytes(const exec_t *x, LLVMTypeRef type);
bool inst_is_pointer(LLVMValueRef v);

val_t inst_val_int(bv_t v);
bv_t inst_val_bits(exec_t *x, val_t v);
/* A pointer that has become constant gets its base. */
val_t inst_val_pointer(exec_t *x, bv_t v);
val_t inst_val_mux(exec_t *x, lit_t c, val_t t, val_t e);
/* Bits lsb .. lsb + n - 1; zeros beyond the end. */
val_t inst_val_slice(exec_t *x, val_t v, uint32_t lsb, uint32_t n);
/* The bits of a value that decides something and therefore must have been set. */
bv_t inst_used(frame_t *f, val_t v);

/* Constants and globals. */
int globals_open(exec_t *x, mrpb_err_t *err);
val_t globals_constant(exec_t *x, LLVMValueRef c);
val_t globals_gep(exec_t *x, LLVMValueRef inst, val_t base, val_t (*get)(void *, LLVMValueRef),
                  void *ctx);

/* Marks the value of local variables before they are set, even if LLVM turns them into
 * registers. */
#define UNSET_MARK "prove.unset"

/* The value of an operand. */
val_t exec_operand(frame_t *f, LLVMValueRef v);
/* Executes all instructions but phi, terminators and calls. */
void inst_run(frame_t *f, LLVMValueRef inst);
void known_call(frame_t *f, LLVMValueRef inst);
/* Executes an intrinsic or a function of the C library; false if it is neither. */
bool known_run(frame_t *f, const char *name, LLVMValueRef call, const val_t *args, val_t *ret);
void exec_set_value(frame_t *f, LLVMValueRef inst, val_t v);

/* Executes `fn`; `m` is changed. */
void exec_function(exec_t *x, LLVMValueRef fn, const val_t *args, unsigned n_args, lit_t when,
                   mem_t **m, val_t *ret);

/* Adds an obligation: `cond` (of this path) must not be true. */
void exec_oblige(frame_t *f, lit_t cond, const char *why);
/* Reports code that this executor does not support. */
void exec_unknown(frame_t *f, const char *what);
bool exec_stopped(const exec_t *x);

#endif
