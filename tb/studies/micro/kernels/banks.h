/* SPDX-License-Identifier: Apache-2.0 */
/* Dependent loads of a warp from shared memory (paper 003, Listing 1). Each lane reads a place of
 * its own choice. */
#ifndef MICRO_KERNEL_SHARED_H
#define MICRO_KERNEL_SHARED_H

#include "studies/micro/kernels/bench.h"

enum { BANKS_LANES = 32, BANKS_BYTES = 12288 };

typedef struct {
  bench_t bench;
  uint64_t in, out;
} banks_bench_t;

/* Close the bench even after an error. */
void banks_open(banks_bench_t *b, const bench_gpu_t *gpu);
/* The mean latency in cycles of 64 loads; lane k always loads word[k], in words of 4 bytes. */
double banks_run(banks_bench_t *b, const uint32_t word[BANKS_LANES]);
/* Cycles per load that one tick of the clock stands for. */
double banks_tick(const banks_bench_t *b);

#endif
