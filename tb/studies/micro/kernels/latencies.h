/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of study `latency`. */
#ifndef MICRO_KERNEL_LATENCIES_H
#define MICRO_KERNEL_LATENCIES_H

#include "studies/micro/kernels/bench.h"

/* ---- hops.c: one thread follows pointers through pinned host memory, or reads the clock ---- */

/* The cycles of one hop, or of one clock reading: the quickest of as many launches as the GPU's
 * noise requires, and the difference of two lengths, so that the start and end of a launch cancel
 * out. */
double hops_host(const bench_gpu_t *gpu);
double hops_clock(const bench_gpu_t *gpu);

/* Measures single hops through HOPS_LINES lines of pinned host memory, each on its own page, in
 * several walks: latency[walks * HOPS_LINES]. The clock readings around a hop are included. */
enum { HOPS_LINES = 512 };
void hops_lines(const bench_gpu_t *gpu, unsigned walks, uint32_t *latency);

/* ---- rings.c: one warp follows a ring of pointers, one or more words at each place ---- */

typedef enum { RINGS_WORD, RINGS_LINE, RINGS_FOUR_LINES, RINGS_WIDTHS } rings_width_t;

/* Mean cycles of a hop, including its instructions, and the standard error of that mean. */
typedef struct {
  double cycles, error;
} rings_hop_t;

/* Each width reads the same lines, none of which is in the L1D. They are in the L2, or in no cache
 * if `cold`. If the L2 has no room for them all, they are read from behind it. */
void rings_hops(const bench_gpu_t *gpu, bool cold, unsigned walks, rings_hop_t hop[RINGS_WIDTHS]);

/* ---- together.c: warps that each request a line at the same time ---- */

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
 * the quickest of as many launches as the GPU's noise requires. */
double together_read(const bench_gpu_t *gpu, bench_place_t place, together_t lie, uint32_t warps);

/* ---- rounds.c: one warp in a loop that accesses no memory ---- */

/* Cycles of an addition that depends on the one before, and of a branch that waits for its
 * predicate. A branch counts from its issue to that of the next instruction, plus the time by which
 * a predicate takes longer than a sum. The rounds of other kernels contain both. */
typedef struct {
  double add, passed /* not taken */, taken;
} rounds_t;

rounds_t rounds_measure(const bench_gpu_t *gpu);

#endif
