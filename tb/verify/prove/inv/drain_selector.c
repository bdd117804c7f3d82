/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/drain_selector.c"

#include "verify/prove/inv/inv.h"

unsigned drain_selector_registers(const drain_selector_t *self, module_reg_t *regs);
unsigned drain_selector_parity(const drain_selector_t *self, module_reg_t *regs);

void drain_selector_derive(drain_selector_t *self);
unsigned drain_selector_private(drain_selector_t *self, private_t *part);
bool drain_selector_inv(const drain_selector_t *self);

/* The parity bits, which the table does not list; none without PARITY. */
unsigned drain_selector_parity(const drain_selector_t *self, module_reg_t *regs) {
  parity_t *p = self->parity;
  if (!p) return 0;
  regs[0] = (module_reg_t){"gen_parity.state_par_q", 4, 1, 1, &p->state, "", false, ""};
  regs[1] =
      (module_reg_t){"gen_parity.more_par_q", self->cfg.QUEUES, 1, 8, &p->more, "", false, ""};
  return 2;
}

unsigned drain_selector_registers(const drain_selector_t *self, module_reg_t *regs) {
  const unsigned n = drain_selector_class.n_regs;
  drain_selector_class.regs(self, regs);
  return n + drain_selector_parity(self, regs + n);
}

void drain_selector_derive(drain_selector_t *self) {
  if (self->cfg.POLICY < MRPB_POLICY_LONGEST) return; /* kept only by these policies */
  self->lengths = 0;
  for (uint32_t n = 1; n <= self->cfg.DEPTH; n++) {
    self->having[n] = 0;
    for (uint32_t q = 0; q < self->cfg.QUEUES; q++)
      self->having[n] |= (uint64_t)(count_of(self, q) == n) << q;
    self->lengths |= (uint64_t)(self->having[n] != 0) << (n - 1);
  }
}

/* Written along with the others but never read. */
unsigned drain_selector_private(drain_selector_t *self, private_t *part) {
  part[0] = (private_t){&self->having[0], sizeof self->having[0]};
  return 1;
}

/* Counts are in range, and an empty queue has no further entries; a held queue has an entry; pick_q
 * agrees with the counts. */
bool drain_selector_inv(const drain_selector_t *self) {
  bool good = self->r.last_q < self->cfg.QUEUES;
  for (uint32_t q = 0; q < self->cfg.QUEUES; q++) {
    good &= self->r.more_q[q] < self->cfg.DEPTH;
    good &= self->r.more_q[q] == 0 || (self->r.nonempty_q >> q & 1);
  }
  good &= (self->r.nonempty_q & ~bits_mask(self->cfg.QUEUES)) == 0;
  if (self->r.hold_q)
    good &= (self->cfg.POLICY & MRPB_POLICY_GREEDY) != 0 && self->r.last_q < 64 &&
            (self->r.nonempty_q >> self->r.last_q & 1);
  if (self->parity)
    good &=
        self->parity->state == state_parity(&self->r) && self->parity->more == more_parity(self);
  return good && self->r.pick_q == policy_choice(self);
}
