/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/prt.c"

#include "verify/prove/inv/inv.h"

REGISTERS(prt)

/* The invariant omits sums of more bits than this: they are hard to decide, and both sides are
 * equal without them. */
enum { FEW = 9 };

void prt_derive(prt_t *self);
bool prt_inv(const prt_t *self);

void prt_derive(prt_t *self) {
  memset(self->free, 0, sizeof self->free);
  for (uint32_t e = 0; e < self->cfg.ENTRIES; e++)
    self->free[e / 64] |= (uint64_t)!is_valid(self, e) << e % 64;
}

/* The entries in use: any set with its count, or those of the ring from the oldest one on. */
static bool known_used(const prt_t *self) {
  const uint32_t entries = self->cfg.ENTRIES, head = self->r.head_q, count = self->r.count_q;
  uint32_t used = 0;
  bool good = true;
  for (uint32_t e = 0; e < entries; e++) {
    uint32_t behind = e >= head ? e - head : e + entries - head;
    good &= is_valid(self, e) == (behind < count);
    used += is_valid(self, e);
  }
  if (self->cfg.ORDER) return good & (head < entries) & (count <= entries);
  return (head == 0) & (entries > FEW || count == used);
}

/* For each entry in use, at most LANES are outstanding: a request takes at least one lane out of
 * todo_q. */
static bool few_pending(const prt_t *self) {
  bool good = true;
  for (uint32_t e = 0; e < self->cfg.ENTRIES && self->cfg.LANES <= FEW; e++) {
    uint32_t lanes = (uint32_t)__builtin_popcount(self->r.todo_q[e]) + self->r.pend_q[e];
    good &= !is_valid(self, e) || lanes <= self->cfg.LANES;
  }
  return good;
}

bool prt_inv(const prt_t *self) {
  return (int)known_used(self) & few_pending(self);
}
