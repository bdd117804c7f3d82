/* SPDX-License-Identifier: Apache-2.0 */
#include "coalescer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LANES = 32, QUARTERS = 4 };

/* PARITY. state: left_q, found_q, out_valid_q; first: split_q, info_q, number_q. */
typedef struct {
  uint8_t state, first, best, out;
  uint32_t lane;
} parity_t;

struct coalescer {
  coalescer_cfg_t cfg;
  uint32_t word_w;  /* bits of a word's number */
  uint32_t part_w;  /* its upper bits in a place */
  uint32_t quarter; /* lanes of a quarter */
  parity_t *parity; /* NULL without PARITY */
  coalescer_regs_t r;
};

/* What leaves the first stage; `lanes` and `sectors` are 0 if nothing does. */
typedef struct {
  bool leaves, last;
  uint32_t lanes, sectors;
  uint64_t line;
} request_t;

int coalescer_create(coalescer_t **self, const coalescer_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (coalescer_check(cfg, err)) return -1;
  coalescer_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "coalescer: out of memory");
  made->cfg = *cfg;
  made->word_w = bits_index_w(cfg->WORDS);
  made->part_w = made->word_w > 1 ? 2 : 1;
  made->quarter = (cfg->LANES + QUARTERS - 1) / QUARTERS;
  if (cfg->PARITY && !(made->parity = module_alloc(sizeof *made->parity))) {
    coalescer_destroy(made);
    return mrpb_fail(err, "coalescer: out of memory");
  }
  *self = made;
  return 0;
}

/* The bits of a word's number that are in a place. */
static inline uint64_t part_mask(const coalescer_t *self) {
  static const uint8_t mask[2][4] = {{0, 1, 1, 1}, {0, 2, 3, 3}}; /* [part_w - 1][split_q] */
  return mask[self->part_w - 1][self->r.split_q];
}

static inline uint64_t place(const coalescer_t *self, uint32_t l, uint64_t mask) {
  const uint64_t part = (uint64_t)self->r.word_q[l] >> (self->word_w - self->part_w);
  return self->r.line_q[l] << self->part_w | (part & mask);
}

static inline uint64_t leading_place(const coalescer_t *self, uint64_t mask) {
  const coalescer_regs_t *r = &self->r;
  if (!self->cfg.ORDER) return place(self, (uint32_t)__builtin_ctz(r->left_q), mask);
  uint64_t best = r->best_q[0];
  for (int k = 1; k < QUARTERS; k++)
    if (r->best_q[k] > best) best = r->best_q[k];
  return best;
}

static request_t decide(const coalescer_t *self, const coalescer_in_t *in) {
  const coalescer_regs_t *r = &self->r;
  request_t q = {0};
  q.leaves =
      r->left_q != 0 && (!r->out_valid_q || in->out_ready_i) && (!self->cfg.ORDER || r->found_q);
  if (!q.leaves) return q;
  const uint64_t mask = part_mask(self), lead = leading_place(self, mask);
  for (uint32_t left = r->left_q; left; left &= left - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(left);
    if (place(self, l, mask) != lead) continue;
    q.lanes |= UINT32_C(1) << l;
    q.sectors |= UINT32_C(1) << ((uint32_t)r->word_q[l] * self->cfg.SECTORS >> self->word_w);
  }
  q.line = lead >> self->part_w;
  q.last = q.lanes == r->left_q;
  return q;
}

void coalescer_comb(const coalescer_t *self, const coalescer_in_t *in, coalescer_out_t *out) {
  const coalescer_regs_t *r = &self->r;
  memset(out, 0, sizeof *out); /* error_o too: bits of a C model do not change by themselves */
  out->in_ready_o = r->left_q == 0 || decide(self, in).last;
  out->idle_o = r->left_q == 0 && !r->out_valid_q;
  if (!r->out_valid_q) return;
  out->out_valid_o = 1;
  out->out_line_o = r->out_line_q;
  out->out_sectors_o = r->out_sectors_q;
  out->out_lanes_o = r->out_lanes_q;
  out->out_number_o = r->out_number_q;
  out->out_first_o = r->out_number_q == 0;
  out->out_last_o = r->out_last_q;
  out->out_info_o = r->out_info_q;
}

static inline void send(coalescer_t *self, const request_t *q) {
  coalescer_regs_t *r = &self->r;
  r->out_valid_q = 1;
  r->out_line_q = q->line;
  r->out_sectors_q = q->sectors;
  r->out_lanes_q = q->lanes;
  r->out_number_q = r->number_q;
  r->out_last_q = q->last;
  r->out_info_q = r->info_q;
  r->left_q &= ~q->lanes;
  r->number_q = (uint8_t)bits(r->number_q + 1u, bits_index_w(self->cfg.LANES));
  r->found_q = 0;
}

/* The highest place that is left in each quarter. */
static inline void search(coalescer_t *self) {
  coalescer_regs_t *r = &self->r;
  const uint64_t mask = part_mask(self);
  memset(r->best_q, 0, sizeof r->best_q);
  for (uint32_t left = r->left_q; left; left &= left - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(left);
    const uint64_t here = place(self, l, mask);
    uint64_t *best = &r->best_q[l / self->quarter];
    if (here > *best) *best = here;
  }
  r->found_q = 1;
}

static inline void take(coalescer_t *self, const coalescer_in_t *in) {
  coalescer_regs_t *r = &self->r;
  const uint32_t a = self->cfg.ADDR_W, w = self->word_w;
  for (uint32_t l = 0; l < self->cfg.LANES; l++) {
    r->line_q[l] = words_get(in->in_line_i, l * a, a);
    r->word_q[l] = (uint8_t)words_get(in->in_word_i, l * w, w);
  }
  r->left_q = (uint32_t)in->in_mask_i;
  r->split_q = (uint8_t)in->in_split_i;
  r->info_q = in->in_info_i;
  r->number_q = 0;
}

static uint8_t out_parity(const coalescer_regs_t *r) {
  return (uint8_t)(bits_odd(r->out_line_q) | bits_odd(r->out_sectors_q) << 1 |
                   bits_odd(r->out_lanes_q) << 2 | bits_odd(r->out_number_q ^ r->out_last_q) << 3 |
                   bits_odd(r->out_info_q) << 4);
}

/* The bits of what the cycle has written. */
static void parity_edge(coalescer_t *self, bool taken, bool searched, bool sent) {
  const coalescer_regs_t *r = &self->r;
  parity_t *p = self->parity;
  p->state = (uint8_t)(bits_odd(r->left_q) | r->found_q << 1 | r->out_valid_q << 2);
  if (taken || sent)
    p->first =
        (uint8_t)(bits_odd(r->split_q) | bits_odd(r->info_q) << 1 | bits_odd(r->number_q) << 2);
  if (taken) {
    p->first = (uint8_t)(bits_odd(r->split_q) | bits_odd(r->info_q) << 1);
    p->lane = 0;
    for (uint32_t l = 0; l < self->cfg.LANES; l++)
      p->lane |= (uint32_t)bits_odd(r->line_q[l] ^ r->word_q[l]) << l;
  }
  if (searched) {
    p->best = 0;
    for (int k = 0; k < QUARTERS; k++) p->best |= (uint8_t)(bits_odd(r->best_q[k]) << k);
  }
  if (sent) p->out = out_parity(r);
}

void coalescer_edge(coalescer_t *self, const coalescer_in_t *in) {
  coalescer_regs_t *r = &self->r;
  bool searched = false, taken = false;
  request_t q = {0};
  if (!in->srst_ni) {
    r->left_q = 0;
    r->found_q = 0;
    r->out_valid_q = 0;
    if (!self->cfg.ORDER) memset(r->best_q, 0, sizeof r->best_q); /* not a register then */
  } else {
    q = decide(self, in);
    searched = self->cfg.ORDER && r->left_q != 0 && !r->found_q;
    taken = in->in_valid_i && (r->left_q == 0 || q.last);
    if (in->out_ready_i) r->out_valid_q = 0;
    if (q.leaves) send(self, &q);
    if (searched) search(self);
    if (taken) take(self, in);
  }
  if (self->parity) parity_edge(self, taken, searched, q.leaves);
}

const coalescer_regs_t *coalescer_regs(const coalescer_t *self) {
  return &self->r;
}

void coalescer_destroy(coalescer_t *self) {
  if (self) free(self->parity);
  free(self);
}

static void coalescer_copy(coalescer_t *to, const coalescer_t *from) {
  parity_t *const own = to->parity;
  *to = *from;
  to->parity = own;
  if (own) *own = *from->parity;
}

#define STEM coalescer
#define COMPOSITE
#define PORTS_FILE "ports/coalescer.ports.h"
#include "ports/define.h"
