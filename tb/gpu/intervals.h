/* SPDX-License-Identifier: Apache-2.0 */
/* Counts over time: those of each `every` SM cycles of a run. docs/intervals.md */
#ifndef GPU_INTERVALS_H
#define GPU_INTERVALS_H

#include "gpu/cores/stacks.h"
#include "gpu/gpu.h"

/* Tables of the paper's SMs whose mean use is known. */
typedef enum {
  INTERVALS_MSHR,
  INTERVALS_MISS_QUEUE,
  INTERVALS_MRPB,
  INTERVALS_PRT,
  INTERVALS_TABLES
} intervals_table_t;

/* One interval: SM cycles `from` to `to` - 1. */
typedef struct {
  uint64_t from, to;
  uint64_t count[GPU_COUNTS]; /* counts.def; differences */
  double
      mean[INTERVALS_TABLES]; /* entries in use, over SM cycles with a block; 0 if there are none */
} interval_t;

typedef struct intervals intervals_t;

/* `every` is at least 1. `stacks` are of as many cycles, and those of the GPU's setup; they must outlive
 * the intervals; NULL: nobody asks. Returns 0, or -1 and a message in err; *out is NULL then. */
int intervals_create(intervals_t **out, uint64_t every, stacks_t *stacks, mrpb_err_t *err);
void intervals_destroy(intervals_t *v);

/* gpu_run, with intervals: the same result. Out of memory for them: GPU_FAILED. */
gpu_end_t intervals_run(intervals_t *v, gpu_t *gpu, mrpb_err_t *err);

/* The intervals of a run that has ended. */
size_t intervals_number(const intervals_t *v);
const interval_t *intervals_at(const intervals_t *v, size_t i);

/* The name of a table's mean in files: "l1d.mshr.mean". */
const char *intervals_table_name(intervals_table_t table);
/* True if such a GPU has the table. */
bool intervals_table_shown(intervals_table_t table, gpu_shows_t shows);

#endif
