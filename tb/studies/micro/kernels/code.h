/* SPDX-License-Identifier: Apache-2.0 */
/* Code of exact length, for instruction caches: a kernel whose instructions are counted, so that
 * loops can begin where a line does. What a block does is its role, which it finds in memory. */
#ifndef MICRO_CODE_H
#define MICRO_CODE_H

#include "studies/micro/kernels/chain.h"

enum {
  CODE_LINE = 256,
  CODE_FLOOD = 10 << 10, /* bytes that a rival loops over */
  CODE_FLOODS = 4,       /* places where it can begin */
  CODE_BLOCKS = 1024,
  CODE_REGISTERS = 16,
  CODE_OUT = 1024 /* bytes before the roles: results; word 1 is the flag that ends rivals */
};

typedef struct {
  text_t text;
  unsigned n; /* instructions so far */
} code_t;

/* `n` instructions. */
void code_add(code_t *c, unsigned n, const char *text);
void code_nops(code_t *c, unsigned n); /* that do not depend on each other */
/* Until the address is a multiple of `bytes`, plus `offset`. */
void code_align(code_t *c, unsigned bytes, unsigned offset);
unsigned code_clock(code_t *c, const bench_gpu_t *gpu, const char *reg); /* its instructions */

/* Kernel `code` with p_out and p_n: %out, %n, and %b, the block's role; `flag`, a shared word. */
void code_start(code_t *c);
/* The kernel's end: a loop over CODE_FLOOD bytes until the flag is up, with ways in at FLOOD0 and
 * so on, and END. */
void code_end(code_t *c);

typedef struct {
  bench_t bench;
  uint64_t out;
} code_bench_t;

/* Frees the text. Also after an error the bench must be closed. */
int code_open(code_bench_t *b, const bench_gpu_t *gpu, code_t *c, mrpb_err_t *err);
/* One launch of at most CODE_BLOCKS blocks, each of `threads`. */
int code_run(code_bench_t *b, const uint32_t *role, uint32_t blocks, uint32_t threads, uint32_t n,
             mrpb_err_t *err);

#endif
