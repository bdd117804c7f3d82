/* SPDX-License-Identifier: Apache-2.0 */
/* One warp in a loop without memory: what an addition takes that waits for the one before, and what a branch
 * takes that waits for its predicate. Rounds of other kernels have both. */
#ifndef MICRO_KERNEL_ROUNDS_H
#define MICRO_KERNEL_ROUNDS_H

#include "studies/micro/kernels/bench.h"

/* Cycles. A branch: from its issue to that of the next instruction, with what the predicate takes longer than
 * a sum. */
typedef struct {
  double add, passed /* not taken */, taken;
} rounds_t;

int rounds_measure(const bench_gpu_t *gpu, rounds_t *of, mrpb_err_t *err);

#endif
