/* SPDX-License-Identifier: Apache-2.0 */
#include "lane_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 512, LIVE_WORDS = MAX_ENTRIES / 32 };

/* PARITY: the bit of live_q, and for each entry a bit for each lane. */
typedef struct {
  uint8_t live;
  uint32_t lane[MAX_ENTRIES];
} parity_t;

struct lane_table {
  lane_table_cfg_t cfg;
  uint32_t number_w; /* bits of a number */
  uint32_t stride;   /* words of number_q for each entry */
  parity_t *parity;  /* NULL without PARITY */
  lane_table_regs_t r;
};

int lane_table_create(lane_table_t **self, const lane_table_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (lane_table_check(cfg, err)) return -1;
  lane_table_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "lane_table: out of memory");
  made->cfg = *cfg;
  made->number_w = bits_index_w(cfg->LANES);
  made->stride = (cfg->LANES * made->number_w + 31) / 32;
  if (cfg->PARITY && !(made->parity = module_alloc(sizeof *made->parity))) {
    lane_table_destroy(made);
    return mrpb_fail(err, "lane_table: out of memory");
  }
  *self = made;
  return 0;
}

static inline bool is_live(const lane_table_t *self, uint64_t e) {
  return e < self->cfg.ENTRIES && (self->r.live_q[e / 32] >> e % 32 & 1);
}

/* The number of lane l of a word; it may begin in one uint32_t and end in the next. */
static inline uint32_t number_of(const lane_table_t *self, uint64_t e, uint32_t l) {
  const uint32_t *word = &self->r.number_q[e * self->stride];
  const uint32_t at = l * self->number_w, shift = at % 32;
  uint32_t number = word[at / 32] >> shift;
  if (shift + self->number_w > 32) number |= word[at / 32 + 1] << (32 - shift);
  return number & (uint32_t)bits_mask(self->number_w);
}

static inline void put_number(lane_table_t *self, uint64_t e, uint32_t l, uint32_t number) {
  uint32_t *word = &self->r.number_q[e * self->stride];
  const uint32_t at = l * self->number_w, shift = at % 32;
  const uint32_t mask = (uint32_t)bits_mask(self->number_w);
  word[at / 32] = (word[at / 32] & ~(mask << shift)) | number << shift;
  if (shift + self->number_w <= 32) return;
  word[at / 32 + 1] = (word[at / 32 + 1] & ~(mask >> (32 - shift))) | number >> (32 - shift);
}

void lane_table_comb(const lane_table_t *self, const lane_table_in_t *in, lane_table_out_t *out) {
  const uint64_t e = in->read_entry_i;
  const bool read = in->read_valid_i && is_live(self, e);
  uint32_t lanes = 0;
  if (read)
    for (uint32_t l = 0; l < self->cfg.LANES; l++)
      lanes |= (uint32_t)(number_of(self, e, l) == in->read_number_i) << l;
  out->read_lanes_o = read ? lanes & self->r.has_q[e] : 0;
  out->error_o = 0; /* bits of a C model do not change by themselves */
}

/* The parity of each lane of a word, its bit of has_q included. */
static uint32_t word_parity(const lane_table_t *self, uint64_t e) {
  uint32_t odd = self->r.has_q[e];
  for (uint32_t l = 0; l < self->cfg.LANES; l++)
    odd ^= (uint32_t)bits_odd(number_of(self, e, l)) << l;
  return odd;
}

/* The bits of the word that was written, and of live_q. */
static void parity_edge(lane_table_t *self, uint64_t e) {
  self->parity->live = bits_odd_words(self->r.live_q, LIVE_WORDS);
  self->parity->lane[e] = word_parity(self, e);
}

void lane_table_edge(lane_table_t *self, const lane_table_in_t *in) {
  lane_table_regs_t *r = &self->r;
  const uint64_t e = in->write_entry_i;
  if (!in->srst_ni) {
    memset(r->live_q, 0, sizeof r->live_q);
    if (self->parity) self->parity->live = 0;
    return;
  }
  if (!in->write_valid_i || e >= self->cfg.ENTRIES) return;
  const bool begins = in->write_first_i || !is_live(self, e);
  for (uint32_t l = 0; l < self->cfg.LANES; l++) {
    const bool named = in->write_lanes_i >> l & 1;
    if (!named && !begins) continue;
    put_number(self, e, l, named ? (uint32_t)in->write_number_i : 0);
  }
  r->has_q[e] = (uint32_t)in->write_lanes_i | (begins ? 0 : r->has_q[e]);
  r->live_q[e / 32] |= UINT32_C(1) << e % 32;
  if (self->parity) parity_edge(self, e);
}

const lane_table_regs_t *lane_table_regs(const lane_table_t *self) {
  return &self->r;
}

void lane_table_destroy(lane_table_t *self) {
  if (self) free(self->parity);
  free(self);
}

static void lane_table_copy(lane_table_t *to, const lane_table_t *from) {
  parity_t *const own = to->parity;
  *to = *from;
  to->parity = own;
  if (own) *own = *from->parity;
}

#define STEM lane_table
#define COMPOSITE
#define PORTS_FILE "ports/lane_table.ports.h"
#include "ports/define.h"
