/* SPDX-License-Identifier: Apache-2.0 */
/* Warps that each request a line at the same time: the latency of a read that waits for the
 * others. */
#ifndef MICRO_KERNEL_TOGETHER_H
#define MICRO_KERNEL_TOGETHER_H

#include "studies/micro/kernels/bench.h"

enum {
  TOGETHER_WARPS = 32,
  TOGETHER_TIMES = 6, /* 1, 2, 4 ... TOGETHER_WARPS */
  TOGETHER_REGS = 24  /* per thread */
};

/* Where the lines read at once lie: all in one block of 4 KB, with a new block each time; or each
 * in its own block. */
typedef enum { TOGETHER_ONE_BLOCK, TOGETHER_OWN_BLOCKS } together_t;

/* Mean cycles of a read if `warps` warps (1 to TOGETHER_WARPS) read at once, each a different
 * line. Data of the device are in no cache. The clock readings around a read are included. Takes
 * the quickest of as many launches as the GPU's noise requires. Returns 0, or -1 and a message
 * in err. */
int together_read(const bench_gpu_t *gpu, bench_place_t place, together_t lie, uint32_t warps,
                  double *cycles, mrpb_err_t *err);

#endif
