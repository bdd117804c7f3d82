/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/tags.c"

#include "verify/prove/inv/inv.h"

unsigned tags_registers(const tags_t *self, module_reg_t *regs);
bool tags_inv(const tags_t *self);

/* Includes the parity bits, which the table does not list: PARITY 0 has none. */
unsigned tags_registers(const tags_t *self, module_reg_t *regs) {
  const uint32_t sets = self->cfg.SETS, ways = self->cfg.WAYS;
  parity_t *p = self->parity;
  tags_class.regs(self, regs);
  if (!p) return tags_class.n_regs;
  const module_reg_t parity[] = {{"gen_parity.flow_par_q", 1, 1, 1, &p->flow, "", false, ""},
                                 {"gen_parity.d_par_q", 1, 1, 1, &p->d, "", false, ""},
                                 {"gen_parity.a_par_q", 1, 1, 1, &p->a, "", false, ""},
                                 {"gen_parity.last_par_q", 1, 1, 1, &p->last, "", false, ""},
                                 {"gen_parity.read_par_q", ways, 1, 1, &p->read, "", false, ""},
                                 {"gen_parity.set_par_q", sets, 1, 8, &p->set, "", false, ""},
                                 {"gen_parity.tag_par_q", ways, sets, 1, p->tag, "", true, ""}};
  const unsigned n = sizeof parity / sizeof *parity;
  for (unsigned i = 0; i < n; i++) regs[tags_class.n_regs + i] = parity[i];
  return tags_class.n_regs + n;
}

static const uint32_t *row_of(const tags_t *self, uint32_t set) {
  return &self->r.tag_q[set * self->row_words];
}

static uint64_t tag_of(const tags_t *self, uint64_t line) {
  return bits(line >> self->shift, self->tag_w);
}

/* The ways of a set have one order: none is newer than itself by way of two others. */
static bool ordered(const tags_t *self, uint32_t order) {
  const uint32_t ways = self->cfg.WAYS;
  bool good = true;
  for (uint32_t k = 0; k < ways; k++)
    for (uint32_t j = 0; j < k; j++)
      for (uint32_t i = 0; i < j; i++) {
        const bool ij = newer(order, i, j), jk = newer(order, j, k), ik = newer(order, i, k);
        good &= !(ij & jk & !ik) & !(!ij & !jk & ik);
      }
  return good & (ways > 1 || order == 0);
}

static bool good_set(const tags_t *self, uint32_t s) {
  const tags_regs_t *r = &self->r;
  const uint32_t ways = self->cfg.WAYS, used = r->valid_q[s] | r->reserved_q[s];
  const bool fermi = self->cfg.REPLACEMENT == FERMI;
  bool good = (r->valid_q[s] & r->reserved_q[s]) == 0;
  if (fermi)
    good &= r->order_q[s] == 0 && r->other_q[s] < ways;
  else
    good &= r->turn_q[s] == 0 && r->other_q[s] == 0 && ordered(self, r->order_q[s]);
  for (uint32_t w = 0; w < ways; w++)
    for (uint32_t o = 0; o < w; o++)
      good &= !(used >> w & 1) | !(used >> o & 1) |
              (row_tag(self, row_of(self, s), w) != row_tag(self, row_of(self, s), o));
  return good;
}

/* The place was reserved in the cycle before. */
static bool is_last(const tags_t *self, uint32_t set, uint32_t way) {
  const tags_regs_t *r = &self->r;
  return r->last_valid_q & (set_of(self, r->last_line_q) == set) & (r->last_way_q == way);
}

/* A place that was reserved in the cycle before has what `last` says. */
static bool good_last(const tags_t *self, uint32_t s, uint32_t w) {
  const tags_regs_t *r = &self->r;
  return (int)(row_tag(self, row_of(self, s), w) == tag_of(self, r->last_line_q)) &
         (row_sectors(self, row_of(self, s), w) == r->last_sectors_q);
}

/* What was read is in the memory still, if it was not written at that edge. */
static bool good_read(const tags_t *self, uint32_t s, uint32_t w) {
  const tags_regs_t *r = &self->r;
  bool good = (int)(row_tag(self, r->read_q, w) == row_tag(self, row_of(self, s), w)) &
              (row_sectors(self, r->read_q, w) == row_sectors(self, row_of(self, s), w));
  if (self->parity) good &= ((self->parity->read ^ self->parity->tag[s]) >> w & 1) == 0;
  return good;
}

/* What was compared is what a comparison with the memory would say now. */
static bool good_match(const tags_t *self, uint32_t s, uint32_t w) {
  const tags_regs_t *r = &self->r;
  const bool match = r->a_match_q >> w & 1;
  return (int)(match == (row_tag(self, row_of(self, s), w) == tag_of(self, r->a_line_q))) &
         (!match | (r->a_have_q == row_sectors(self, row_of(self, s), w)));
}

/* Every word that the array relies on fits its parity bit. */
static bool even(const tags_t *self) {
  const tags_regs_t *r = &self->r;
  const parity_t *p = self->parity;
  const bool a = bits_odd(r->a_line_q) ^ bits_odd(r->a_match_q) ^ bits_odd(r->a_have_q);
  const bool last =
      bits_odd(r->last_line_q) ^ bits_odd(r->last_way_q) ^ bits_odd(r->last_sectors_q);
  bool good = p->flow == (r->d_valid_q ^ r->a_valid_q ^ r->last_valid_q);
  good &= !r->d_valid_q | (p->d == bits_odd(r->d_line_q));
  good &= !r->a_valid_q | (p->a == a);
  good &= !r->last_valid_q | (p->last == last);
  for (uint32_t s = 0; s < self->cfg.SETS; s++) {
    const uint32_t used = r->valid_q[s] | r->reserved_q[s];
    good &= (p->set >> s & 1) == set_parity(r, s);
    for (uint32_t w = 0; w < self->cfg.WAYS; w++)
      good &= !(used >> w & 1) |
              ((p->tag[s] >> w & 1) == (bits_odd(row_tag(self, row_of(self, s), w)) ^
                                        bits_odd(row_sectors(self, row_of(self, s), w))));
  }
  return good;
}

bool tags_inv(const tags_t *self) {
  const tags_regs_t *r = &self->r;
  const uint32_t d_set = set_of(self, r->d_line_q), a_set = set_of(self, r->a_line_q);
  bool good = !r->last_valid_q | (r->last_way_q < self->cfg.WAYS);
  for (uint32_t s = 0; s < self->cfg.SETS; s++) {
    const uint32_t used = r->valid_q[s] | r->reserved_q[s];
    const bool d = r->d_valid_q & (d_set == s), a = r->a_valid_q & (a_set == s);
    good &= good_set(self, s);
    for (uint32_t w = 0; w < self->cfg.WAYS; w++) {
      const bool last = is_last(self, s, w);
      good &= !last | good_last(self, s, w);
      good &= !d | last | good_read(self, s, w);
      good &= !a | !(used >> w & 1) | good_match(self, s, w);
    }
  }
  return good & (!self->parity || even(self));
}
