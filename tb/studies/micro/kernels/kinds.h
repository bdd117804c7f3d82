/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of one kind by half of the warps, of another or the same kind by the other half, each
 * followed by a reading of the clock: how many an SM takes before it takes no more, and whether two
 * kinds wait for the same thing. */
#ifndef MICRO_KERNEL_KINDS_H
#define MICRO_KERNEL_KINDS_H

#include "studies/micro/kernels/accept.h"

/* What a warp does: "ld.global.cg.u32" of one line, or of `lines`; all its lanes together. */
typedef struct {
  const char *name; /* of the row */
  const char *op;   /* "ld.global", "ld.global.cg", "st.global" */
  uint32_t words;   /* of 4 bytes, of each lane: 1, 2 or 4 */
  bool store;
} kind_t;

typedef struct {
  bench_t bench;
  uint64_t host, out;
} kinds_bench_t;

/* Even warps do `even`, odd ones `odd`; one line each time, in pinned host memory. */
int kinds_open(kinds_bench_t *b, const bench_gpu_t *gpu, const kind_t *even, const kind_t *odd,
               mrpb_err_t *err);
void kinds_close(kinds_bench_t *b);
/* The run that takes the median. */
int kinds_run(kinds_bench_t *b, accepted_t *seen, mrpb_err_t *err);

#endif
