#include "cmodel/fifo_bank.c"

#include "prove/inv/inv.h"

REGISTERS(fifo_bank)

void fifo_bank_derive(fifo_bank_t *self);
bool fifo_bank_inv(const fifo_bank_t *self);

void fifo_bank_derive(fifo_bank_t *self) {
  self->full = self->empty = 0;
  for (uint32_t q = 0; q < self->cfg.QUEUES; q++) {
    self->full |= (uint64_t)(self->r.len_q[q] == self->cfg.DEPTH) << q;
    self->empty |= (uint64_t)(self->r.len_q[q] == 0) << q;
  }
}

/* Pointers and lengths in range. */
bool fifo_bank_inv(const fifo_bank_t *self) {
  bool good = true;
  for (uint32_t q = 0; q < self->cfg.QUEUES; q++) {
    good &= self->r.len_q[q] <= self->cfg.DEPTH;
    good &= self->r.head_q[q] < self->cfg.DEPTH;
    good &= self->r.tail_q[q] < self->cfg.DEPTH;
  }
  return good;
}
