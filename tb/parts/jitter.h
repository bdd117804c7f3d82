/* SPDX-License-Identifier: Apache-2.0 */
/* Random back-pressure (the key JITTER): does a port stall in a cycle? The answer depends only on
 * seed, port and cycle, so it is the same for every caller and every call. Time at a port is
 * divided into stretches of 256 cycles. In each, the port stalls for 1, 4, 16 or 64 cycles at a
 * time, for `percent` of the cycles, but never in the last eight. A waiting packet therefore waits
 * at most 248 cycles. */
#ifndef JITTER_H
#define JITTER_H

#include "prng.h"

#include <stdbool.h>
#include <stdint.h>

enum { JITTER_STRETCH_LOG2 = 8, JITTER_STRETCH = 1 << JITTER_STRETCH_LOG2, JITTER_OPEN = 8 };

/* What stalls: the outputs of the interconnect for requests and for replies, and three places of an
 * SM: its input from the interconnect, the input of its LDST unit, reads that leave its MSHR table.
 * There are up to 256 of each, and a number for each. */
typedef enum {
  JITTER_REQUESTS,
  JITTER_REPLIES,
  JITTER_ICNT,
  JITTER_LDST,
  JITTER_READS
} jitter_place_t;
static inline uint32_t jitter_place(jitter_place_t place, uint32_t i) {
  return place * 32 + i % 32 + i / 32 * 256;
}

typedef struct {
  uint32_t percent, seed; /* 0 to 100 */
} jitter_t;

static inline uint64_t jitter_draw(uint64_t seed, uint64_t a, uint64_t b) {
  uint64_t x = seed ^ a * UINT64_C(0x9E3779B97F4A7C15);
  x = prng_splitmix(&x) ^ b;
  return prng_splitmix(&x);
}

static inline bool jitter_stalls(jitter_t j, uint32_t port, uint64_t cycle) {
  const uint64_t at = cycle + jitter_draw(j.seed, port, UINT64_MAX) % JITTER_STRETCH;
  if (at % JITTER_STRETCH >= JITTER_STRETCH - JITTER_OPEN) return false;
  const uint64_t scale = jitter_draw(j.seed, port, at >> JITTER_STRETCH_LOG2) % 4;
  return jitter_draw(j.seed, port * 4 + scale + 4096, at >> 2 * scale) % 100 < j.percent;
}

#endif
