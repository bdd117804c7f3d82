/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/reg_fifo.c"

#include "verify/prove/inv/inv.h"

unsigned reg_fifo_registers(const reg_fifo_t *self, module_reg_t *regs);
bool reg_fifo_inv(const reg_fifo_t *self);

/* Includes the parity bits, which the table does not list: PARITY 0 has none. */
unsigned reg_fifo_registers(const reg_fifo_t *self, module_reg_t *regs) {
  const unsigned n = reg_fifo_class.n_regs;
  const parity_t *p = &self->parity;
  reg_fifo_class.regs(self, regs);
  if (!self->cfg.PARITY) return n;
  regs[n] = (module_reg_t){"gen_parity.state_par_q", 4, 1, 1, &p->state, "", false, ""};
  regs[n + 1] = (module_reg_t){
      "gen_parity.data_par_q", self->cfg.DEPTH, 1, sizeof p->data, &p->data, "", false, ""};
  return n + 2;
}

/* Every register and every entry that is held fits its parity bit. */
static bool even(const reg_fifo_t *self) {
  bool good = self->parity.state == state_parity(self);
  for (uint32_t p = 0; p < self->cfg.DEPTH; p++)
    good &= !(self->r.held_q >> p & 1) | ((self->parity.data >> p & 1) == entry_parity(self, p));
  return good;
}

/* The entries are those from the oldest place on, and the next place follows them. */
bool reg_fifo_inv(const reg_fifo_t *self) {
  const uint32_t depth = self->cfg.DEPTH, head = self->r.head_q, count = self->r.count_q;
  const uint32_t tail = head + count >= depth ? head + count - depth : head + count;
  bool good = (head < depth) & (count <= depth) & (self->r.tail_q == tail);
  for (uint32_t p = 0; p < depth; p++) {
    const uint32_t behind = p >= head ? p - head : p + depth - head;
    good &= (self->r.held_q >> p & 1) == (behind < count);
  }
  return good & (!self->cfg.PARITY || even(self));
}
