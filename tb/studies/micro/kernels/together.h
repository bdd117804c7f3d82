/* SPDX-License-Identifier: Apache-2.0 */
/* Warps that each ask for a line at the same time: what such a read takes, which waits for the others. */
#ifndef MICRO_KERNEL_TOGETHER_H
#define MICRO_KERNEL_TOGETHER_H

#include "studies/micro/kernels/bench.h"

enum {
  TOGETHER_WARPS = 32,
  TOGETHER_TIMES = 6, /* 1, 2, 4 ... TOGETHER_WARPS */
  TOGETHER_REGS = 24  /* of a thread */
};

/* Where lie what warps read at once: all in one block of 4 KB, again and again another, or each in a
 * block of its own. */
typedef enum { TOGETHER_ONE_BLOCK, TOGETHER_OWN_BLOCKS } together_t;

/* Cycles that a read takes in the mean if `warps` warps (1 to TOGETHER_WARPS) read at once, each another line. Data of the device are in no cache. The clocks beside
 * a read are in it. Of the launches that the GPU's noise asks for, the quickest. */
int together_read(const bench_gpu_t *gpu, bench_place_t place, together_t lie, uint32_t warps,
                  double *cycles, mrpb_err_t *err);

#endif
