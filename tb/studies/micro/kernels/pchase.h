/* SPDX-License-Identifier: Apache-2.0 */
/* The fine-grained P-chase of Mei et al. (paper 003, Listing 4) on a device. One thread follows
 * pointers, with a clock reading before and after each load. Latencies are kept in shared memory
 * and written to pinned host memory a segment at a time, so that the log passes through no cache or
 * TLB. */
#ifndef MICRO_KERNEL_CHASE_H
#define MICRO_KERNEL_CHASE_H

#include "studies/micro/kernels/bench.h"

/* Bytes of shared memory of its kernels, without and with the room that a launch needs where
 * parameters lie in shared memory. */
enum { PCHASE_SHARED = 6144, PCHASE_NEEDS = PCHASE_SHARED + 64 };

/* The kind of load. */
typedef enum {
  PCHASE_GLOBAL,  /* ld.global */
  PCHASE_CG,      /* ld.global.cg: bypasses the L1D */
  PCHASE_TEXTURE, /* tex.1d of linear memory */
} pchase_space_t;

typedef struct {
  bench_t bench;
  pchase_space_t space;
  uint64_t base, limit; /* bytes from `base` on may be read; base: a multiple of 64 MB */
  uint32_t word;        /* bytes of a pointer; addresses are multiples of it */
  uint64_t log;
  bool uploaded;     /* the next walk finds its list in the L2, where the host's upload left it */
  bool cold;         /* no part of its list is in the L2 when the next walk begins */
  uint32_t hit;      /* cycles of a word that is read repeatedly, measured by a chain */
  uint32_t overhead; /* cycles that two clocks and a store add to it in the log */
} pchase_bench_t;

/* Opens a device as after power-on. The bench must not move in memory afterwards. Close the bench
 * even after an error. */
void pchase_open(pchase_bench_t *b, const bench_gpu_t *gpu, pchase_space_t space);

/* A walk as chase_fn makes it (chase.h). One launch: L1D and texture caches are empty at its start,
 * all other caches are as they were left. It is an error if the walk ends at the wrong place; then
 * all latencies are 0. */
void pchase_log(pchase_bench_t *b, const uint64_t *addr, size_t n, size_t warm, size_t logged,
                uint32_t *latency);
/* Such a walk over `n` places `apart`, the i-th of them skewed by i x `skew`. Returns the latencies
 * that it logged, for the caller to free; NULL: no room. */
static inline uint64_t pchase_place(uint64_t base, uint64_t apart, uint64_t skew, uint64_t i) {
  return base + i * apart + i * skew % apart;
}
uint32_t *pchase_places(pchase_bench_t *b, uint64_t base, uint64_t apart, uint64_t skew, size_t n,
                        size_t warm, size_t logged);
/* The same as a chase_fn; `ctx` is the bench. Its error is the caller's, not the GPU's. */
int pchase_walk(void *ctx, const uint64_t *addr, size_t n, size_t warm, size_t logged,
                uint32_t *latency, mrpb_err_t *err);

/* The first read of a page costs a walk of the page table. Finds the page's bytes from first reads
 * on a device of its own; pages of up to 4096 bytes give 4096. */
typedef struct {
  uint64_t page;   /* 0: no first read costs more than a second one by more than the spread, or
                    * reads wait in a port */
  uint32_t spread; /* cycles by which lines of the DRAM differ */
} pchase_page_t;
pchase_page_t pchase_page(const bench_gpu_t *gpu);

/* Whether global data are kept in an L1D: the second read of a line is quicker by ld.global than by
 * ld.global.cg. */
bool pchase_l1d(const bench_gpu_t *gpu);

/* Whether a reply of the L2 occupies its port so long that the next read waits for it. Then only
 * the first read of a launch shows its own latency. `gap`: see pchase_gap. */
bool pchase_port(const bench_gpu_t *gpu, pchase_space_t space, uint32_t gap);

/* Latencies at most `gap` cycles apart cannot be told apart reliably, because of the clock and
 * because the same read of the L2 varies by `jitter`. */
typedef struct {
  uint32_t gap, jitter;
} pchase_gap_t;
pchase_gap_t pchase_gap(const bench_gpu_t *gpu);

/* Whether a second TLB is hidden behind a first one of `lines` pages: it holds hardly more, so that
 * walks which keep the first one busy do not fit in it either. With a few pages more than the first
 * one holds, some of its misses are then faster, by more than `gap`, than any with four times as
 * many. */
bool pchase_hidden(pchase_bench_t *b, uint64_t page, uint64_t lines, uint32_t gap);

#endif
