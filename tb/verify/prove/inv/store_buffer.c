/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/store_buffer.c"

#include "verify/prove/inv/inv.h"

unsigned store_buffer_registers(store_buffer_t *self, module_reg_t *regs);
bool store_buffer_inv(const store_buffer_t *self);

/* The parity bits are no registers of the table: it has what works without them. */
unsigned store_buffer_registers(store_buffer_t *self, module_reg_t *regs) {
  const uint32_t stores = self->cfg.STORES;
  parity_t *p = &self->parity;
  store_buffer_class.regs(self, regs);
  if (!self->cfg.PARITY) return store_buffer_class.n_regs;
  const module_reg_t parity[] = {
      {"gen_parity.state_par_q", 3, 1, 1, &p->state, "", false, ""},
      {"gen_parity.lane_par_q", self->cfg.LANES, 1, sizeof p->lane, &p->lane, "", false, ""},
      {"gen_parity.word_par_q", 1, stores * self->cfg.WORDS, 1, p->word, "", true, ""}};
  const unsigned n = sizeof parity / sizeof *parity;
  for (unsigned i = 0; i < n; i++) regs[store_buffer_class.n_regs + i] = parity[i];
  return store_buffer_class.n_regs + n;
}

/* Every word that is relied on, now or later, fits its parity bit. */
static bool even(const store_buffer_t *self) {
  const store_buffer_regs_t *r = &self->r;
  const parity_t *p = &self->parity;
  const uint32_t words = self->cfg.WORDS;
  bool good = p->state == state_parity(r);
  for (uint32_t l = 0; l < self->cfg.LANES; l++)
    good &= !r->kept_q | ((p->lane >> l & 1) == (bits_odd(r->word_q[l]) ^ bits_odd(r->lane_q[l]) ^
                                                 bits_odd(r->bytes_q[l])));
  for (uint32_t e = 0; e < self->cfg.STORES; e++) {
    for (uint32_t w = e * words; w < (e + 1) * words; w++)
      good &= !(r->used_q >> e & 1) |
              (p->word[w] == (bits_odd(r->data_q[w]) ^ bits_odd(r->strobe_q[w])));
  }
  return good;
}

/* The entry of a second pass is in use, and its lanes exist. */
bool store_buffer_inv(const store_buffer_t *self) {
  const store_buffer_regs_t *r = &self->r;
  uint32_t used = 0;
  bool good = true;
  for (uint32_t e = 0; e < self->cfg.STORES; e++) used += r->used_q >> e & 1;
  good &= r->count_q == used;
  good &= !r->pass_q |
          ((r->pass_entry_q < self->cfg.STORES) & (r->used_q >> (r->pass_entry_q & 31) & 1));
  if (self->cfg.PASSES == 1 || self->cfg.LANES == 1)
    good &= (r->pass_q == 0) & (r->pass_entry_q == 0) & (r->pass_lanes_q == 0);
  good &= !(r->pass_lanes_q >> (self->cfg.LANES - self->half) & 1) | (self->cfg.LANES % 2 == 0);
  return good & (!self->cfg.PARITY || even(self));
}
