/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fifo_bank.c"

#include "verify/prove/inv/inv.h"

REGISTERS(fifo_bank)

bool fifo_bank_inv(const fifo_bank_t *self);

/* Pointers and lengths are in range; full and empty agree with the lengths. */
bool fifo_bank_inv(const fifo_bank_t *self) {
  bool good = true;
  uint64_t full = 0, empty = 0;
  for (uint32_t q = 0; q < self->cfg.QUEUES; q++) {
    good &= self->r.len_q[q] <= self->cfg.DEPTH;
    good &= self->r.head_q[q] < self->cfg.DEPTH;
    good &= self->r.tail_q[q] < self->cfg.DEPTH;
    full |= (uint64_t)(self->r.len_q[q] == self->cfg.DEPTH) << q;
    empty |= (uint64_t)(self->r.len_q[q] == 0) << q;
  }
  return good & (self->r.full_q == full) & (self->r.empty_q == empty);
}
