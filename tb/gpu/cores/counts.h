/* SPDX-License-Identifier: Apache-2.0 */
/* The counts of a run as one row of numbers; counts.def is the table. */
#ifndef GPU_COUNTS_H
#define GPU_COUNTS_H

#include "gpu/check/check.h"
#include "gpu/memories/memory.h"
#include "gpu/pipeline/sm.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What the schedulers of in-order cores do in a cycle: docs/statistics.md. */
typedef enum {
  STACK_ISSUE,
  STACK_SCOREBOARD,
  STACK_UNITS,
  STACK_FETCH,
  STACK_CONSTANTS,
  STACK_SHARED,
  STACK_LSU,
  STACK_TABLE,
  STACK_LINES,
  STACK_L1,
  STACK_L2,
  STACK_DRAM,
  STACK_BARRIER,
  STACK_PARTS
} stack_part_t;

/* What only in-order cores count. */
typedef struct {
  uint64_t stack[STACK_PARTS]; /* scheduler cycles */
  uint64_t load_sectors, store_sectors;
} in_order_stats_t;

/* The sources of the table's values. */
typedef struct {
  uint64_t cycles;
  in_order_stats_t ordered;
  sm_stats_t sm;
  l1d_stats_t l1d;
  memory_stats_t memory;
  check_stats_t check;
} gpu_counted_t;

#define COUNT(...) +1
enum {
  GPU_COUNTS = 0
#include "gpu/cores/counts.def"
};
#undef COUNT

typedef struct {
  const char *part, *name; /* "l1d", "refused.mshr" */
  const char *title;       /* its column title in the text report; "": no column */
  const char *unit, *meaning;
  bool pipeline; /* the SMs of the paper, or flits, count it */
  bool in_order; /* in-order cores, or ports, do */
} gpu_count_t;

/* What a GPU has: an MRPB, the checking mode, in-order cores, a memory with ports. */
typedef struct {
  bool mrpb, check, in_order, ports;
} gpu_shows_t;

const gpu_count_t *gpu_count(unsigned i);
/* True if such a GPU counts count `i`. */
bool gpu_count_shown(unsigned i, gpu_shows_t shows);

/* Adds `n` consecutive counters. */
static inline void gpu_add(uint64_t *sum, const uint64_t *one, size_t n) {
  for (size_t i = 0; i < n; i++) sum[i] += one[i];
}

/* Fills in all values, in the order of the table. */
void gpu_counts_of(const gpu_counted_t *c, uint64_t values[GPU_COUNTS]);

/* Writes the table as a section of a page. */
void gpu_counts_help(FILE *out);

#endif
