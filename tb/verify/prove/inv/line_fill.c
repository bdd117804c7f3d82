/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/line_fill.c"

#include "verify/prove/inv/inv.h"

unsigned line_fill_registers(const line_fill_t *self, module_reg_t *regs);
bool line_fill_inv(const line_fill_t *self);

/* Includes the parity bits, which the table does not list: PARITY 0 has none. */
unsigned line_fill_registers(const line_fill_t *self, module_reg_t *regs) {
  const uint32_t mshrs = self->cfg.MSHRS, bypasses = self->cfg.BYPASSES;
  const uint32_t bytes = 4 * ((mshrs + 31) / 32), more = 4 * ((bypasses + 31) / 32);
  const parity_t *p = &self->parity;
  line_fill_class.regs(self, regs);
  if (!self->cfg.PARITY) return line_fill_class.n_regs;
  const module_reg_t parity[] = {
      {"gen_parity.state_par_q", 6, 1, 1, &p->state, "", false, ""},
      {"gen_parity.data_par_q", 1, 1, 1, &p->data, "", false, ""},
      {"gen_parity.place_par_q", mshrs, 1, bytes, p->place, "", false, ""},
      {"gen_parity.beat_par_q", mshrs, 1, bytes, p->beat, "", false, ""},
      {"gen_parity.bypass_beat_par_q", bypasses, 1, more, p->bypass_beat, "", false, ""}};
  const unsigned n = sizeof parity / sizeof *parity;
  for (unsigned i = 0; i < n; i++) regs[line_fill_class.n_regs + i] = parity[i];
  return line_fill_class.n_regs + n;
}

/* Every register fits its parity bit, and so does every word that a beat or a drain can use. */
static bool even(const line_fill_t *self) {
  const line_fill_regs_t *r = &self->r;
  const parity_t *p = &self->parity;
  const bool data = bits_odd_words(r->data_q, self->cfg.BUS_WORDS);
  bool good = (p->state == state_parity(self)) & (!r->write_valid_q | (p->data == data));
  for (uint32_t e = 0; e < self->cfg.MSHRS; e++) {
    good &= (int)!flag_get(r->live_q, e) | (flag_get(p->place, e) == bits_odd(r->place_q[e]));
    good &= (int)!flag_get(r->wait_q, e) | (flag_get(p->beat, e) == bits_odd(r->beat_q[e]));
  }
  for (uint32_t b = 0; b < self->cfg.BYPASSES; b++)
    good &= (int)!flag_get(r->bypass_wait_q, b) |
            (flag_get(p->bypass_beat, b) == bits_odd(r->bypass_beat_q[b]));
  return good;
}

/* An entry waits only if it was started. A register stage without a beat is 0, and it tells at most
 * one table of a last beat. */
bool line_fill_inv(const line_fill_t *self) {
  const line_fill_regs_t *r = &self->r;
  const uint32_t stage = (uint32_t)r->write_place_q | r->write_beat_q | r->fill_valid_q |
                         r->bypass_fill_valid_q | r->fill_entry_q;
  bool good = (stage == 0) | r->write_valid_q;
  good &= !(r->fill_valid_q & r->bypass_fill_valid_q);
  for (uint32_t e = 0; e < self->cfg.MSHRS; e++)
    good &= (int)!flag_get(r->wait_q, e) | flag_get(r->live_q, e);
  return good & (!self->cfg.PARITY || even(self));
}
