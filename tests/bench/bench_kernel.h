/* SPDX-License-Identifier: Apache-2.0 */
/* The work that bench_sim.c and bench_systemc.cpp both do, so that only the kernels differ. pipe N:
 * N registers in a ring. ripple: a register and N combinational processes in a row, N deltas per
 * clock. fifo N: N two-entry valid/ready stages between a random source and a random sink. */
#ifndef BENCH_KERNEL_H
#define BENCH_KERNEL_H

#include <stdint.h>

static inline uint64_t bench_mix(uint64_t x, uint64_t i) {
  return x * UINT64_C(6364136223846793005) + (2 * i + 1);
}

static inline uint64_t bench_lfsr(uint64_t x) {
  x ^= x << 13;
  x ^= x >> 7;
  return x ^ x << 17;
}

typedef struct {
  uint64_t data[3], count; /* data[2] takes values that are not pushed */
} bench_fifo_t;

/* One clock edge of a stage. `ready` is the stage's own output; the other values are its inputs.
 * There are no branches on data, because mispredictions would hide the kernels' cost. */
static inline void bench_fifo_edge(bench_fifo_t *f, uint64_t valid, uint64_t data, uint64_t ready,
                                   uint64_t ready_down) {
  uint64_t pop = (f->count > 0) & ready_down;
  f->data[0] = f->data[pop];
  f->count -= pop;
  f->data[f->count] = data;
  f->count += valid & ready;
}

static inline uint64_t bench_fnv(uint64_t h, uint64_t v) {
  for (int byte = 0; byte < 8; byte++) h = (h ^ (v >> 8 * byte & 0xff)) * UINT64_C(1099511628211);
  return h;
}
#define BENCH_FNV_START UINT64_C(14695981039346656037)

#endif
