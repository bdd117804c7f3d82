/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that keep many loads outstanding: Listing 1 of papers 000 and 002. */
#ifndef MICRO_KERNEL_LOADS_H
#define MICRO_KERNEL_LOADS_H

#include "studies/micro/kernels/bench.h"

/* What the threads of one block load. */
typedef struct {
  uint32_t threads;
  uint32_t loads;         /* N of each thread */
  uint32_t sharers;       /* neighbours that load the same line: MergerK; 1: unique */
  uint32_t warps_on_line; /* so many neighbouring warps load the same lines; 1: none do */
  uint32_t total;         /* warp loads in all, the last warp has fewer; 0: threads / 32 x loads */
  bool bypass;            /* ld.global.cg */
} loads_t;

typedef struct {
  bench_t bench;
  uint32_t loads; /* N of its kernel */
  bool host;
  uint64_t in, out, times;
} loads_bench_t;

/* A kernel of `loads` loads a thread; its data are copied into the L2 before each launch, or (host)
 * lie in pinned host memory. */
int loads_open(loads_bench_t *l, const device_cfg_t *cfg, const unit_choice_t *choice,
               uint32_t loads, bool bypass, bool host, mrpb_err_t *err);
void loads_close(loads_bench_t *l);
/* Cycles from the first barrier until all data have come; -1 and a message. */
int loads_run(loads_bench_t *l, const loads_t *p, uint32_t *cycles, mrpb_err_t *err);

#endif
