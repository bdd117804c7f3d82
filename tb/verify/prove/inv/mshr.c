/* SPDX-License-Identifier: Apache-2.0 */
/* Two buckets, so that two addresses of a few bits collide. */
#define MSHR_BUCKET_W 1
#include "cmodel/mshr.c"

#include "verify/prove/inv/inv.h"

unsigned mshr_registers(const mshr_t *self, module_reg_t *regs);
unsigned mshr_private(mshr_t *self, private_t *part);
uint32_t mshr_rounds(const mshr_t *self);
void mshr_derive(mshr_t *self);
bool mshr_inv(const mshr_t *self);

/* Includes the parity bits, which the table does not list: PARITY 0 has none. */
unsigned mshr_registers(const mshr_t *self, module_reg_t *regs) {
  const uint32_t entries = self->cfg.ENTRIES, bytes = 4 * ((entries + 31) / 32);
  parity_t *p = self->parity;
  mshr_class.regs(self, regs);
  if (!p) return mshr_class.n_regs;
  const module_reg_t parity[] = {
      {"gen_parity.state_par_q", 8, 1, 1, &p->state, "", false, ""},
      {"gen_parity.read_par_q", 1, 1, 1, &p->read, "", false, ""},
      {"gen_parity.addr_par_q", entries, 1, bytes, p->addr, "", false, ""},
      {"gen_parity.len_par_q", entries, 1, bytes, p->len, "", false, ""},
      {"gen_parity.head_par_q", entries, 1, bytes, p->head, "", false, ""},
      {"gen_parity.order_par_q", entries, 1, bytes, p->order, "", false, ""},
      {"gen_parity.data_par_q", 1, entries * self->cfg.MERGES, 1, p->data, "", true, ""}};
  const unsigned n = sizeof parity / sizeof *parity;
  for (unsigned i = 0; i < n; i++) regs[mshr_class.n_regs + i] = parity[i];
  return mshr_class.n_regs + n;
}

/* The chains: the order of their entries does not depend on the registers. */
unsigned mshr_private(mshr_t *self, private_t *part) {
  part[0] = (private_t){self->bucket, sizeof self->bucket};
  part[1] = (private_t){self->next, self->cfg.ENTRIES};
  return 2;
}

/* A chain has at most as many links as there are entries. */
uint32_t mshr_rounds(const mshr_t *self) {
  return self->cfg.ENTRIES + 1;
}

void mshr_derive(mshr_t *self) {
  self->free[0] = self->free[1] = 0;
  for (uint32_t e = 0; e < self->cfg.ENTRIES; e++)
    self->free[e / 64] |= (uint64_t)!flag_get(self->r.valid_q, e) << e % 64;
}

static bool in_use(const mshr_t *self, uint32_t e) {
  return e < self->cfg.ENTRIES && flag_get(self->r.valid_q, e);
}

/* A link of chain `h` leads to an entry of that hash value, or ends the chain. */
static bool good_link(const mshr_t *self, uint32_t to, unsigned h) {
  return to == NONE || (in_use(self, to) && hash(self->r.addr_q[to]) == h);
}

/* The chain of the entry's hash value leads to the entry, and the rest of the chain ends. */
static bool chained(const mshr_t *self, uint32_t e) {
  unsigned h = hash(self->r.addr_q[e]);
  uint32_t at = self->bucket[h], behind = e;
  bool found = at == e;
  for (uint32_t i = 0; i < self->cfg.ENTRIES; i++) {
    behind = behind < self->cfg.ENTRIES ? self->next[behind] : NONE;
    at = at < self->cfg.ENTRIES ? self->next[at] : NONE;
    found |= at == e;
  }
  return found && behind == NONE && good_link(self, self->next[e], h);
}

/* The order ring lists every filled entry once; its first entry drains. */
static bool ordered(const mshr_t *self) {
  const mshr_regs_t *r = &self->r;
  uint32_t n = self->cfg.ENTRIES, listed = 0, first = 0;
  bool good = r->order_head_q < n && r->order_len_q <= n;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = r->order_head_q + i, e;
    if (at >= n) at -= n;
    e = r->order_q[at < n ? at : 0];
    if (i == 0) first = r->order_len_q > 0 ? UINT32_C(1) << (e & 31) : 0;
    if (i >= r->order_len_q) continue;
    good &= in_use(self, e) && flag_get(r->ready_q, e & 127) && !(listed >> (e & 31) & 1);
    listed |= UINT32_C(1) << (e & 31);
  }
  for (uint32_t e = 0; e < n; e++) {
    good &= flag_get(r->ready_q, e) == (listed >> e & 1);
    good &= flag_get(r->drain_q, e) == (first >> e & 1);
  }
  return good;
}

/* Every word that the table relies on fits its parity bit. */
static bool even(const mshr_t *self) {
  const mshr_regs_t *r = &self->r;
  const parity_t *p = self->parity;
  const uint32_t entries = self->cfg.ENTRIES, merges = self->cfg.MERGES;
  bool good = p->state == state_parity(r);
  for (uint32_t e = 0; e < entries; e++) {
    const uint32_t behind =
        e >= r->order_head_q ? e - r->order_head_q : e + entries - r->order_head_q;
    good &= behind >= r->order_len_q || flag_get(p->order, e) == bits_odd(r->order_q[e]);
    if (!flag_get(r->valid_q, e)) continue;
    good &= flag_get(p->addr, e) == bits_odd(r->addr_q[e]) &&
            flag_get(p->len, e) == bits_odd(r->len_q[e]) &&
            flag_get(p->head, e) == bits_odd(r->head_q[e]);
    for (uint32_t i = 0; i < merges; i++) {
      const uint32_t at = i >= r->head_q[e] ? i - r->head_q[e] : i + merges - r->head_q[e];
      const uint32_t word = e * merges + i;
      good &= at >= r->len_q[e] || p->data[word] == bits_odd(r->data_q[word]);
    }
  }
  return good;
}

bool mshr_inv(const mshr_t *self) {
  const mshr_regs_t *r = &self->r;
  uint32_t used = 0;
  bool good = ordered(self) && (!self->parity || even(self));
  for (uint32_t e = 0; e < self->cfg.ENTRIES; e++) {
    good &= (in_use(self, e) && self->cfg.STORES) || !flag_get(r->written_q, e);
    if (!in_use(self, e)) continue;
    used++;
    good &= r->len_q[e] >= 1 && r->len_q[e] <= self->cfg.MERGES && r->head_q[e] < self->cfg.MERGES;
    good &= r->head_q[e] == 0 || flag_get(r->drain_q, e);
    good &= chained(self, e);
    for (uint32_t o = 0; o < e; o++) good &= !in_use(self, o) || r->addr_q[o] != r->addr_q[e];
  }
  for (unsigned h = 0; h < BUCKETS; h++) good &= good_link(self, self->bucket[h], h);
  good &= used == self->cfg.ENTRIES ||
          (r->next_q < self->cfg.ENTRIES && !flag_get(r->valid_q, r->next_q & 127));
  if (!self->cfg.READ_REG) {
    good &= r->read_q == 0 && (!self->parity || self->parity->read == 0);
  } else if (r->order_len_q > 0) {
    uint32_t e = r->order_q[r->order_head_q < self->cfg.ENTRIES ? r->order_head_q : 0];
    if (e >= self->cfg.ENTRIES || r->head_q[e] >= self->cfg.MERGES) return false;
    good &= r->read_q == r->data_q[e * self->cfg.MERGES + r->head_q[e]];
    good &= !self->parity ||
            self->parity->read == self->parity->data[e * self->cfg.MERGES + r->head_q[e]];
  }
  return good && r->count_q == used;
}
