/* SPDX-License-Identifier: Apache-2.0 */
#include "drain_selector.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* PARITY: a bit for each register. */
typedef struct {
  uint8_t state;
  uint64_t more; /* bit q: of queue q */
} parity_t;

/* The bit vectors follow from the counts and are updated along with it, so that no policy has to
 * scan. */
struct drain_selector {
  drain_selector_cfg_t cfg;
  parity_t *parity; /* NULL without PARITY */
  uint64_t lengths; /* bit n - 1: some queue has count n */
  drain_selector_regs_t r;
  uint64_t having[65]; /* [n] bit q: queue q has count n (for n > 0) */
};

typedef struct {
  bool valid, forced;
  uint32_t queue;
} choice_t;

/* The bits as they follow from the registers: each is checked, and so fits, in every cycle. */
static uint8_t state_parity(const drain_selector_regs_t *r) {
  return (uint8_t)(bits_odd(r->nonempty_q) | bits_odd(r->pick_q) << 1 | bits_odd(r->last_q) << 2 |
                   r->hold_q << 3);
}

static uint64_t more_parity(const drain_selector_t *self) {
  uint64_t more = 0;
  for (uint32_t q = 0; q < self->cfg.QUEUES; q++)
    more |= (uint64_t)bits_odd(self->r.more_q[q]) << q;
  return more;
}

static void parity_edge(drain_selector_t *self) {
  self->parity->state = state_parity(&self->r);
  self->parity->more = more_parity(self);
}

static void reset(drain_selector_t *self) {
  memset(&self->r, 0, sizeof self->r);
  memset(self->having, 0, sizeof self->having);
  self->lengths = 0;
  self->r.last_q = (uint8_t)(self->cfg.QUEUES - 1);
  if (self->parity) parity_edge(self);
}

int drain_selector_create(drain_selector_t **self, const drain_selector_cfg_t *cfg,
                          mrpb_err_t *err) {
  *self = NULL;
  if (drain_selector_check(cfg, err)) return -1;
  drain_selector_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "drain_selector: out of memory");
  made->cfg = *cfg;
  if (cfg->PARITY && !(made->parity = module_alloc(sizeof *made->parity))) {
    drain_selector_destroy(made);
    return mrpb_fail(err, "drain_selector: out of memory");
  }
  reset(made);
  *self = made;
  return 0;
}

/* The lowest queue of a non-empty set. */
static inline uint32_t lowest(uint64_t set) {
  return (uint32_t)__builtin_ctzll(set);
}

/* The choice of the non-greedy policy; something must be drainable. */
static inline uint32_t base_choice(const drain_selector_t *self) {
  uint32_t base = self->cfg.POLICY & ~(uint32_t)MRPB_POLICY_GREEDY;
  uint64_t nonempty = self->r.nonempty_q;
  if (base == MRPB_POLICY_ROUND_ROBIN) {
    uint64_t above = nonempty & (~UINT64_C(1) << self->r.last_q);
    return lowest(above ? above : nonempty);
  }
  if (base == MRPB_POLICY_LONGEST) return lowest(self->having[64 - __builtin_clzll(self->lengths)]);
  return lowest(nonempty);
}

static inline uint32_t policy_choice(const drain_selector_t *self) {
  if (!self->r.nonempty_q) return 0;
  return self->r.hold_q ? self->r.last_q : base_choice(self);
}

static inline choice_t choose(const drain_selector_t *self, const drain_selector_in_t *in) {
  choice_t c = {.valid = self->r.nonempty_q != 0, .queue = self->r.pick_q};
  if (in->force_valid_i && in->force_queue_i < self->cfg.QUEUES &&
      (self->r.nonempty_q >> in->force_queue_i & 1)) {
    c.forced = true;
    c.queue = (uint32_t)in->force_queue_i;
  }
  return c;
}

/* The drainable entries of queue q. */
static inline uint32_t count_of(const drain_selector_t *self, uint64_t q) {
  return (uint32_t)(self->r.nonempty_q >> q & 1) + self->r.more_q[q];
}

static inline bool can_add(const drain_selector_t *self, const drain_selector_in_t *in) {
  return in->add_queue_i < self->cfg.QUEUES && count_of(self, in->add_queue_i) < self->cfg.DEPTH;
}

void drain_selector_comb(const drain_selector_t *self, const drain_selector_in_t *in,
                         drain_selector_out_t *out) {
  choice_t c = choose(self, in);
  out->sel_valid_o = c.valid;
  out->sel_queue_o = c.queue;
  out->pick_o = self->r.pick_q;
  out->forced_o = c.forced;
  out->nonempty_o = self->r.nonempty_q;
  out->add_drop_o = in->add_valid_i && !can_add(self, in);
  out->error_o = 0; /* bits of a C model do not change by themselves */
}

static inline void set_count(drain_selector_t *self, uint64_t q, unsigned count) {
  uint64_t bit = UINT64_C(1) << q;
  unsigned old = count_of(self, q);
  self->r.more_q[q] = (uint8_t)(count ? count - 1 : 0);
  self->r.nonempty_q = count ? self->r.nonempty_q | bit : self->r.nonempty_q & ~bit;
  if (self->cfg.POLICY < MRPB_POLICY_LONGEST) return;
  self->having[old] &= ~bit;
  self->having[count] |= bit;
  if (old && !self->having[old]) self->lengths &= ~(UINT64_C(1) << (old - 1));
  if (count) self->lengths |= UINT64_C(1) << (count - 1);
}

void drain_selector_edge(drain_selector_t *self, const drain_selector_in_t *in) {
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  drain_selector_regs_t *r = &self->r;
  if (!in->add_valid_i && !in->take_i && !r->hold_q) return;
  bool greedy = self->cfg.POLICY & MRPB_POLICY_GREEDY;
  bool add = in->add_valid_i && can_add(self, in);
  choice_t c = choose(self, in);
  bool take = in->take_i && c.valid;
  if (add) set_count(self, in->add_queue_i, count_of(self, in->add_queue_i) + 1);
  if (take) set_count(self, c.queue, r->more_q[c.queue]);
  if (take && !c.forced) {
    if (greedy || self->cfg.POLICY == MRPB_POLICY_ROUND_ROBIN) r->last_q = (uint8_t)c.queue;
    r->hold_q = greedy && (r->nonempty_q >> c.queue & 1);
  } else if (r->hold_q) {
    r->hold_q = r->nonempty_q >> r->last_q & 1;
  }
  r->pick_q = (uint8_t)policy_choice(self);
  if (self->parity) parity_edge(self);
}

const drain_selector_regs_t *drain_selector_regs(const drain_selector_t *self) {
  return &self->r;
}

void drain_selector_destroy(drain_selector_t *self) {
  if (self) free(self->parity);
  free(self);
}

static void drain_selector_copy(drain_selector_t *to, const drain_selector_t *from) {
  parity_t *const own = to->parity;
  *to = *from;
  to->parity = own;
  if (own) *own = *from->parity;
}

#define STEM drain_selector
#define COMPOSITE
#define PORTS_FILE "ports/drain_selector.ports.h"
#include "ports/define.h"
