/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/lane_table.c"

#include "verify/prove/inv/inv.h"

unsigned lane_table_registers(const lane_table_t *self, module_reg_t *regs);
bool lane_table_inv(const lane_table_t *self);

/* Includes the parity bits, which the table does not list; none without PARITY. */
unsigned lane_table_registers(const lane_table_t *self, module_reg_t *regs) {
  const uint32_t lanes = self->cfg.LANES;
  parity_t *p = self->parity;
  lane_table_class.regs(self, regs);
  unsigned n = lane_table_class.n_regs;
  if (!p) return n;
  regs[n++] = (module_reg_t){"gen_parity.live_par_q", 1, 1, 1, &p->live, "", false, ""};
  regs[n++] = (module_reg_t){
      "gen_parity.lane_par_q", lanes, self->cfg.ENTRIES, sizeof p->lane[0], p->lane, "", true, ""};
  return n;
}

/* Every lane of an entry that has begun fits its bit, and so does live_q. */
static bool even(const lane_table_t *self) {
  const lane_table_regs_t *r = &self->r;
  const parity_t *p = self->parity;
  bool good = p->live == bits_odd_words(r->live_q, LIVE_WORDS);
  for (uint32_t e = 0; e < self->cfg.ENTRIES; e++)
    good &= (int)!is_live(self, e) | (word_parity(self, e) == p->lane[e]);
  return good;
}

/* A lane without request has the number 0. Both sides are equal without it; a user may rely on it. */
bool lane_table_inv(const lane_table_t *self) {
  bool good = true;
  for (uint32_t e = 0; e < self->cfg.ENTRIES; e++)
    for (uint32_t l = 0; l < self->cfg.LANES; l++)
      good &= !is_live(self, e) | (self->r.has_q[e] >> l & 1) | (number_of(self, e, l) == 0);
  return good & (!self->parity || even(self));
}
