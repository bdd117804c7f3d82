/* SPDX-License-Identifier: Apache-2.0 */
/* Bank conflicts of one warp access to shared memory: lanes conflict where they access different
 * rows of one bank, lanes in one row of a bank share the access (paper 003, section 4.1). A bank's
 * row is one word, or two on Kepler. Simplified: an element wider than a word counts by its first
 * word, as in the reference. Twin: none. */
#ifndef SHARED_H
#define SHARED_H

#include <stdint.h>

enum { SHARED_BANKS = 32, SHARED_LANES = 32 /* the most */ };

/* All powers of two. A byte at `a` is in bank (a / interleave) mod banks, row a / (banks * width).
 */
typedef struct {
  uint32_t banks;      /* 1 to 32 */
  uint32_t width;      /* bytes of a row of a bank: 4 or 8 */
  uint32_t interleave; /* successive bytes in one bank: 4 or 8, at most width */
  uint32_t lanes;      /* of the warp that go at a time: 16 or 32 */
} shared_cfg_t;

/* Word w is in bank w mod 16, a half-warp at a time; bank w mod 32 for the whole warp; on Kepler,
 * in its mode of 4 bytes, bank w mod 32 together with word w + 32; in that of 8 bytes, words 2w and
 * 2w + 1 in bank w mod 32. */
extern const shared_cfg_t shared_gt200, shared_fermi, shared_kepler_4, shared_kepler_8;

/* Cycles that the access takes: over the parts of the warp that go one after the other, the sum of
 * the different rows in the busiest bank, and 1 for a part without an active lane. */
unsigned shared_cycles(const shared_cfg_t *cfg, const uint64_t addr[SHARED_LANES], uint32_t mask);

#endif
