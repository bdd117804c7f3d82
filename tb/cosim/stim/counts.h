/* SPDX-License-Identifier: Apache-2.0 */
/* How many entries a queue holds and how many of them may be drained: hardware keeps neither number
 * as such, both follow from registers. */
#ifndef STIM_COUNTS_H
#define STIM_COUNTS_H

#include "drain_selector.h"
#include "fifo_bank.h"

#include <stdbool.h>

/* The entries of a ring, from its pointers and its full bit. */
static inline uint32_t counts_ring(uint32_t head, uint32_t tail, bool full, uint32_t depth) {
  return full ? depth : tail < head ? tail + depth - head : tail - head;
}

/* The entries that queue q of the bank holds. */
static inline uint32_t counts_held(const fifo_bank_regs_t *r, uint32_t depth, uint64_t q) {
  return counts_ring(r->head_q[q], r->tail_q[q], r->full_q >> q & 1, depth);
}

/* The entries of queue q that may be drained. */
static inline uint32_t counts_drainable(const drain_selector_regs_t *r, uint64_t q) {
  return (uint32_t)(r->nonempty_q >> q & 1) + r->more_q[q];
}

#endif
