/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/line_align.c"

#include "verify/prove/inv/inv.h"

unsigned line_align_registers(const line_align_t *self, module_reg_t *regs);
bool line_align_inv(const line_align_t *self);

/* Includes the parity bits, which the table does not list; none without PARITY. */
unsigned line_align_registers(const line_align_t *self, module_reg_t *regs) {
  parity_t *p = self->parity;
  line_align_class.regs(self, regs);
  unsigned n = line_align_class.n_regs;
  if (!p) return n;
  regs[n++] = (module_reg_t){"gen_parity.state_par_q", 2, 1, 1, &p->state, "", false, ""};
  regs[n++] = (module_reg_t){"gen_parity.mask_par_q", 1, 1, 1, &p->mask, "", false, ""};
  regs[n++] = (module_reg_t){"gen_parity.info_par_q", 1, 1, 1, &p->info, "", false, ""};
  regs[n++] = (module_reg_t){"gen_parity.word_par_q", 1, 1, 1, &p->word, "", false, ""};
  regs[n++] =
      (module_reg_t){"gen_parity.data_par_q", self->cfg.LANES, 1, 4, &p->data, "", false, ""};
  return n;
}

/* What the unit relies on fits its bits. */
static bool even(const line_align_t *self) {
  const line_align_regs_t *r = &self->r;
  const parity_t *p = self->parity;
  const bool all = (int)(p->mask == bits_odd(r->mask_q)) & (p->info == bits_odd(r->info_q)) &
                   (p->data == data_parity(self));
  const bool word = p->word == bits_odd_words(r->word_q, WORD_WORDS);
  return (p->state == state_parity(self)) & (!(r->out_valid_q | r->more_q) | all) &
         (!r->more_q | word);
}

/* There is a second pass only of a request with lanes in both halves, and no answer meanwhile. A
 * lane outside the mask has the data 0. */
bool line_align_inv(const line_align_t *self) {
  const line_align_regs_t *r = &self->r;
  const uint32_t lower = (uint32_t)self->lower;
  bool good =
      !r->more_q | (!r->out_valid_q & ((r->mask_q & lower) != 0) & ((r->mask_q & ~lower) != 0));
  for (uint32_t l = 0; l < self->cfg.LANES; l++)
    good &= !(r->out_valid_q | r->more_q) | (r->mask_q >> l & 1) | (r->data_q[l] == 0);
  return good & (!self->parity || even(self));
}
