#include "cmodel/prt.c"

#include "prove/inv/inv.h"

REGISTERS(prt)

void prt_derive(prt_t *self);
bool prt_inv(const prt_t *self);

void prt_derive(prt_t *self) {
  memset(self->free, 0, sizeof self->free);
  for (uint32_t e = 0; e < self->cfg.ENTRIES; e++)
    self->free[e / 64] |= (uint64_t)!is_valid(self, e) << e % 64;
}

/* The count of the entries in use; of each of these, that what is on its way fits into its counter:
 * a request takes at least one lane out of todo_q. */
bool prt_inv(const prt_t *self) {
  uint32_t used = 0;
  bool good = true;
  for (uint32_t e = 0; e < self->cfg.ENTRIES; e++) {
    uint32_t lanes = (uint32_t)__builtin_popcount(self->r.todo_q[e]) + self->r.pend_q[e];
    used += is_valid(self, e);
    good &= !is_valid(self, e) || lanes <= self->cfg.LANES;
  }
  return good & (self->r.count_q == used);
}
