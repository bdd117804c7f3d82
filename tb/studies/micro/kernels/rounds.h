/* SPDX-License-Identifier: Apache-2.0 */
/* One warp in a loop that accesses no memory: the latency of an addition that depends on the one
 * before, and of a branch that waits for its predicate. The rounds of other kernels contain both. */
#ifndef MICRO_KERNEL_ROUNDS_H
#define MICRO_KERNEL_ROUNDS_H

#include "studies/micro/kernels/bench.h"

/* Cycles. A branch counts from its issue to that of the next instruction, plus the time by which a
 * predicate takes longer than a sum. */
typedef struct {
  double add, passed /* not taken */, taken;
} rounds_t;

int rounds_measure(const bench_gpu_t *gpu, rounds_t *of, mrpb_err_t *err);

#endif
