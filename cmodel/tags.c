/* SPDX-License-Identifier: Apache-2.0 */
#include "tags.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LRU, FIFO, FERMI, FERMI_WAY = 1, MAX_SETS = 64, MAX_WAYS = 8, ROW_WORDS = 17 };

/* PARITY: of each set, of each stage, and a bit for each way of the rows. */
typedef struct {
  uint8_t flow, d, a, last, read;
  uint8_t tag[MAX_SETS];
  uint64_t set; /* bit s: of set s */
} parity_t;

struct tags {
  tags_cfg_t cfg;
  unsigned shift, tag_w,
      way_w;          /* bits of an address left out of a tag; of a tag; of a way in a row */
  uint32_t row_words; /* 32-bit words of a row */
  uint32_t ways;      /* a bit for each way */
  parity_t *parity;   /* NULL without PARITY */
  tags_regs_t r;
};

/* What is decided on the request in stage A. */
typedef struct {
  bool hit, pending, full;
  bool touch, evict, reserve;
  uint32_t set, way; /* the line's, or the victim's; way 0 if full */
} decision_t;

static void reset(tags_t *self) {
  tags_regs_t *r = &self->r;
  memset(r->valid_q, 0, sizeof r->valid_q);
  memset(r->reserved_q, 0, sizeof r->reserved_q);
  memset(r->order_q, 0, sizeof r->order_q);
  memset(r->turn_q, 0, sizeof r->turn_q);
  memset(r->other_q, 0, sizeof r->other_q);
  r->d_valid_q = r->a_valid_q = r->last_valid_q = 0;
  if (!self->parity) return;
  self->parity->flow = 0;
  self->parity->set = 0;
}

int tags_create(tags_t **self, const tags_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (tags_check(cfg, err)) return -1;
  tags_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "tags: out of memory");
  made->cfg = *cfg;
  if (cfg->PARITY && !(made->parity = module_alloc(sizeof *made->parity))) {
    tags_destroy(made);
    return mrpb_fail(err, "tags: out of memory");
  }
  made->shift = cfg->SETS & (cfg->SETS - 1) ? 0 : bits_clog2(cfg->SETS);
  made->tag_w = cfg->ADDR_W > made->shift ? cfg->ADDR_W - made->shift : 1;
  made->way_w = cfg->SECTORS + made->tag_w;
  made->row_words = (cfg->WAYS * made->way_w + 31) / 32;
  made->ways = (uint32_t)bits_mask(cfg->WAYS);
  reset(made);
  *self = made;
  return 0;
}

/* ---- Sets, tags, rows --------------------------------------------------------- */

static inline uint32_t set_of(const tags_t *self, uint64_t line) {
  const uint32_t sets = self->cfg.SETS;
  if (self->cfg.HASH) {
    const uint64_t upper = (line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4;
    line = ((line ^ upper) & 31) | (sets > 32 ? line & 32 : 0);
  }
  return (uint32_t)(line % sets);
}

/* `width` bits from bit `lsb` of a row on. */
static inline uint64_t row_get(const uint32_t *row, unsigned lsb, unsigned width) {
  uint64_t v = 0;
  for (unsigned done = 0; done < width;) {
    const unsigned at = (lsb + done) % 32, n = width - done < 32 - at ? width - done : 32 - at;
    v |= bits(row[(lsb + done) / 32] >> at, n) << done;
    done += n;
  }
  return v;
}

static inline void row_put(uint32_t *row, unsigned lsb, unsigned width, uint64_t value) {
  for (unsigned done = 0; done < width;) {
    const unsigned at = (lsb + done) % 32, n = width - done < 32 - at ? width - done : 32 - at;
    uint32_t *word = &row[(lsb + done) / 32];
    const uint32_t mask = (uint32_t)bits_mask(n) << at;
    *word = (*word & ~mask) | ((uint32_t)bits(value >> done, n) << at);
    done += n;
  }
}

static inline uint64_t row_tag(const tags_t *self, const uint32_t *row, uint32_t way) {
  return row_get(row, way * self->way_w, self->tag_w);
}

static inline uint64_t row_sectors(const tags_t *self, const uint32_t *row, uint32_t way) {
  return row_get(row, way * self->way_w + self->tag_w, self->cfg.SECTORS);
}

/* ---- Replacement --------------------------------------------------------------- */

/* Way `i` is newer than `j`, a higher one. */
static inline bool newer(uint32_t order, uint32_t i, uint32_t j) {
  return order >> (j * (j - 1) / 2 + i) & 1;
}

/* The order once way `w` has been made the newest. */
static inline uint32_t newest(uint32_t order, uint32_t w, uint32_t ways) {
  for (uint32_t i = 0; i < ways; i++) {
    if (i < w) order &= ~(UINT32_C(1) << (w * (w - 1) / 2 + i));
    if (i > w) order |= UINT32_C(1) << (i * (i - 1) / 2 + w);
  }
  return order;
}

/* The lowest valid way that is newer than no higher valid one: a way below the oldest is newer. */
static inline uint32_t oldest(uint32_t order, uint32_t valid, uint32_t ways) {
  for (uint32_t w = 0; w < ways; w++) {
    bool old = valid >> w & 1;
    for (uint32_t o = w + 1; o < ways; o++)
      if (valid >> o & 1) old = old && !newer(order, w, o);
    if (old) return w;
  }
  return 0;
}

static inline uint32_t fermi(uint32_t valid, bool others, uint32_t from, uint32_t ways) {
  if (ways <= FERMI_WAY) return 0;
  if ((valid >> FERMI_WAY & 1) && !others) return FERMI_WAY;
  for (uint32_t n = 0, w = from; n < ways; n++, w = w + 1 < ways ? w + 1 : 0)
    if (w != FERMI_WAY && (valid >> w & 1)) return w;
  return FERMI_WAY;
}

/* Not of a set whose ways are all reserved. */
static inline uint32_t victim(const tags_t *self, uint32_t set) {
  const tags_regs_t *r = &self->r;
  const uint32_t ways = self->cfg.WAYS, valid = r->valid_q[set];
  const uint32_t invalid = self->ways & ~(valid | r->reserved_q[set]);
  for (uint32_t w = ways; w-- > 0;)
    if (invalid >> w & 1) return w;
  if (self->cfg.REPLACEMENT == FERMI) return fermi(valid, r->turn_q[set], r->other_q[set], ways);
  return oldest(r->order_q[set], valid, ways);
}

/* ---- A cycle -------------------------------------------------------------------- */

static inline uint32_t first_way(uint32_t ways) {
  for (uint32_t w = 0; w < MAX_WAYS; w++)
    if (ways >> w & 1) return w;
  return 0;
}

static inline decision_t decide(const tags_t *self, const tags_in_t *in) {
  const tags_regs_t *r = &self->r;
  decision_t d = {0};
  if (!r->a_valid_q) return d;
  d.set = set_of(self, r->a_line_q);
  const uint32_t valid = r->a_match_q & r->valid_q[d.set];
  const uint32_t reserved = r->a_match_q & r->reserved_q[d.set];
  d.hit = valid != 0;
  d.pending = reserved != 0;
  d.full = !d.hit && !d.pending && r->reserved_q[d.set] == self->ways;
  if (d.hit || d.pending)
    d.way = first_way(valid | reserved);
  else if (!d.full)
    d.way = victim(self, d.set);
  d.touch = in->touch_i && d.hit;
  d.evict = in->evict_i && d.hit;
  d.reserve = in->reserve_i && !d.pending && !d.full;
  return d;
}

void tags_comb(const tags_t *self, const tags_in_t *in, tags_out_t *out) {
  const decision_t d = decide(self, in);
  out->hit_o = d.hit;
  out->pending_o = d.pending;
  out->have_o = d.hit || d.pending ? self->r.a_have_q : 0;
  out->full_o = d.full;
  out->place_o = self->r.a_valid_q && !d.full ? d.set * self->cfg.WAYS + d.way : 0;
  out->error_o = 0; /* bits of a C model do not change by themselves */
}

/* Stage D: what goes on to stage A. */
static inline void compare(tags_t *self, const tags_in_t *in, decision_t d) {
  tags_regs_t *r = &self->r;
  const uint64_t line = r->d_line_q;
  const uint32_t set = set_of(self, line), used = r->valid_q[set] | r->reserved_q[set];
  const uint64_t tag = bits(line >> self->shift, self->tag_w);
  const bool last = r->last_valid_q && set_of(self, r->last_line_q) == set;
  uint32_t match = 0;
  uint64_t have = 0;
  for (uint32_t w = 0; w < self->cfg.WAYS; w++) {
    bool same;
    uint64_t sectors;
    if (d.reserve && d.set == set && d.way == w) {
      same = r->a_line_q == line;
      sectors = in->reserve_sectors_i;
    } else if (!(used >> w & 1)) {
      continue;
    } else if (last && r->last_way_q == w) {
      same = r->last_line_q == line;
      sectors = r->last_sectors_q;
    } else {
      same = row_tag(self, r->read_q, w) == tag;
      sectors = row_sectors(self, r->read_q, w);
    }
    if (!same) continue;
    match |= UINT32_C(1) << w;
    have |= sectors;
  }
  r->a_line_q = line;
  r->a_match_q = (uint8_t)match;
  r->a_have_q = (uint32_t)have;
  if (self->parity) self->parity->a = bits_odd(line) ^ bits_odd(match) ^ bits_odd(have);
}

/* Order and turn after the decision. */
static inline void replacement_edge(tags_t *self, decision_t d) {
  tags_regs_t *r = &self->r;
  const uint32_t ways = self->cfg.WAYS;
  const bool lru = self->cfg.REPLACEMENT == LRU && (d.touch || d.reserve);
  const bool fifo = self->cfg.REPLACEMENT == FIFO && d.reserve && !d.hit;
  if (lru || fifo) r->order_q[d.set] = newest(r->order_q[d.set], d.way, ways);
  if (self->cfg.REPLACEMENT != FERMI || !d.reserve || d.hit) return;
  if (!(r->valid_q[d.set] >> d.way & 1)) return;
  r->turn_q[d.set] ^= 1;
  if (d.way != FERMI_WAY) r->other_q[d.set] = d.way + 1 < ways ? (uint8_t)(d.way + 1) : 0;
}

static inline void states_edge(tags_t *self, const tags_in_t *in, decision_t d) {
  tags_regs_t *r = &self->r;
  const uint8_t bit = (uint8_t)(1u << d.way);
  const uint64_t place = in->fill_place_i, ways = self->cfg.WAYS;
  const uint64_t set = place < self->cfg.SETS * ways ? place / ways : 0;
  const uint8_t filled = (uint8_t)(1u << place % ways);
  const bool fill =
      in->fill_valid_i && place < self->cfg.SETS * ways && (r->reserved_q[set] & filled);
  if (d.evict || d.reserve) r->valid_q[d.set] &= (uint8_t)~bit;
  if (d.reserve) r->reserved_q[d.set] |= bit;
  if (fill) {
    r->reserved_q[set] &= (uint8_t)~filled;
    r->valid_q[set] |= filled;
  }
  if (!in->clear_i) return;
  memset(r->valid_q, 0, sizeof r->valid_q);
  memset(r->reserved_q, 0, sizeof r->reserved_q);
}

/* ---- Parity ---------------------------------------------------------------------- */

static bool set_parity(const tags_regs_t *r, uint32_t s) {
  return bits_odd(r->valid_q[s]) ^ bits_odd(r->reserved_q[s]) ^ bits_odd(r->order_q[s]) ^
         bits_odd(r->turn_q[s]) ^ bits_odd(r->other_q[s]);
}

/* The bits of the registers that any cycle may write; the other bits are written with theirs. */
static void parity_edge(tags_t *self) {
  const tags_regs_t *r = &self->r;
  parity_t *p = self->parity;
  p->flow = r->d_valid_q ^ r->a_valid_q ^ r->last_valid_q;
  p->set = 0;
  for (uint32_t s = 0; s < self->cfg.SETS; s++) p->set |= (uint64_t)set_parity(r, s) << s;
}

/* ---- The edge ---------------------------------------------------------------------- */

static inline void read_edge(tags_t *self, const tags_in_t *in) {
  tags_regs_t *r = &self->r;
  r->d_valid_q = (uint8_t)in->look_valid_i;
  if (!in->look_valid_i) return;
  const uint32_t set = set_of(self, in->look_line_i);
  r->d_line_q = in->look_line_i;
  memcpy(r->read_q, &r->tag_q[set * self->row_words], self->row_words * sizeof r->read_q[0]);
  if (!self->parity) return;
  self->parity->read = self->parity->tag[set];
  self->parity->d = bits_odd(in->look_line_i);
}

static inline void write_edge(tags_t *self, const tags_in_t *in, decision_t d, uint64_t line) {
  tags_regs_t *r = &self->r;
  r->last_valid_q = d.reserve;
  if (!d.reserve) return;
  const uint64_t tag = bits(line >> self->shift, self->tag_w);
  uint32_t *row = &r->tag_q[d.set * self->row_words];
  for (uint32_t w = 0; w < self->cfg.WAYS; w++) { /* the proof wants places that are constants */
    if (w != d.way) continue;
    row_put(row, w * self->way_w, self->tag_w, tag);
    row_put(row, w * self->way_w + self->tag_w, self->cfg.SECTORS, in->reserve_sectors_i);
  }
  r->last_line_q = line;
  r->last_way_q = (uint8_t)d.way;
  r->last_sectors_q = (uint32_t)in->reserve_sectors_i;
  if (!self->parity) return;
  uint8_t *bit = &self->parity->tag[d.set];
  const bool sectors = bits_odd(in->reserve_sectors_i), odd = bits_odd(tag) ^ sectors;
  self->parity->last = bits_odd(line) ^ bits_odd(d.way) ^ sectors;
  *bit = (uint8_t)((*bit & ~(1u << d.way)) | (unsigned)odd << d.way);
}

void tags_edge(tags_t *self, const tags_in_t *in) {
  tags_regs_t *r = &self->r;
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  const decision_t d = decide(self, in);
  const uint64_t line = r->a_line_q;
  /* Stage D sees the states, the order and `last` as they were. */
  if (r->d_valid_q) compare(self, in, d);
  r->a_valid_q = r->d_valid_q;
  replacement_edge(self, d);
  states_edge(self, in, d);
  read_edge(self, in); /* before the write: the old row */
  write_edge(self, in, d, line);
  if (self->parity) parity_edge(self);
}

const tags_regs_t *tags_regs(const tags_t *self) {
  return &self->r;
}

void tags_destroy(tags_t *self) {
  if (self) free(self->parity);
  free(self);
}

static void tags_copy(tags_t *to, const tags_t *from) {
  parity_t *const own = to->parity;
  *to = *from;
  to->parity = own;
  if (own) *own = *from->parity;
}

#define STEM tags
#define COMPOSITE
#define PORTS_FILE "ports/tags.ports.h"
#include "ports/define.h"
