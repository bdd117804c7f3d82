/* SPDX-License-Identifier: Apache-2.0 */
/* One warp that follows a ring of pointers, of each place a word, a line or four lines: what a line takes more
 * than one of its words. */
#ifndef MICRO_KERNEL_RINGS_H
#define MICRO_KERNEL_RINGS_H

#include "studies/micro/kernels/bench.h"

typedef enum { RINGS_WORD, RINGS_LINE, RINGS_FOUR_LINES, RINGS_WIDTHS } rings_width_t;

/* Mean cycles of a hop, its instructions with it, and what the mean may be off by: a standard error. */
typedef struct {
  double cycles, error;
} rings_hop_t;

/* Each width on the same lines, none of which is in the L1D. They are in the L2, or `cold`: in no cache. A
 * GPU whose L2 has not room for them all is read from behind it. */
int rings_hops(const bench_gpu_t *gpu, bool cold, unsigned walks, rings_hop_t hop[RINGS_WIDTHS],
               mrpb_err_t *err);

#endif
