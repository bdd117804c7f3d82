/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/line_data.c"

#include "verify/prove/inv/inv.h"

unsigned line_data_registers(const line_data_t *self, module_reg_t *regs);
bool line_data_inv(const line_data_t *self);

/* Includes the parity bits, which the table does not list; none without PARITY. */
unsigned line_data_registers(const line_data_t *self, module_reg_t *regs) {
  const uint32_t places = self->cfg.PLACES, beats = self->beats, begun = 4 * ((places + 31) / 32);
  parity_t *p = self->parity;
  line_data_class.regs(self, regs);
  unsigned n = line_data_class.n_regs;
  if (!p) return n;
  regs[n++] = (module_reg_t){"gen_parity.begun_q", places, 1, begun, p->begun, "", false, ""};
  regs[n++] = (module_reg_t){"gen_parity.begun_par_q", 1, 1, 1, &p->begun_par, "", false, ""};
  regs[n++] = (module_reg_t){"gen_parity.rcode_q", beats, 1, 4, &p->rcode, "", false, ""};
  regs[n++] = (module_reg_t){"gen_parity.rknown_q", beats, 1, 4, &p->rknown, "", false, ""};
  regs[n++] = (module_reg_t){"gen_parity.rtwin_q", beats, 1, 4, &p->rtwin, "", false, ""};
  regs[n++] = (module_reg_t){"gen_parity.code_q", beats, places, 4, p->code, "", true, ""};
  regs[n++] = (module_reg_t){"gen_parity.known_q", beats, places, 4, p->known, "", true, ""};
  regs[n++] = (module_reg_t){"gen_parity.twin_q", beats, places, 4, p->twin, "", true, ""};
  return n;
}

/* The parity of each beat of a line. */
static uint32_t codes(const line_data_t *self, const uint32_t *line) {
  uint32_t code = 0;
  for (uint32_t w = 0; w < self->cfg.WORDS; w++)
    code ^= (uint32_t)bits_odd(line[w]) << w / self->cfg.BUS_WORDS;
  return code;
}

/* With PARITY: begun_q fits its bit, what is known has a copy, and known beats fit their bits. */
bool line_data_inv(const line_data_t *self) {
  const line_data_regs_t *r = &self->r;
  const parity_t *p = self->parity;
  if (!p) return true;
  bool good = p->begun_par == bits_odd_words(p->begun, MAX_PLACES / 32);
  good &= (p->rknown == p->rtwin) & (((codes(self, r->rdata_q) ^ p->rcode) & p->rknown) == 0);
  for (uint32_t i = 0; i < self->cfg.PLACES; i++) {
    const uint32_t wrong = codes(self, &r->mem_q[i * self->cfg.WORDS]) ^ p->code[i];
    good &= !has_begun(p, i) | ((p->known[i] == p->twin[i]) & ((wrong & p->known[i]) == 0));
  }
  return good;
}
