/* SPDX-License-Identifier: Apache-2.0 */
/* The fine-grained P-chase of Mei et al. (paper 003, Listing 4) on a device: one thread follows
 * pointers, each load between two readings of the clock; latencies are kept in shared memory and
 * written, a segment at a time, to pinned host memory, so that the log passes no cache or TLB. */
#ifndef MICRO_KERNEL_CHASE_H
#define MICRO_KERNEL_CHASE_H

#include "studies/micro/kernels/bench.h"

/* Bytes of shared memory of its kernels; with what a launch needs where parameters lie there. */
enum { PCHASE_SHARED = 6144, PCHASE_NEEDS = PCHASE_SHARED + 64 };

/* What the load is. */
typedef enum {
  PCHASE_GLOBAL,  /* ld.global */
  PCHASE_CG,      /* ld.global.cg: not through the L1D */
  PCHASE_TEXTURE, /* tex.1d of linear memory */
} pchase_space_t;

typedef struct {
  bench_t bench;
  pchase_space_t space;
  uint64_t base, limit; /* bytes from base on may be read; base: a multiple of 64 MB */
  uint32_t word;        /* bytes of a pointer: addresses are multiples of it */
  uint64_t log;
  bool uploaded;     /* the next walk finds its list in the L2 as the host has left it there */
  bool cold;         /* the next walk begins with nothing of its list in the L2 */
  uint32_t hit;      /* cycles of a word that is read again and again, by a chain */
  uint32_t overhead; /* cycles that two clocks and a store add to it in the log */
} pchase_bench_t;

/* A device as after power-on. The bench must stay where it is; to be closed even after -1. */
int pchase_open(pchase_bench_t *b, const bench_gpu_t *gpu, pchase_space_t space, mrpb_err_t *err);
void pchase_close(pchase_bench_t *b);

/* A chase_fn (chase.h); `ctx` is the bench. One launch: L1D and texture caches are empty at its
 * start, all others as they were left. An error if the walk ends where it should not. */
int pchase_walk(void *ctx, const uint64_t *addr, size_t n, size_t warm, size_t logged,
                uint32_t *latency, mrpb_err_t *err);

/* Pages that nobody has read yet cost a walk of the page table: the page's bytes, 4096 for
 * any that are not larger, by first reads on a device of its own. 0: no first read costs more than a
 * second, by more than lines of the DRAM lie apart, *spread cycles; or reads wait in a port. */
int pchase_page(const bench_gpu_t *gpu, uint64_t *page, uint32_t *spread, mrpb_err_t *err);

/* Global data are kept in an L1D: the second read of a line comes sooner by ld.global than by
 * ld.global.cg. */
int pchase_l1d(const bench_gpu_t *gpu, bool *there, mrpb_err_t *err);

/* A reply of the L2 keeps its port for so long that the next read waits for it: no read but the first
 * of a launch takes its own time. `gap`: see pchase_gap. */
int pchase_port(const bench_gpu_t *gpu, pchase_space_t space, uint32_t gap, bool *waits,
                mrpb_err_t *err);

/* Latencies no further apart, in cycles, cannot be told apart for sure: by the clock, and by what
 * the same read of the L2 takes more at one time than at another (*jitter; may be NULL). */
int pchase_gap(const bench_gpu_t *gpu, uint32_t *gap, uint32_t *jitter, mrpb_err_t *err);

#endif
