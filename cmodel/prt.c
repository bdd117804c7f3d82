/* SPDX-License-Identifier: Apache-2.0 */
#include "prt.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 512, OFFSET_WORDS = 4, GROUP = 8, NONE = MAX_ENTRIES };

struct prt {
  prt_cfg_t cfg;
  uint32_t stride;                 /* words of offset_q per entry */
  uint16_t count_mask, pend_mask;  /* masks of the widths of count_q and pend_q */
  uint64_t free[MAX_ENTRIES / 64]; /* bit e: entry e exists and is free; follows from valid_q */
  prt_regs_t r;
  uint64_t spread[1 << GROUP]; /* mask of 8 lanes -> mask of the bits of their offsets */
};

/* The answers to a cycle's inputs, used by both the outputs and the edge. */
typedef struct {
  bool reply, last, release, alloc_ready, alloc, issue;
  uint32_t released, alloc_entry; /* valid only with release and alloc_ready, respectively */
} cycle_t;

static void reset(prt_t *self) {
  memset(self->r.valid_q, 0, sizeof self->r.valid_q);
  self->r.count_q = 0;
  self->r.head_q = 0;
  memset(self->free, 0, sizeof self->free);
  for (uint32_t e = 0; e < self->cfg.ENTRIES; e++) self->free[e / 64] |= UINT64_C(1) << e % 64;
}

int prt_create(prt_t **self, const prt_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (prt_check(cfg, err)) return -1;
  prt_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "prt: out of memory");
  made->cfg = *cfg;
  made->stride = (cfg->LANES * cfg->OFFSET_W + 31) / 32;
  made->count_mask = (uint16_t)bits_mask(bits_count_w(cfg->ENTRIES));
  made->pend_mask = (uint16_t)bits_mask(bits_count_w(cfg->LANES));
  for (unsigned lanes = 0; lanes < 1 << GROUP; lanes++)
    for (unsigned lane = 0; lane < GROUP; lane++)
      if (lanes >> lane & 1)
        made->spread[lanes] |= bits_mask(cfg->OFFSET_W) << lane * cfg->OFFSET_W;
  reset(made);
  *self = made;
  return 0;
}

static inline bool is_valid(const prt_t *self, uint64_t e) {
  return self->r.valid_q[e / 32] >> e % 32 & 1;
}

/* The lowest free entry, or NONE. */
static inline uint32_t lowest_free(const prt_t *self) {
  for (uint32_t i = 0; i * 64 < self->cfg.ENTRIES; i++)
    if (self->free[i]) return i * 64 + (uint32_t)__builtin_ctzll(self->free[i]);
  return NONE;
}

static inline uint32_t around(const prt_t *self, uint32_t e) {
  return e >= self->cfg.ENTRIES ? e - self->cfg.ENTRIES : e;
}

static inline bool is_done(const prt_t *self, uint32_t e) {
  return is_valid(self, e) && self->r.todo_q[e] == 0 && self->r.pend_q[e] == 0;
}

static inline void decide_reply(const prt_t *self, const prt_in_t *in, cycle_t *c) {
  const prt_regs_t *r = &self->r;
  uint64_t e = in->reply_entry_i, m = in->reply_mask_i;
  c->reply = in->reply_valid_i && e < self->cfg.ENTRIES && is_valid(self, e) && m != 0 &&
             (m & ~(uint64_t)r->wait_q[e]) == 0 && r->pend_q[e] > 0 &&
             (r->pend_q[e] == 1) == (m == r->wait_q[e]);
  c->last = c->reply && r->pend_q[e] == 1 && r->todo_q[e] == 0;
  c->released = self->cfg.ORDER ? r->head_q : (uint32_t)e;
  c->release = (c->last && e == c->released) || (self->cfg.ORDER && is_done(self, c->released));
}

/* The entry that the next allocation takes, after this cycle's release, or NONE. */
static inline uint32_t next_entry(const prt_t *self, const cycle_t *c) {
  const prt_regs_t *r = &self->r;
  if (self->cfg.ORDER)
    return r->count_q < self->cfg.ENTRIES + c->release
               ? around(self, (uint32_t)r->head_q + r->count_q)
               : NONE;
  uint32_t a = lowest_free(self);
  return c->release && c->released < a ? c->released : a;
}

static inline void decide(const prt_t *self, const prt_in_t *in, cycle_t *c) {
  const prt_regs_t *r = &self->r;
  decide_reply(self, in, c);

  uint32_t a = in->alloc_mask_i != 0 ? next_entry(self, c) : NONE;
  c->alloc_ready = a != NONE;
  c->alloc_entry = c->alloc_ready ? a : 0;
  c->alloc = c->alloc_ready && in->alloc_valid_i;

  uint64_t i = in->issue_entry_i, n = in->issue_mask_i, todo = 0;
  if (c->alloc && i == a)
    todo = in->alloc_mask_i;
  else if (i < self->cfg.ENTRIES && is_valid(self, i))
    todo = r->todo_q[i]; /* 0 if this cycle releases the entry */
  c->issue = in->issue_valid_i && n != 0 && (n & ~todo) == 0;
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
  cycle_t c;
  decide(self, in, &c);
  out->alloc_ready_o = c.alloc_ready;
  out->alloc_entry_o = c.alloc_entry;
  out->issue_ok_o = c.issue;
  out->reply_ok_o = c.reply;
  out->reply_tag_o = c.reply ? self->r.tag_q[in->reply_entry_i] : 0;
  out->last_o = c.last;
  out->release_o = c.release;
  out->count_o = self->r.count_q;
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

static inline void allocate_edge(prt_t *self, uint32_t a, const prt_in_t *in) {
  prt_regs_t *r = &self->r;
  r->valid_q[a / 32] |= UINT32_C(1) << a % 32;
  r->tag_q[a] = in->alloc_tag_i;
  for (uint32_t i = 0; i < self->stride; i++)
    r->offset_q[a * self->stride + i] = (uint32_t)(in->alloc_offset_i[i / 2] >> i % 2 * 32);
  r->todo_q[a] = (uint32_t)in->alloc_mask_i;
  r->wait_q[a] = 0;
  r->pend_q[a] = 0;
  self->free[a / 64] &= ~(UINT64_C(1) << a % 64);
}

static inline void release_edge(prt_t *self, uint32_t e) {
  prt_regs_t *r = &self->r;
  r->valid_q[e / 32] &= ~(UINT32_C(1) << e % 32);
  self->free[e / 64] |= UINT64_C(1) << e % 64;
  if (self->cfg.ORDER) r->head_q = (uint16_t)around(self, e + 1);
}

void prt_edge(prt_t *self, const prt_in_t *in) {
  if (!in->rst_ni) {
    reset(self);
    return;
  }
  prt_regs_t *r = &self->r;
  cycle_t c;
  decide(self, in, &c);
  if (c.reply) {
    uint64_t e = in->reply_entry_i;
    r->wait_q[e] &= ~(uint32_t)in->reply_mask_i;
    r->pend_q[e]--;
  }
  if (c.release) release_edge(self, c.released);
  if (c.alloc) allocate_edge(self, c.alloc_entry, in);
  r->count_q = (uint16_t)((r->count_q + c.alloc - c.release) & self->count_mask);
  if (c.issue) {
    uint64_t i = in->issue_entry_i;
    r->todo_q[i] &= ~(uint32_t)in->issue_mask_i;
    r->wait_q[i] |= (uint32_t)in->issue_mask_i;
    r->pend_q[i] = (uint8_t)((r->pend_q[i] + 1) & self->pend_mask);
  }
}

const prt_regs_t *prt_regs(const prt_t *self) {
  return &self->r;
}

void prt_destroy(prt_t *self) {
  free(self);
}

static void fast_control(const void *self, const uint64_t *in, uint64_t *out) {
  prt_control(self, (const prt_in_t *)(const void *)in, (prt_out_t *)(void *)out);
}

static const module_fast_t fast[] = {
    {.name = "prt_control",
     .view = fast_control,
     .outputs = "alloc_ready_o alloc_entry_o issue_ok_o reply_ok_o reply_tag_o last_o release_o "
                "count_o"},
};

#define STEM prt
#define FAST fast
#define PORTS_FILE "ports/prt.ports.h"
#include "ports/define.h"
