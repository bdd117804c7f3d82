/* SPDX-License-Identifier: Apache-2.0 */
/* Coalesces one warp memory instruction into transactions by the "arch 13" rules of the reference,
 * all 32 lanes together. Segments are 32 / 64 / 128 bytes for elements of 1 / 2 / 4, 8, 16 bytes. A
 * transaction that touches only one half (quarter) of its segment shrinks to 64 (32) bytes. The list
 * is complete at once, as the reference's is. The hardware, the module `coalescer`, takes a cycle or
 * two for each; tests/cmodel/test_coalescer.c holds the two equal. */
#ifndef COALESCER_H
#define COALESCER_H

#include <stdint.h>

enum {
  COALESCER_LANES = 32,
  COALESCER_LINE = 128,
  COALESCER_WORDS = 4,                               /* most separate words of an element */
  COALESCER_MOST = COALESCER_LANES * COALESCER_WORDS /* most transactions of an instruction */
};

typedef struct {
  uint64_t addr;  /* byte address, aligned to `bytes` */
  uint32_t lanes; /* the lanes that it serves */
  uint8_t bytes;  /* 32, 64 or 128 */
} coalesced_t;

/* Writes the transactions in ascending address order and returns their number. The LDST unit takes
 * them from the back, so the L1D sees descending addresses. `elem` is 1, 2, 4, 8 or 16; no element
 * crosses its segment. */
unsigned coalescer_run(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned elem,
                       coalesced_t out[COALESCER_LANES]);

/* The same for elements of `words` words of 4 bytes, where each word lies `step` bytes, a multiple
 * of COALESCER_LINE, behind the one before. A lane may be in several transactions. */
unsigned coalescer_words(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned words,
                         uint64_t step, coalesced_t out[COALESCER_MOST]);

/* The same for an atomic of 2, 4 or 8 bytes per lane. Each half of the warp is coalesced on its
 * own, lowest lanes first; lanes that access the same bytes go into different transactions. The
 * transactions of the lower half come first; within each half the addresses ascend. */
unsigned coalescer_atomic(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned elem,
                          coalesced_t out[COALESCER_LANES]);

/* One transaction for each line of 1 << `log2` bytes, at most 128, in ascending order. */
unsigned coalescer_lines(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned log2,
                         coalesced_t out[COALESCER_LANES]);

#endif
