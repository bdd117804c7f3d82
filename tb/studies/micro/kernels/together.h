/* SPDX-License-Identifier: Apache-2.0 */
/* Warps that each ask for a line at the same time: what such a read takes, which waits for the others. */
#ifndef MICRO_KERNEL_TOGETHER_H
#define MICRO_KERNEL_TOGETHER_H

#include "studies/micro/kernels/bench.h"

enum { TOGETHER_WARPS = 32, TOGETHER_REGS = 24 /* of a thread */ };

/* Cycles that a read takes in the mean if `warps` warps (1 to TOGETHER_WARPS) read at once, each another line of
 * one block of 4 KB, again and again other blocks. Data of the device are in no cache. The clocks beside
 * a read are in it. Of the launches that the GPU's noise asks for, the quickest. */
int together_read(const bench_gpu_t *gpu, bench_place_t place, uint32_t warps, double *cycles,
                  mrpb_err_t *err);

#endif
