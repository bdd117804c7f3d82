/* SPDX-License-Identifier: Apache-2.0 */
/* Symbolic execution of LLVM bitcode into an and-inverter graph.
 *
 * Blocks are run in an order in which paths join as early as possible; where they join, values and
 * memory are merged by multiplexers. Calls are executed in place. Everything that must not happen
 * (all undefined behaviour of C, endless loops, aborts) is collected in a list of obligations:
 * literals that must be false. */
#ifndef PROVE_EXEC_H
#define PROVE_EXEC_H

#include "err.h"
#include "verify/prove/mem.h"

typedef struct exec exec_t;

typedef struct {
  lit_t bad;       /* must be false */
  const char *why; /* "an access outside an object" */
  char where[96];  /* "fifo_bank_edge, fifo_bank.c:70" */
} obligation_t;

/* Reads and links bitcode files. `g` must outlive the result. Returns NULL and a message in err on
 * failure. */
exec_t *exec_open(aig_t *g, const char *const *files, unsigned n, uint32_t unroll, mrpb_err_t *err);
/* Checks that the program can write only to objects of its own: it has no variables of static
 * duration except constants, and contains nothing but C. Returns 0, or -1 and a message in err. */
int exec_check_state(exec_t *x, mrpb_err_t *err);
/* Checks that no function has a library's name, and that local variables fit on the stack. Returns
 * 0, or -1 and a message in err. */
int exec_check_functions(const exec_t *x, mrpb_err_t *err);
/* True if `wrapper` does nothing but call `name` once and return its result. */
bool exec_only_calls(const exec_t *x, const char *wrapper, const char *name);
void exec_close(exec_t *x);
bv_ctx_t *exec_bv(exec_t *x);

/* The memory at the start of the program, with its constants: a shared reference that the caller
 * closes. */
mem_t *exec_memory(exec_t *x);
/* Creates an object in `m`; returns its address. */
uint64_t exec_object(exec_t *x, mem_t **m, uint32_t size, mem_fill_t fill);
/* A constant of 64 bits (an address or a number). */
val_t exec_const(exec_t *x, uint64_t value);

/* Sets another bound for loops that end by data. */
void exec_set_rounds(exec_t *x, uint32_t rounds);

bool exec_has(const exec_t *x, const char *function);
/* Executes a function with 64-bit arguments on the path of condition `when`; `m` is changed. The
 * result (if `ret` is not NULL) has the width of the function's type. Returns 0, or -1 and a
 * message in err for code that is not supported. */
int exec_call(exec_t *x, const char *function, const val_t *args, unsigned n_args, lit_t when,
              mem_t **m, val_t *ret, mrpb_err_t *err);
/* All obligations since the last exec_forget. */
const obligation_t *exec_obligations(const exec_t *x, unsigned *n);
void exec_forget(exec_t *x);

#endif
