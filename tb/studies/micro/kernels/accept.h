/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel that reads the clock after each load that a warp issues. When the load/store unit
 * accepts no more loads, the clocks stop until data return. */
#ifndef MICRO_KERNEL_ACCEPT_H
#define MICRO_KERNEL_ACCEPT_H

#include "studies/micro/kernels/bench.h"

enum {
  ACCEPT_LOADS = 32,
  ACCEPT_WARPS = 32,
  ACCEPT_MOST = ACCEPT_LOADS * ACCEPT_WARPS,
  ACCEPT_REGISTERS = 60, /* of a thread */
  ACCEPT_PAUSE = 100,    /* cycles; a shorter gap is a turn of the load/store unit, not a pause */
  ACCEPT_APART = 1 << 20 /* lines from the first of two lines to the other, at most */
};

/* What the loads read, in the order of the names: a different line each; the lines of the warp's
 * first load again; a different line each, behind a slow load of some warps; one of two lines, by
 * loads that do not merge (.cg); a different line of the host each, while another SM keeps the host
 * link busy. */
typedef enum {
  ACCEPT_OTHER_LINES,
  ACCEPT_SAME_LINES,
  ACCEPT_BEHIND,
  ACCEPT_TWO_LINES,
  ACCEPT_BUSY_LINK
} accept_what_t;

typedef struct {
  bench_t bench;
  uint32_t lines; /* per load: 1 to 32, a power of two */
  accept_what_t what;
  uint64_t in, host, out;
} accept_bench_t;

typedef struct {
  uint32_t schedulers;  /* warps w with w mod 4 below this number issue; 4: all warps */
  bool first_from_host; /* warp 0 loads from the host before all other warps begin */
  bool from_host;       /* all loads read the host */
  uint32_t slow,
      idle; /* ACCEPT_BEHIND: warps below `slow` first load one line each from the host; those
             * below `idle` do only that. The clocks of all other warps are seen */
  uint32_t slow_lines;  /* per slow load: a power of two up to 32; 0 means 1 */
  uint64_t line, other; /* ACCEPT_TWO_LINES: up to ACCEPT_APART */
} accept_t;

/* What the launch showed. */
typedef struct {
  uint32_t accepted;        /* loads issued before the pause; all loads if there is no pause */
  uint32_t pause;           /* the longest pause, in cycles */
  uint32_t n;               /* loads in all */
  bool drained;             /* some scheduler had issued all of its loads before the pause */
  uint32_t at[ACCEPT_MOST]; /* issue time of each load since the first, ascending */
} accepted_t;

/* Whether blocks may have that many warps of it. */
bool accept_fits(const bench_limits_t *has);
/* Makes a kernel for loads of `lines` lines; `lines` is 1 for ACCEPT_TWO_LINES. Close the bench even
 * after an error. */
void accept_open(accept_bench_t *b, const bench_gpu_t *gpu, uint32_t lines, accept_what_t what);
/* Makes one launch and reads no results. A first launch fills TLBs and instruction caches. */
bool accept_launch(accept_bench_t *b, const accept_t *p);
/* Makes as many launches as the GPU's noise requires and returns in *seen the one with the median
 * number of accepted loads. */
void accept_run(accept_bench_t *b, const accept_t *p, accepted_t *seen);

/* All of the above, with an L1D of `kb` KB: opens the bench, makes a first launch `warm` and the run
 * `p`, and closes it. */
void accept_take(const bench_gpu_t *gpu, uint32_t kb, uint32_t lines, accept_what_t what,
                 const accept_t *warm, const accept_t *p, accepted_t *seen);

/* For other kernels of this kind: converts `n` clocks to cycles since the first of them, in
 * ascending order. Returns the first clock. */
uint32_t accept_sort(const bench_t *b, uint32_t *at, uint32_t n);
/* Makes as many launches, each into an element of `size` bytes that begins with a 32-bit number, the
 * accepted accesses. The element with the median number is copied to `seen`. */
typedef void (*accept_once_fn)(void *ctx, void *seen);
void accept_median(const bench_t *b, size_t size, accept_once_fn launch, void *ctx, void *seen);

#endif
