/* SPDX-License-Identifier: Apache-2.0 */
/* Two single-thread kernels: one follows pointers through pinned host memory, the other reads the
 * clock repeatedly. They give the cycles of one hop and of one clock reading. */
#ifndef MICRO_KERNEL_HOPS_H
#define MICRO_KERNEL_HOPS_H

#include "studies/micro/kernels/bench.h"

/* Takes the quickest of as many launches as the GPU's noise requires, and the difference of two
 * lengths, so that the start and end of a launch cancel out. Returns 0, or -1 and a message in
 * err. */
int hops_host(const bench_gpu_t *gpu, double *cycles, mrpb_err_t *err);
int hops_clock(const bench_gpu_t *gpu, double *cycles, mrpb_err_t *err);

/* Measures single hops through HOPS_LINES lines of pinned host memory, each on its own page, in
 * several walks: latency[walks * HOPS_LINES]. The clock readings around a hop are included. */
enum { HOPS_LINES = 512 };
int hops_lines(const bench_gpu_t *gpu, unsigned walks, uint32_t *latency, mrpb_err_t *err);

#endif
