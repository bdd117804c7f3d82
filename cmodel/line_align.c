/* SPDX-License-Identifier: Apache-2.0 */
#include "line_align.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Words of word_q. */
enum { WORD_WORDS = 3 };

/* PARITY: state: bit 0 of out_valid_q, bit 1 of more_q; data: a bit for each lane. */
typedef struct {
  uint8_t state, mask, info, word;
  uint32_t data;
} parity_t;

struct line_align {
  line_align_cfg_t cfg;
  uint32_t half;    /* lanes of the lower half */
  uint32_t word_w;  /* bits of a word's number */
  uint64_t lower;   /* mask of the lower half; PASSES 1: of all lanes */
  parity_t *parity; /* NULL without PARITY */
  line_align_regs_t r;
};

int line_align_create(line_align_t **self, const line_align_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (line_align_check(cfg, err)) return -1;
  line_align_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "line_align: out of memory");
  made->cfg = *cfg;
  made->half = (cfg->LANES + 1) / 2;
  made->word_w = bits_index_w(cfg->WORDS);
  made->lower = bits_mask(cfg->PASSES == 2 ? made->half : cfg->LANES);
  if (cfg->PARITY && !(made->parity = module_alloc(sizeof *made->parity))) {
    line_align_destroy(made);
    return mrpb_fail(err, "line_align: out of memory");
  }
  *self = made;
  return 0;
}

static inline bool ready(const line_align_t *self, const line_align_in_t *in) {
  return !self->r.more_q && (!self->r.out_valid_q || in->out_ready_i);
}

/* The request has lanes in both halves, and they do not go in one pass. */
static inline bool needs_two(const line_align_t *self, const line_align_in_t *in) {
  return (in->in_mask_i & self->lower) != 0 && (in->in_mask_i & ~self->lower) != 0;
}

void line_align_comb(const line_align_t *self, const line_align_in_t *in, line_align_out_t *out) {
  const line_align_regs_t *r = &self->r;
  memset(out, 0, sizeof *out); /* error_o too: bits of a C model do not change by themselves */
  out->in_ready_o = ready(self, in);
  out->line_done_o = r->more_q || (in->in_valid_i && ready(self, in) && !needs_two(self, in));
  out->out_valid_o = r->out_valid_q;
  if (!r->out_valid_q) return;
  for (uint32_t l = 0; l < self->cfg.LANES; l++)
    out->out_data_o[l / 2] |= (uint64_t)r->data_q[l] << l % 2 * 32;
  out->out_mask_o = r->mask_q;
  out->out_info_o = r->info_q;
}

/* `width` bits from bit `at` on; they may end in the next word. */
static inline uint32_t field32(const uint32_t *words, uint32_t at, uint32_t width) {
  uint32_t v = words[at / 32] >> at % 32;
  if (at % 32 + width > 32) v |= words[at / 32 + 1] << (32 - at % 32);
  return (uint32_t)bits(v, width);
}

static inline uint32_t line_word(const line_align_t *self, const line_align_in_t *in, uint32_t k) {
  return k < self->cfg.WORDS ? (uint32_t)(in->in_line_i[k / 2] >> k % 2 * 32) : 0;
}

/* Keeps the words of the upper half, which begin anywhere in in_word_i. */
static inline void keep_words(line_align_t *self, const line_align_in_t *in) {
  const uint32_t w = self->word_w, lanes = self->cfg.LANES;
  memset(self->r.word_q, 0, sizeof self->r.word_q);
  for (uint32_t l = self->half; l < lanes; l++) {
    const uint32_t at = (l - self->half) * w;
    const uint64_t v = words_get(in->in_word_i, l * w, w) << at % 32;
    self->r.word_q[at / 32] |= (uint32_t)v;
    if (at % 32 + w > 32) self->r.word_q[at / 32 + 1] |= (uint32_t)(v >> 32);
  }
}

static inline void first_pass(line_align_t *self, const line_align_in_t *in) {
  line_align_regs_t *r = &self->r;
  const bool two = needs_two(self, in);
  const uint64_t lanes = two ? in->in_mask_i & self->lower : in->in_mask_i;
  for (uint32_t l = 0; l < self->cfg.LANES; l++) {
    const uint32_t k = (uint32_t)words_get(in->in_word_i, l * self->word_w, self->word_w);
    self->r.data_q[l] = lanes >> l & 1 ? line_word(self, in, k) : 0;
  }
  if (two) keep_words(self, in);
  r->mask_q = (uint32_t)in->in_mask_i;
  r->info_q = in->in_info_i;
  r->out_valid_q = !two;
  r->more_q = two;
}

static inline void second_pass(line_align_t *self, const line_align_in_t *in) {
  line_align_regs_t *r = &self->r;
  for (uint32_t l = self->half; l < self->cfg.LANES; l++) {
    const uint32_t k = field32(r->word_q, (l - self->half) * self->word_w, self->word_w);
    r->data_q[l] = r->mask_q >> l & 1 ? line_word(self, in, k) : 0;
  }
  r->out_valid_q = 1;
  r->more_q = 0;
}

/* The parity of each lane of data_q. */
static inline uint32_t data_parity(const line_align_t *self) {
  uint32_t odd = 0;
  for (uint32_t l = 0; l < self->cfg.LANES; l++) odd |= (uint32_t)bits_odd(self->r.data_q[l]) << l;
  return odd;
}

static inline uint8_t state_parity(const line_align_t *self) {
  return (uint8_t)(self->r.out_valid_q | self->r.more_q << 1);
}

/* The bits of what a pass has written. Lanes that a second pass leaves fit theirs before it. */
static inline void parity_edge(line_align_t *self) {
  const line_align_regs_t *r = &self->r;
  parity_t *p = self->parity;
  p->mask = bits_odd(r->mask_q);
  p->info = bits_odd(r->info_q);
  p->data = data_parity(self);
  if (r->more_q) p->word = bits_odd_words(r->word_q, WORD_WORDS);
}

void line_align_edge(line_align_t *self, const line_align_in_t *in) {
  line_align_regs_t *r = &self->r;
  const bool second = in->srst_ni && r->more_q;
  const bool taken = in->srst_ni && in->in_valid_i && ready(self, in);
  if (!in->srst_ni) r->more_q = 0;
  if (!in->srst_ni || in->out_ready_i) r->out_valid_q = 0;
  if (second) second_pass(self, in);
  if (taken) first_pass(self, in);
  if (!self->parity) return;
  if (second || taken) parity_edge(self);
  self->parity->state = state_parity(self);
}

const line_align_regs_t *line_align_regs(const line_align_t *self) {
  return &self->r;
}

void line_align_destroy(line_align_t *self) {
  if (self) free(self->parity);
  free(self);
}

static void line_align_copy(line_align_t *to, const line_align_t *from) {
  parity_t *const own = to->parity;
  *to = *from;
  to->parity = own;
  if (own) *own = *from->parity;
}

#define STEM line_align
#define COMPOSITE
#define PORTS_FILE "ports/line_align.ports.h"
#include "ports/define.h"
