/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel that reads the clock after each load that a warp has issued: when the load/store unit
 * takes no more, the clocks stop until data come back. */
#ifndef MICRO_KERNEL_ACCEPT_H
#define MICRO_KERNEL_ACCEPT_H

#include "studies/micro/kernels/bench.h"

enum {
  ACCEPT_LOADS = 32,
  ACCEPT_WARPS = 32,
  ACCEPT_MOST = ACCEPT_LOADS * ACCEPT_WARPS,
  ACCEPT_REGISTERS = 60, /* of a thread */
  ACCEPT_PAUSE = 100,    /* cycles that are no mere turn of the load/store unit */
  ACCEPT_APART = 1 << 20 /* lines, from the first of two to the other, at most */
};

/* What the loads read: each other lines; a warp's all those of its first; each other lines, behind a slow load
 * of some warps; one line or another one, by loads that do not merge (.cg); each other lines of the host, while another SM keeps
 * the link to it busy. */
typedef enum {
  ACCEPT_OTHER_LINES,
  ACCEPT_SAME_LINES,
  ACCEPT_BEHIND,
  ACCEPT_TWO_LINES,
  ACCEPT_BUSY_LINK
} accept_what_t;

typedef struct {
  bench_t bench;
  uint32_t lines; /* of a load: 1 to 32, a power of two */
  accept_what_t what;
  uint64_t in, host, out;
} accept_bench_t;

typedef struct {
  uint32_t schedulers;  /* warps w with w mod 4 below this issue: 4 for all */
  bool first_from_host; /* warp 0 loads from the host before all others begin */
  bool from_host;       /* all of them */
  uint32_t slow,
      idle; /* ACCEPT_BEHIND: warps below `slow` first load a line each from the host, those below
                           `idle` nothing else; all of the others' clocks are seen */
  uint32_t slow_lines;  /* of such a load: a power of two up to 32; 0 is 1 */
  uint64_t line, other; /* ACCEPT_TWO_LINES: up to ACCEPT_APART */
} accept_t;

/* What was seen. */
typedef struct {
  uint32_t accepted;        /* loads issued before the pause; all of them if there is none */
  uint32_t pause;           /* the longest one: cycles */
  uint32_t n;               /* loads in all */
  bool drained;             /* a scheduler had issued all of its loads before the pause */
  uint32_t at[ACCEPT_MOST]; /* when each was issued, ascending, from the first on */
} accepted_t;

/* A kernel for loads of `lines` lines, 1 for ACCEPT_TWO_LINES. */
int accept_open(accept_bench_t *b, const bench_gpu_t *gpu, uint32_t lines, accept_what_t what,
                mrpb_err_t *err);
void accept_close(accept_bench_t *b);
/* One launch, of which nothing is read: a first one fills TLBs and caches of instructions. */
int accept_launch(accept_bench_t *b, const accept_t *p, mrpb_err_t *err);
/* The run that takes the median. */
int accept_run(accept_bench_t *b, const accept_t *p, accepted_t *seen, mrpb_err_t *err);

/* All of that: opened, a first launch `warm`, the run `p`, closed. */
int accept_take(const bench_gpu_t *gpu, uint32_t lines, accept_what_t what, const accept_t *warm,
                const accept_t *p, accepted_t *seen, mrpb_err_t *err);

/* For other kernels of that kind. `n` clocks become cycles from the first of them on, ascending; the
 * clock of the first. */
uint32_t accept_sort(const bench_t *b, uint32_t *at, uint32_t n);
/* `n` launches, each into an element of `size` bytes that begins with a number of 32 bits, what was
 * taken; the one with the median of them into `seen`. */
typedef int (*accept_once_fn)(void *ctx, void *seen, mrpb_err_t *err);
int accept_median(uint32_t n, size_t size, accept_once_fn launch, void *ctx, void *seen,
                  mrpb_err_t *err);

#endif
