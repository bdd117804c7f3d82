/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/coalescer.c"

#include "verify/prove/inv/inv.h"

unsigned coalescer_registers(const coalescer_t *self, module_reg_t *regs);
bool coalescer_inv(const coalescer_t *self);

/* Includes the parity bits, which the table does not list; none without PARITY. */
unsigned coalescer_registers(const coalescer_t *self, module_reg_t *regs) {
  parity_t *p = self->parity;
  coalescer_class.regs(self, regs);
  unsigned n = coalescer_class.n_regs;
  if (!p) return n;
  regs[n++] = (module_reg_t){"gen_parity.state_par_q", 3, 1, 1, &p->state, "", false, ""};
  regs[n++] = (module_reg_t){"gen_parity.first_par_q", 3, 1, 1, &p->first, "", false, ""};
  regs[n++] =
      (module_reg_t){"gen_parity.lane_par_q", self->cfg.LANES, 1, 4, &p->lane, "", false, ""};
  regs[n++] = (module_reg_t){"gen_parity.best_par_q", 4, 1, 1, &p->best, "", false, ""};
  regs[n++] = (module_reg_t){"gen_parity.out_par_q", 5, 1, 1, &p->out, "", false, ""};
  return n;
}

/* What the unit relies on fits its bits. */
static bool even(const coalescer_t *self) {
  const coalescer_regs_t *r = &self->r;
  const parity_t *p = self->parity;
  uint32_t lane = 0;
  uint8_t best = 0;
  for (uint32_t l = 0; l < self->cfg.LANES; l++)
    lane |= (uint32_t)bits_odd(r->line_q[l] ^ r->word_q[l]) << l;
  for (int k = 0; k < QUARTERS; k++) best |= (uint8_t)(bits_odd(r->best_q[k]) << k);
  const bool state = p->state == (bits_odd(r->left_q) | r->found_q << 1 | r->out_valid_q << 2);
  const bool first =
      p->first == (bits_odd(r->split_q) | bits_odd(r->info_q) << 1 | bits_odd(r->number_q) << 2);
  const bool out = p->out == out_parity(r);
  return state & (!r->left_q | first) & (((p->lane ^ lane) & r->left_q) == 0) &
         (!r->found_q | (p->best == best)) & (!r->out_valid_q | out);
}

/* Without ORDER there is no result of a search. */
static bool no_best(const coalescer_regs_t *r) {
  uint64_t any = 0;
  for (int k = 0; k < QUARTERS; k++) any |= r->best_q[k];
  return any == 0;
}

/* The result of a search belongs to the lanes that are left. */
bool coalescer_inv(const coalescer_t *self) {
  const coalescer_regs_t *r = &self->r;
  const bool ordered = self->cfg.ORDER != 0;
  const bool order = !r->found_q | (ordered & (r->left_q != 0));
  const bool best = ordered || no_best(r);
  return order & best & (!self->parity || even(self));
}
