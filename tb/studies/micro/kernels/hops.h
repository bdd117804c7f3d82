/* SPDX-License-Identifier: Apache-2.0 */
/* One thread that follows pointers through pinned host memory, and one that reads the clock again and
 * again: cycles of one hop, of one reading. */
#ifndef MICRO_KERNEL_HOPS_H
#define MICRO_KERNEL_HOPS_H

#include "studies/micro/kernels/bench.h"

/* Of the launches that the GPU's noise asks for, the quickest; the difference of two lengths, so that
 * what begins and ends a launch is not in it. */
int hops_host(const bench_gpu_t *gpu, double *cycles, mrpb_err_t *err);
int hops_clock(const bench_gpu_t *gpu, double *cycles, mrpb_err_t *err);

/* Single hops through HOPS_LINES lines of pinned host memory, each on a page of its own, walk after walk:
 * latency[walks * HOPS_LINES]. The clocks beside a hop are in it. */
enum { HOPS_LINES = 512 };
int hops_lines(const bench_gpu_t *gpu, unsigned walks, uint32_t *latency, mrpb_err_t *err);

#endif
