/* SPDX-License-Identifier: Apache-2.0 */
/* QUEUES circular buffers of DEPTH entries in one SRAM whose cycle is split: one dequeue and one
 * enqueue.
 *
 * RTL twin: rtl/fifo_bank.v. Contract: docs/modules/fifo_bank.md. MRPB paper, section 6.
 * Timing: one enqueue and one dequeue a cycle. An entry can be dequeued from the next cycle on, and
 * appears on deq_data_o one cycle after it is dequeued.
 * Not modelled: the two halves of the cycle themselves, the SRAM's ports and its access time. */
#ifndef MRPB_FIFO_BANK_H
#define MRPB_FIFO_BANK_H

#include "bits.h"
#include "module.h"

#include <stdbool.h>

#define STEM fifo_bank
#define PORTS_FILE "ports/fifo_bank.ports.h"
#include "ports/declare.h"

/* The entries of a ring, from its pointers and its full bit. */
static inline uint32_t fifo_bank_length(uint32_t head, uint32_t tail, bool full, uint32_t depth) {
  return full ? depth : tail < head ? tail + depth - head : tail - head;
}

/* The entries of queue q. */
static inline uint32_t fifo_bank_held(const fifo_bank_regs_t *r, uint32_t depth, uint64_t q) {
  return fifo_bank_length(r->head_q[q], r->tail_q[q], r->full_q >> q & 1, depth);
}

/* Gives full_o and empty_o, which depend on no input. */
void fifo_bank_levels(const fifo_bank_t *self, uint64_t *full, uint64_t *empty);

#endif
