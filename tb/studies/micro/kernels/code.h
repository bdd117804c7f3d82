/* SPDX-License-Identifier: Apache-2.0 */
/* Code of exact length, for instruction caches: the kernel's instructions are counted, so that
 * loops can begin at the start of a line. Each block finds its role, which says what it does, in
 * memory. */
#ifndef MICRO_CODE_H
#define MICRO_CODE_H

#include "studies/micro/kernels/chain.h"

enum {
  CODE_LINE = 256,
  CODE_FLOOD = 10 << 10, /* bytes of a rival's loop */
  CODE_FLOODS = 4,       /* places where a rival can begin */
  CODE_BLOCKS = 1024,
  CODE_VALUES = 16, /* of a template, at most */
  CODE_REGISTERS = 16,
  CODE_OUT = 1024 /* bytes of results before the roles; word 1 is the flag that ends rivals */
};

typedef struct {
  bench_t bench;
  uint64_t out;
} code_bench_t;

/* Opens the bench for a template that includes kernels/code, whose values are added to its own.
 * Close the bench even after an error. */
void code_open(code_bench_t *b, const bench_gpu_t *gpu, const char *name,
               const ptx_value_t *values);
/* Makes one launch of at most CODE_BLOCKS blocks of `threads` threads. Returns the results; NULL
 * after an error. */
void *code_run(code_bench_t *b, const uint32_t *role, uint32_t blocks, uint32_t threads,
               uint32_t n);

#endif
