/* SPDX-License-Identifier: Apache-2.0 */
/* All values that a run has counted, by name: exactly these are written by `mrpb run --json` and
 * returned by the library (library/mrpb_gpu.h). docs/statistics.md explains each. */
#ifndef GPU_VALUES_H
#define GPU_VALUES_H

#include "gpu/gpu.h"

/* GPU_LIST precedes the elements of a list; its `count` is their number. */
typedef enum { GPU_COUNT, GPU_REAL, GPU_TEXT, GPU_LIST } gpu_value_kind_t;

/* A name consists of parts separated by dots, "l1d.refused.mshr"; the part for an element of a list
 * is its number from 0, "kernels.0.cycles". */
typedef struct {
  const char *name; /* valid during the call */
  gpu_value_kind_t kind;
  uint64_t count;
  double real;
  const char *text;
} gpu_value_t;

enum { GPU_VALUE_NAME = 80 /* bytes of the longest name, including its 0 */ };

/* Calls `each` for every value, always in the same order: the counts of the table (counts.def),
 * values that are not sums, the launches with their counts. */
void gpu_values(const gpu_t *gpu, void (*each)(void *ctx, const gpu_value_t *value), void *ctx);

/* The same for one row of counts, such as those of an interval. */
void gpu_values_of_row(const gpu_t *gpu, const uint64_t count[GPU_COUNTS],
                       void (*each)(void *ctx, const gpu_value_t *value), void *ctx);

/* Mean over the cycles in which an SM had a block. */
double gpu_mean(const sm_occupancy_t *o);

#endif
