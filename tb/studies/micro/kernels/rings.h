/* SPDX-License-Identifier: Apache-2.0 */
/* One warp that follows a ring of pointers and reads a word, a line or four lines at each place:
 * how much longer a line takes than one of its words. */
#ifndef MICRO_KERNEL_RINGS_H
#define MICRO_KERNEL_RINGS_H

#include "studies/micro/kernels/bench.h"

typedef enum { RINGS_WORD, RINGS_LINE, RINGS_FOUR_LINES, RINGS_WIDTHS } rings_width_t;

/* Mean cycles of a hop, including its instructions, and the standard error of that mean. */
typedef struct {
  double cycles, error;
} rings_hop_t;

/* Each width reads the same lines, none of which is in the L1D. They are in the L2, or in no cache
 * if `cold`. If the L2 has no room for them all, they are read from behind it. Returns 0, or -1 and
 * a message in err. */
int rings_hops(const bench_gpu_t *gpu, bool cold, unsigned walks, rings_hop_t hop[RINGS_WIDTHS],
               mrpb_err_t *err);

#endif
