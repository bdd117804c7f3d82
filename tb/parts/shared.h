/* SPDX-License-Identifier: Apache-2.0 */
/* Bank conflicts of one warp access to shared memory. Lanes conflict if they access different rows
 * of one bank; lanes in one row of a bank share the access (paper 003, section 4.1). A bank's row
 * is one word, or two on Kepler. Simplification, as in the reference: an element wider than a word
 * counts by its first word. There is no RTL twin. */
#ifndef SHARED_H
#define SHARED_H

#include <stdint.h>

enum { SHARED_BANKS = 32, SHARED_LANES = 32 /* at most */ };

/* All are powers of two. A byte at `a` is in bank (a / interleave) mod banks, row a / (banks *
 * width). */
typedef struct {
  uint32_t banks;      /* 1 to 32 */
  uint32_t width;      /* bytes of a bank's row: 4 or 8 */
  uint32_t interleave; /* successive bytes in one bank: 4 or 8, at most width */
  uint32_t lanes;      /* lanes of the warp served at a time: 16 or 32 */
} shared_cfg_t;

/* GT200: word w is in bank w mod 16, a half-warp at a time. Fermi: bank w mod 32, the whole warp at
 * a time. Kepler in its 4-byte mode: bank w mod 32, in one row with word w + 32; in its 8-byte
 * mode: words 2w and 2w + 1 in bank w mod 32. */
extern const shared_cfg_t shared_gt200, shared_fermi, shared_kepler_4, shared_kepler_8;

/* Cycles that the access takes. Parts of the warp are served one after the other; each takes as
 * many cycles as the busiest bank has different rows, and 1 if it has no active lane. */
unsigned shared_cycles(const shared_cfg_t *cfg, const uint64_t addr[SHARED_LANES], uint32_t mask);

#endif
