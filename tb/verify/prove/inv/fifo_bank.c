/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/stim/counts.h"

#include "cmodel/fifo_bank.c"

#include "verify/prove/inv/inv.h"

unsigned fifo_bank_registers(const fifo_bank_t *self, module_reg_t *regs);
unsigned fifo_bank_parity(const fifo_bank_t *self, module_reg_t *regs);
bool fifo_bank_shown(const fifo_bank_t *self);
bool fifo_bank_inv(const fifo_bank_t *self);

/* The parity bits, which the table does not list; none without PARITY. */
unsigned fifo_bank_parity(const fifo_bank_t *self, module_reg_t *regs) {
  const uint32_t queues = self->cfg.QUEUES, words = queues * self->cfg.DEPTH;
  parity_t *p = self->parity;
  if (!p) return 0;
  regs[0] = (module_reg_t){"gen_parity.state_par_q", 3, 1, 1, &p->state, "", false, ""};
  regs[1] = (module_reg_t){"gen_parity.shown_q", 1, 1, 1, &p->shown, "", false, ""};
  regs[2] = (module_reg_t){"gen_parity.head_par_q", queues, 1, 8, &p->head, "", false, ""};
  regs[3] = (module_reg_t){"gen_parity.tail_par_q", queues, 1, 8, &p->tail, "", false, ""};
  regs[4] = (module_reg_t){"u_mem.rcode_q", 1, 1, 1, &p->rcode, "", false, ""};
  regs[5] = (module_reg_t){"u_mem.code_q", 1, words, 1, p->code, "", true, ""};
  return 6;
}

unsigned fifo_bank_registers(const fifo_bank_t *self, module_reg_t *regs) {
  fifo_bank_class.regs(self, regs);
  return fifo_bank_class.n_regs + fifo_bank_parity(self, regs + fifo_bank_class.n_regs);
}

/* False only with PARITY, before the first dequeue. */
bool fifo_bank_shown(const fifo_bank_t *self) {
  return !self->parity || self->parity->shown;
}

/* Every register fits its parity bit, and so does every word that is held or shown. */
static bool even(const fifo_bank_t *self) {
  const fifo_bank_regs_t *r = &self->r;
  const parity_t *p = self->parity;
  const uint32_t depth = self->cfg.DEPTH;
  bool good = p->state == state_parity(self);
  good &= !p->shown | (p->rcode == bits_odd(r->u_mem.rdata_q));
  for (uint32_t q = 0; q < self->cfg.QUEUES; q++) {
    const uint32_t held = counts_held(r, depth, q);
    good &= (p->head >> q & 1) == bits_odd(r->head_q[q]);
    good &= (p->tail >> q & 1) == bits_odd(r->tail_q[q]);
    for (uint32_t i = 0; i < depth; i++) {
      const uint32_t place = i < r->head_q[q] ? i + depth : i;
      good &= (place >= r->head_q[q] + held) |
              (p->code[q * depth + i] == bits_odd(r->u_mem.mem_q[q * depth + i]));
    }
  }
  return good & ((p->head | p->tail) <= bits_mask(self->cfg.QUEUES));
}

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
  return good & (!self->parity || even(self)) & ((self->r.full_q ^ self->r.empty_q) == equal) &
         ((self->r.full_q | self->r.empty_q) == equal);
}
