/* SPDX-License-Identifier: Apache-2.0 */
/* Dependent loads of a warp from shared memory (paper 003, Listing 1), each lane from a place of
 * its own choice. */
#ifndef MICRO_KERNEL_SHARED_H
#define MICRO_KERNEL_SHARED_H

#include "studies/micro/kernels/bench.h"

enum { BANKS_LANES = 32, BANKS_BYTES = 12288 };

typedef struct {
  bench_t bench;
  uint64_t in, out;
} banks_bench_t;

/* To be closed even after -1. */
int banks_open(banks_bench_t *b, const bench_gpu_t *gpu, mrpb_err_t *err);
void banks_close(banks_bench_t *b);
/* Mean latency in cycles of 64 loads, lane k's all from word[k]; words of 4 bytes. */
int banks_run(banks_bench_t *b, const uint32_t word[BANKS_LANES], double *latency, mrpb_err_t *err);
/* What a tick of the clock is of one load: cycles. */
double banks_tick(const banks_bench_t *b);

#endif
