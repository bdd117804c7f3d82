/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that a run has counted, by name: what `mrpb run --json` writes and the library gives
 * (library/mrpb_gpu.h) are these, and no others. docs/statistics.md explains them one by one. */
#ifndef GPU_VALUES_H
#define GPU_VALUES_H

#include "gpu/gpu.h"

/* GPU_LIST comes before the elements of a list and says in `count` how many there are. */
typedef enum { GPU_COUNT, GPU_REAL, GPU_TEXT, GPU_LIST } gpu_value_kind_t;

/* A name is its parts with dots between them, "l1d.refused.mshr"; an element of a list has its number
 * from 0 as a part, "kernels.0.cycles". */
typedef struct {
  const char *name; /* as long as the call */
  gpu_value_kind_t kind;
  uint64_t count;
  double real;
  const char *text;
} gpu_value_t;

enum { GPU_VALUE_NAME = 80 /* bytes of the longest name, with its 0 */ };

/* Calls `each` for every value, always in the same order: the counts of the table (counts.def), what is
 * no sum, the launches with their counts. */
void gpu_values(const gpu_t *gpu, void (*each)(void *ctx, const gpu_value_t *value), void *ctx);

/* Mean over the cycles in which an SM had a block. */
double gpu_mean(const sm_occupancy_t *o);

#endif
