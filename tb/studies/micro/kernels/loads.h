/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that keep many loads outstanding (Listing 1 of papers 000 and 002). */
#ifndef MICRO_KERNEL_LOADS_H
#define MICRO_KERNEL_LOADS_H

#include "studies/micro/kernels/bench.h"

enum {
  LOADS_BEFORE = 4 /* addresses computed before the first load */,
  LOADS_REGISTERS = 20 /* per thread */
};

/* The kind of a kernel. */
typedef struct {
  uint32_t loads; /* N: loads of each thread */
  bool bypass;    /* ld.global.cg */
  bool host;      /* data in pinned host memory; else copied into the L2 before each launch */
  bool one_warp;  /* for one warp, all of whose lanes load one line */
  bool counted;   /* for loads_t.total */
  bool two;       /* another SM does the same on other lines; only the first is timed */
} loads_kind_t;

/* What the threads of one block load. */
typedef struct {
  uint32_t threads;
  uint32_t sharers;       /* neighbouring threads that load the same line: MergerK; 1: unique */
  uint32_t warps_on_line; /* neighbouring warps that load the same lines; 1: none do */
  uint32_t total;         /* if `counted`: warp loads in all; the last warp has fewer; 0: all */
} loads_t;

typedef struct {
  bench_t bench;
  loads_kind_t kind;
  uint64_t in, out, times;
} loads_bench_t;

/* Close the bench even after an error. */
void loads_open(loads_bench_t *l, const bench_gpu_t *gpu, const loads_kind_t *k);
/* The same as loads_run, for one launch. */
uint32_t loads_once(loads_bench_t *l, const loads_t *p);
/* The cycles from the barrier until all data have returned: the least of bench_limits_t.repeats
 * launches. */
uint32_t loads_run(loads_bench_t *l, const loads_t *p);

#endif
