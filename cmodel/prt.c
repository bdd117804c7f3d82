/* SPDX-License-Identifier: Apache-2.0 */
#include "prt.h"

#include "lane_check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 8 };

/* PARITY: a bit for each register that is written in every cycle, and for each word. */
typedef struct {
  uint8_t state;
  uint32_t left[512 / 32], pend[512 / 32], tag[512 / 32];
} parity_t;

struct prt {
  prt_cfg_t cfg;
  uint32_t stride;     /* words of offset_q per entry */
  uint16_t count_mask; /* of the width of count_q */
  uint8_t lane_mask;   /* of the width of left_q and pend_q */
  prt_regs_t r;
  lane_check_t *u_lane_check;  /* NULL without CHECK */
  parity_t *parity;            /* NULL without PARITY */
  uint64_t spread[1 << GROUP]; /* mask of 8 lanes -> mask of the bits of their offsets */
};

/* The answers to a cycle's inputs, used by both the outputs and the edge. */
typedef struct {
  bool reply, last, release, alloc_ready, alloc, issue;
  uint64_t released, alloc_entry; /* `released` is valid only with release */
} cycle_t;

static void reset(prt_t *self) {
  memset(self->r.valid_q, 0, sizeof self->r.valid_q);
  memset(self->r.done_q, 0, sizeof self->r.done_q);
  self->r.count_q = 0;
  self->r.full_q = 0;
  self->r.next_q = 0;
  self->r.head_q = 0;
  if (self->parity) self->parity->state = 0;
}

int prt_create(prt_t **self, const prt_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (prt_check(cfg, err)) return -1;
  const lane_check_cfg_t check = {.ENTRIES = cfg->ENTRIES, .LANES = cfg->LANES};
  prt_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "prt: out of memory");
  made->cfg = *cfg;
  if (cfg->CHECK && lane_check_create(&made->u_lane_check, &check, err)) {
    prt_destroy(made);
    return -1;
  }
  if (cfg->PARITY && !(made->parity = module_alloc(sizeof *made->parity))) {
    prt_destroy(made);
    return mrpb_fail(err, "prt: out of memory");
  }
  made->stride = (cfg->LANES * cfg->OFFSET_W + 31) / 32;
  made->count_mask = (uint16_t)bits_mask(bits_count_w(cfg->ENTRIES));
  made->lane_mask = (uint8_t)bits_mask(bits_count_w(cfg->LANES));
  for (unsigned lanes = 0; lanes < 1 << GROUP; lanes++)
    for (unsigned lane = 0; lane < GROUP; lane++)
      if (lanes >> lane & 1)
        made->spread[lanes] |= bits_mask(cfg->OFFSET_W) << lane * cfg->OFFSET_W;
  reset(made);
  *self = made;
  return 0;
}

static inline uint64_t lanes(uint64_t mask) {
  return (uint64_t)__builtin_popcountll(mask);
}

static inline uint16_t around(const prt_t *self, uint32_t e) {
  return (uint16_t)(e + 1 >= self->cfg.ENTRIES ? 0 : e + 1);
}

/* The cycle as the checker sees it, once it is known what is allocated. */
static inline lane_check_in_t lane_inputs(const prt_in_t *in, const cycle_t *c) {
  return (lane_check_in_t){.srst_ni = in->srst_ni,
                           .alloc_valid_i = c->alloc,
                           .alloc_entry_i = c->alloc_entry,
                           .alloc_mask_i = in->alloc_mask_i,
                           .issue_valid_i = in->issue_valid_i,
                           .issue_entry_i = in->issue_entry_i,
                           .issue_mask_i = in->issue_mask_i,
                           .reply_valid_i = in->reply_valid_i,
                           .reply_entry_i = in->reply_entry_i,
                           .reply_mask_i = in->reply_mask_i};
}

static inline lane_check_out_t rules(const prt_t *self, const prt_in_t *in, const cycle_t *c) {
  lane_check_out_t ok = {1, 1};
  if (!self->u_lane_check) return ok;
  const lane_check_in_t look = lane_inputs(in, c);
  lane_check_comb(self->u_lane_check, &look, &ok);
  return ok;
}

static inline void decide_reply(const prt_t *self, const prt_in_t *in, cycle_t *c) {
  const prt_regs_t *r = &self->r;
  const uint64_t e = in->reply_entry_i;
  c->reply = in->reply_valid_i && e < self->cfg.ENTRIES && flag_get(r->valid_q, e) &&
             !flag_get(r->done_q, e) && rules(self, in, c).reply_ok_o;
  c->last = c->reply && flag_get(r->last_q, e);
  c->released = self->cfg.ORDER ? r->head_q : e;
  c->release =
      (c->last && e == c->released) || (self->cfg.ORDER && flag_get(r->done_q, c->released));
}

static inline cycle_t decide(const prt_t *self, const prt_in_t *in) {
  const prt_regs_t *r = &self->r;
  cycle_t c = {0};
  decide_reply(self, in, &c);
  c.alloc_ready = in->alloc_mask_i != 0 && (!r->full_q || c.release);
  c.alloc_entry = r->full_q && !self->cfg.ORDER ? in->reply_entry_i : r->next_q;
  c.alloc = in->alloc_valid_i && c.alloc_ready;
  c.issue =
      in->issue_valid_i && in->issue_entry_i < self->cfg.ENTRIES && rules(self, in, &c).issue_ok_o;
  return c;
}

/* Writes the stored offsets of the lanes in `mask`, and zeros elsewhere. Eight lanes take OFFSET_W
 * whole bytes, so their masks can be joined without looking at single lanes. */
static inline void pick_offsets(const prt_t *self, uint64_t e, uint64_t mask, uint64_t *out) {
  const uint32_t *stored = &self->r.offset_q[e * self->stride];
  for (uint32_t at = 0; mask; mask >>= GROUP, at += GROUP * self->cfg.OFFSET_W) {
    uint64_t want = self->spread[mask & 255];
    uint32_t word = at / 64, shift = at % 64;
    out[word] |= want << shift;
    if (shift && want >> (64 - shift)) out[word + 1] |= want >> (64 - shift);
  }
  for (uint32_t i = 0; i < self->stride; i++) {
    uint64_t half = (uint64_t)stored[i] << i % 2 * 32;
    out[i / 2] &= i % 2 ? half | UINT32_MAX : half | ~(uint64_t)UINT32_MAX;
  }
}

static inline cycle_t control_outputs(const prt_t *self, const prt_in_t *in, prt_out_t *out) {
  const cycle_t c = decide(self, in);
  out->alloc_ready_o = c.alloc_ready;
  out->alloc_entry_o = c.alloc_entry;
  out->issue_ok_o = c.issue;
  out->reply_ok_o = c.reply;
  out->reply_tag_o = c.reply ? self->r.tag_q[in->reply_entry_i] : 0;
  out->last_o = c.last;
  out->release_o = c.release;
  out->count_o = self->r.count_q;
  out->error_o = self->parity && c.issue && !flag_get(self->r.valid_q, in->issue_entry_i) &&
                 !(c.alloc && in->issue_entry_i == c.alloc_entry);
  return c;
}

void prt_control(const prt_t *self, const prt_in_t *in, prt_out_t *out) {
  (void)control_outputs(self, in, out);
}

void prt_comb(const prt_t *self, const prt_in_t *in, prt_out_t *out) {
  cycle_t c = control_outputs(self, in, out);
  memset(out->reply_offset_o, 0, sizeof out->reply_offset_o);
  if (c.reply) pick_offsets(self, in->reply_entry_i, in->reply_mask_i, out->reply_offset_o);
}

/* The lowest entry that is free at the start of the cycle, other than next_q, or ENTRIES. */
static inline uint32_t other_free(const prt_t *self) {
  const uint32_t entries = self->cfg.ENTRIES, next = self->r.next_q;
  for (uint32_t w = 0; w * 32 < entries; w++) {
    uint32_t free = ~self->r.valid_q[w];
    if (next / 32 == w) free &= ~(UINT32_C(1) << next % 32);
    if (!free) continue;
    const uint32_t e = w * 32 + (uint32_t)__builtin_ctz(free);
    return e < entries ? e : entries;
  }
  return entries;
}

/* What next_q becomes. */
static inline uint16_t next_edge(const prt_t *self, const prt_in_t *in, const cycle_t *c) {
  const prt_regs_t *r = &self->r;
  if (self->cfg.ORDER) return c->alloc ? around(self, r->next_q) : r->next_q;
  if (!r->full_q) {
    if (!c->alloc) return r->next_q;
    const uint32_t other = other_free(self);
    if (other < self->cfg.ENTRIES) return (uint16_t)other;
  }
  return (uint16_t)in->reply_entry_i;
}

/* What full_q becomes. */
static inline bool full_edge(const prt_t *self, const cycle_t *c) {
  const prt_regs_t *r = &self->r;
  if (r->full_q) return c->alloc || !c->release;
  if (!c->alloc || c->release) return false;
  return self->cfg.ORDER ? r->count_q == self->cfg.ENTRIES - 1
                         : other_free(self) == self->cfg.ENTRIES;
}

static inline void set_counts(prt_t *self, uint64_t e, uint64_t left, uint64_t pend) {
  prt_regs_t *r = &self->r;
  r->left_q[e] = (uint8_t)(left & self->lane_mask);
  r->pend_q[e] = (uint8_t)(pend & self->lane_mask);
  flag_put(r->last_q, e, r->left_q[e] == 0 && r->pend_q[e] == 1);
}

static inline void release_edge(prt_t *self, const prt_in_t *in, const cycle_t *c) {
  prt_regs_t *r = &self->r;
  if (c->reply) {
    const uint64_t e = in->reply_entry_i;
    set_counts(self, e, r->left_q[e], r->pend_q[e] - UINT64_C(1));
    if (c->last && self->cfg.ORDER) flag_put(r->done_q, e, true);
  }
  if (!c->release) return;
  flag_put(r->valid_q, c->released, false);
  flag_put(r->done_q, c->released, false);
  if (self->cfg.ORDER) r->head_q = around(self, r->head_q);
}

static inline void allocate_edge(prt_t *self, uint64_t a, const prt_in_t *in) {
  prt_regs_t *r = &self->r;
  flag_put(r->valid_q, a, true);
  r->tag_q[a] = in->alloc_tag_i;
  for (uint32_t i = 0; i < self->stride; i++)
    r->offset_q[a * self->stride + i] = (uint32_t)(in->alloc_offset_i[i / 2] >> i % 2 * 32);
  set_counts(self, a, lanes(in->alloc_mask_i), 0);
}

static inline void issue_edge(prt_t *self, const prt_in_t *in, const cycle_t *c) {
  const prt_regs_t *r = &self->r;
  const uint64_t i = in->issue_entry_i, n = in->issue_mask_i;
  const bool fresh = c->alloc && i == c->alloc_entry;
  const uint64_t left = fresh ? lanes(in->alloc_mask_i & ~n) : r->left_q[i] - lanes(n);
  set_counts(self, i, left, r->pend_q[i] + UINT64_C(1));
}

static uint8_t state_parity(const prt_t *self) {
  const prt_regs_t *r = &self->r;
  const uint32_t n = (self->cfg.ENTRIES + 31) / 32;
  return (uint8_t)(bits_odd_words(r->valid_q, n) | bits_odd_words(r->done_q, n) << 1 |
                   bits_odd(r->count_q) << 2 | r->full_q << 3 | bits_odd(r->next_q) << 4 |
                   bits_odd(r->head_q) << 5);
}

static bool tag_parity(const prt_t *self, uint64_t e) {
  const uint32_t *offset = &self->r.offset_q[e * self->stride];
  return bits_odd(self->r.tag_q[e]) ^ bits_odd_words(offset, self->stride);
}

/* The bits of what the cycle has written: counts by all three events, the rest by an allocation. */
static void parity_edge(prt_t *self, const prt_in_t *in, const cycle_t *c) {
  const prt_regs_t *r = &self->r;
  parity_t *p = self->parity;
  const bool counted[] = {c->reply, c->issue, c->alloc};
  const uint64_t entry[] = {in->reply_entry_i, in->issue_entry_i, c->alloc_entry};
  for (int i = 0; i < 3; i++) {
    if (!counted[i]) continue;
    flag_put(p->pend, entry[i], bits_odd(r->pend_q[entry[i]]) ^ flag_get(r->last_q, entry[i]));
    if (i > 0) flag_put(p->left, entry[i], bits_odd(r->left_q[entry[i]]));
  }
  if (c->alloc) flag_put(p->tag, c->alloc_entry, tag_parity(self, c->alloc_entry));
  p->state = state_parity(self);
}

void prt_edge(prt_t *self, const prt_in_t *in) {
  const cycle_t c = decide(self, in);
  if (self->u_lane_check) {
    const lane_check_in_t look = lane_inputs(in, &c);
    lane_check_edge(self->u_lane_check, &look);
  }
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  prt_regs_t *r = &self->r;
  const uint16_t next = next_edge(self, in, &c);
  const bool full = full_edge(self, &c);
  release_edge(self, in, &c);
  if (c.alloc) allocate_edge(self, c.alloc_entry, in);
  if (c.issue) issue_edge(self, in, &c);
  r->count_q = (uint16_t)((r->count_q + c.alloc - c.release) & self->count_mask);
  r->full_q = full;
  r->next_q = next;
  if (self->parity) parity_edge(self, in, &c);
}

const prt_regs_t *prt_regs(const prt_t *self) {
  return &self->r;
}

void prt_destroy(prt_t *self) {
  if (!self) return;
  lane_check_destroy(self->u_lane_check);
  free(self->parity);
  free(self);
}

static void prt_copy(prt_t *to, const prt_t *from) {
  lane_check_t *const own = to->u_lane_check;
  parity_t *const bits = to->parity;
  *to = *from;
  to->u_lane_check = own;
  if (own) lane_check_class.copy(own, from->u_lane_check);
  to->parity = bits;
  if (bits) *bits = *from->parity;
}

static void fast_control(const void *self, const uint64_t *in, uint64_t *out) {
  prt_control(self, (const prt_in_t *)(const void *)in, (prt_out_t *)(void *)out);
}

static const module_fast_t fast[] = {
    {.name = "prt_control",
     .view = fast_control,
     .outputs = "alloc_ready_o alloc_entry_o issue_ok_o reply_ok_o reply_tag_o last_o release_o "
                "count_o error_o"},
};

#define STEM prt
#define COMPOSITE
#define FAST fast
#define PORTS_FILE "ports/prt.ports.h"
#include "ports/define.h"
