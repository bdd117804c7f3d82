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

#define STEM fifo_bank
#define PORTS_FILE "ports/fifo_bank.ports.h"
#include "ports/declare.h"

/* Gives full_o and empty_o, which depend on no input. */
void fifo_bank_levels(const fifo_bank_t *self, uint64_t *full, uint64_t *empty);

#endif
