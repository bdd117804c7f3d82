/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/l1_control.c"

#include "verify/prove/inv/inv.h"

unsigned l1_control_registers(const l1_control_t *self, module_reg_t *regs);
void l1_control_derive(l1_control_t *self);
bool l1_control_inv(const l1_control_t *self);

/* Includes the parity bits, which the table does not list; there are none without PARITY. */
unsigned l1_control_registers(const l1_control_t *self, module_reg_t *regs) {
  const unsigned n = l1_control_class.n_regs;
  l1_control_class.regs(self, regs);
  if (!self->cfg.PARITY) return n;
  regs[n] = (module_reg_t){.name = "gen_parity.state_par_q",
                           .width = 1,
                           .words = 1,
                           .elem_bytes = 1,
                           .data = &self->state_parity,
                           .doc = ""};
  regs[n + 1] = (module_reg_t){.name = "gen_parity.d_par_q",
                               .width = 1,
                               .words = 1,
                               .elem_bytes = 1,
                               .data = &self->d_parity,
                               .doc = ""};
  regs[n + 2] = (module_reg_t){.name = "gen_parity.a_par_q",
                               .width = 1,
                               .words = 1,
                               .elem_bytes = 1,
                               .data = &self->a_parity,
                               .doc = ""};
  return n + 3;
}

void l1_control_derive(l1_control_t *self) {
  if (!self->cfg.PARITY) parity(self);
}

/* The parity bits fit. */
bool l1_control_inv(const l1_control_t *self) {
  const l1_control_regs_t *r = &self->r;
  return (int)(self->state_parity == parity_of_state(r)) & (self->d_parity == parity_of_d(r)) &
         (self->a_parity == parity_of_a(r));
}
