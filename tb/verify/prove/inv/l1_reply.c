/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/l1_reply.c"

#include "verify/prove/inv/inv.h"

unsigned l1_reply_registers(const l1_reply_t *self, module_reg_t *regs);
void l1_reply_derive(l1_reply_t *self);
bool l1_reply_inv(const l1_reply_t *self);

/* Includes the parity bits, which the table does not list; there are none without PARITY. */
unsigned l1_reply_registers(const l1_reply_t *self, module_reg_t *regs) {
  const unsigned n = l1_reply_class.n_regs;
  l1_reply_class.regs(self, regs);
  if (!self->cfg.PARITY) return n;
  regs[n] = (module_reg_t){.name = "gen_parity.state_par_q",
                           .width = 1,
                           .words = 1,
                           .elem_bytes = 1,
                           .data = &self->state_parity,
                           .doc = ""};
  regs[n + 1] = (module_reg_t){.name = "gen_parity.request_par_q",
                               .width = 1,
                               .words = 1,
                               .elem_bytes = 1,
                               .data = &self->request_parity,
                               .doc = ""};
  return n + 2;
}

void l1_reply_derive(l1_reply_t *self) {
  if (!self->cfg.PARITY) parity(self);
}

/* Only a request in the stage can be started; the parity bits fit. */
bool l1_reply_inv(const l1_reply_t *self) {
  const l1_reply_regs_t *r = &self->r;
  return (r->valid_q | !r->started_q) & (r->last_q <= BYPASS) &
         (self->state_parity == parity_of_state(r)) &
         (self->request_parity == parity_of_request(r));
}
