/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/prt.c"

#include "verify/prove/inv/inv.h"

/* The invariant omits sums of more bits than this: they are hard to decide, and both sides are
 * equal without them. */
enum { FEW = 9 };

unsigned prt_registers(const prt_t *self, module_reg_t *regs);
bool prt_inv(const prt_t *self);

static unsigned parity_registers(const prt_t *self, module_reg_t *regs) {
  const uint32_t entries = self->cfg.ENTRIES, bytes = 4 * ((entries + 31) / 32);
  parity_t *p = self->parity;
  regs[0] = (module_reg_t){"gen_parity.state_par_q", 6, 1, 1, &p->state, "", false, ""};
  regs[1] = (module_reg_t){"gen_parity.left_par_q", entries, 1, bytes, p->left, "", false, ""};
  regs[2] = (module_reg_t){"gen_parity.pend_par_q", entries, 1, bytes, p->pend, "", false, ""};
  regs[3] = (module_reg_t){"gen_parity.tag_par_q", entries, 1, bytes, p->tag, "", false, ""};
  return 4;
}

/* Includes the registers of the checker and of the parity, which the table does not list: what it
 * accepts and shows depends on them. */
unsigned prt_registers(const prt_t *self, module_reg_t *regs) {
  prt_class.regs(self, regs);
  unsigned n = prt_class.n_regs;
  if (self->u_lane_check) {
    module_reg_t *lanes = regs + n;
    lane_check_class.regs(self->u_lane_check, lanes);
    module_inside("gen_check.u_lane_check", lanes, lane_check_class.n_regs);
    n += lane_check_class.n_regs;
  }
  return self->parity ? n + parity_registers(self, regs + n) : n;
}

/* Every word that the table relies on fits its parity bit. */
static bool even(const prt_t *self) {
  const prt_regs_t *r = &self->r;
  const parity_t *p = self->parity;
  bool good = p->state == state_parity(self);
  for (uint32_t e = 0; e < self->cfg.ENTRIES; e++) {
    const bool left = bits_odd(r->left_q[e]),
               pend = bits_odd(r->pend_q[e]) ^ flag_get(r->last_q, e);
    const bool left_good = flag_get(p->left, e) == left, pend_good = flag_get(p->pend, e) == pend;
    const bool tag_good = flag_get(p->tag, e) == tag_parity(self, e);
    good &= !flag_get(r->valid_q, e) | (left_good & pend_good & tag_good);
  }
  return good;
}

/* The ring: the entries in use are those from the oldest one on, and the next one follows them. */
static bool known_ring(const prt_t *self) {
  const uint32_t entries = self->cfg.ENTRIES, head = self->r.head_q, count = self->r.count_q;
  const uint32_t tail = head + count >= entries ? head + count - entries : head + count;
  bool good = (head < entries) & (count <= entries) & (self->r.next_q == tail);
  good &= self->r.full_q == (count == entries);
  for (uint32_t e = 0; e < entries; e++) {
    uint32_t behind = e >= head ? e - head : e + entries - head;
    good &= flag_get(self->r.valid_q, e) == (behind < count);
    good &= (int)flag_get(self->r.valid_q, e) | !flag_get(self->r.done_q, e);
  }
  return good;
}

/* Any set of entries in use, with its count; the next one is free, unless all are in use. */
static bool known_set(const prt_t *self) {
  const uint32_t entries = self->cfg.ENTRIES, next = self->r.next_q;
  uint32_t used = 0;
  bool good = self->r.head_q == 0, all = true;
  for (uint32_t e = 0; e < entries; e++) {
    used += flag_get(self->r.valid_q, e);
    all &= flag_get(self->r.valid_q, e);
    good &= !flag_get(self->r.done_q, e);
  }
  good &= self->r.full_q == all;
  good &= all | ((next < entries) & !flag_get(self->r.valid_q, next < entries ? next : 0));
  return good & (entries > FEW || self->r.count_q == used);
}

bool prt_inv(const prt_t *self) {
  const bool codes = !self->parity || even(self);
  return (self->cfg.ORDER ? known_ring(self) : known_set(self)) & codes;
}
