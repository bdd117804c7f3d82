/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/axi_port.c"

#include "verify/prove/inv/inv.h"

unsigned axi_port_registers(axi_port_t *self, module_reg_t *regs);
bool axi_port_inv(const axi_port_t *self);

/* The parity bits are no registers of the table: it has what works without them. */
unsigned axi_port_registers(axi_port_t *self, module_reg_t *regs) {
  parity_t *p = &self->parity;
  axi_port_class.regs(self, regs);
  if (!self->cfg.PARITY) return axi_port_class.n_regs;
  const module_reg_t parity[] = {{"gen_parity.valid_par_q", 1, 1, 1, &p->valid, "", false, ""},
                                 {"gen_parity.read_par_q", 1, 1, 1, &p->read, "", false, ""},
                                 {"gen_parity.write_par_q", 1, 1, 1, &p->write, "", false, ""},
                                 {"gen_parity.beat_par_q", 1, 1, 1, &p->beat, "", false, ""}};
  const unsigned n = sizeof parity / sizeof *parity;
  for (unsigned i = 0; i < n; i++) regs[axi_port_class.n_regs + i] = parity[i];
  return axi_port_class.n_regs + n;
}

/* With PARITY every register that is relied on fits its bit. Without it any state is allowed. */
bool axi_port_inv(const axi_port_t *self) {
  const axi_port_regs_t *r = &self->r;
  const parity_t *p = &self->parity;
  if (!self->cfg.PARITY) return true;
  return (int)(p->valid == (r->read_valid_q ^ r->aw_valid_q ^ r->w_valid_q)) &
         (!r->read_valid_q | (p->read == bits_odd(r->read_q))) &
         (!(r->aw_valid_q | r->w_valid_q) | (p->write == bits_odd(r->write_q))) &
         (!r->w_valid_q | (p->beat == bits_odd(r->beat_q)));
}
