/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fifo_bank.c"

#include "verify/prove/inv/inv.h"

REGISTERS(fifo_bank)

bool fifo_bank_inv(const fifo_bank_t *self);

/* Pointers are in range. A queue is full or empty, and not both, if and only if its pointers are
 * equal. */
bool fifo_bank_inv(const fifo_bank_t *self) {
  bool good = true;
  uint64_t equal = 0;
  for (uint32_t q = 0; q < self->cfg.QUEUES; q++) {
    good &= self->r.head_q[q] < self->cfg.DEPTH;
    good &= self->r.tail_q[q] < self->cfg.DEPTH;
    equal |= (uint64_t)(self->r.head_q[q] == self->r.tail_q[q]) << q;
  }
  return good & ((self->r.full_q ^ self->r.empty_q) == equal) &
         ((self->r.full_q | self->r.empty_q) == equal);
}
