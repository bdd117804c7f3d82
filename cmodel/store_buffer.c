/* SPDX-License-Identifier: Apache-2.0 */
#include "store_buffer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 32, MAX_LANES = 32, MAX_STORES = 32 };

/* PARITY: bits 0 to 2 of `state` belong to used_q, count_q and to kept_q with the registers of the
 * second pass; bit l of `lane` to lane l. */
typedef struct {
  uint8_t state;
  uint32_t lane;
  uint8_t word[MAX_STORES * MAX_WORDS];
} parity_t;

struct store_buffer {
  store_buffer_cfg_t cfg;
  uint8_t word_w, half; /* bits of a lane's word, lanes of the lower half */
  parity_t parity;
  store_buffer_regs_t r;
};

/* What a pass brings to each word of a line. */
typedef struct {
  uint32_t data[MAX_WORDS];
  uint8_t bytes[MAX_WORDS];
} gathered_t;

/* The puts and passes of a cycle. */
typedef struct {
  bool ready, put, more; /* more: the put needs a second pass */
  uint8_t entry;         /* of the put */
  uint32_t lanes, upper; /* of the put's first pass, of its second */
} cycle_t;

static uint8_t state_parity(const store_buffer_regs_t *r) {
  const bool pass = r->kept_q ^ r->pass_q ^ bits_odd(r->pass_entry_q) ^ bits_odd(r->pass_lanes_q);
  return (uint8_t)(bits_odd(r->used_q) | bits_odd(r->count_q) << 1 | pass << 2);
}

static void reset(store_buffer_t *self) {
  store_buffer_regs_t *r = &self->r;
  r->used_q = 0;
  r->count_q = r->kept_q = r->pass_q = r->pass_entry_q = 0;
  r->pass_lanes_q = 0;
  self->parity.state = 0;
}

int store_buffer_create(store_buffer_t **self, const store_buffer_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (store_buffer_check(cfg, err)) return -1;
  store_buffer_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "store_buffer: out of memory");
  made->cfg = *cfg;
  made->word_w = (uint8_t)bits_index_w(cfg->WORDS);
  made->half = (uint8_t)((cfg->LANES + 1) / 2);
  reset(made);
  *self = made;
  return 0;
}

static inline cycle_t look(const store_buffer_t *self, const store_buffer_in_t *in) {
  const store_buffer_regs_t *r = &self->r;
  const uint32_t lanes = (uint32_t)in->put_lanes_i, lower = lanes & (uint32_t)bits_mask(self->half);
  cycle_t c = {.lanes = lanes};
  const uint32_t unused = ~r->used_q & (uint32_t)bits_mask(self->cfg.STORES);
  for (uint32_t e = self->cfg.STORES; e-- > 0;)
    if (unused >> e & 1) c.entry = (uint8_t)e;
  c.ready = unused != 0 && !r->pass_q;
  c.put = in->put_valid_i && c.ready;
  c.more = c.put && self->cfg.PASSES == 2 && lower != 0 && lower != lanes;
  if (c.more) {
    c.lanes = lower;
    c.upper = (uint32_t)((uint64_t)lanes >> self->half);
  }
  return c;
}

static void show_beat(const store_buffer_t *self, const store_buffer_in_t *in,
                      store_buffer_out_t *out) {
  const store_buffer_regs_t *r = &self->r;
  const uint32_t words = self->cfg.WORDS, bus = self->cfg.BUS_WORDS;
  const uint64_t e = in->beat_entry_i;
  memset(out->beat_data_o, 0, sizeof out->beat_data_o);
  memset(out->beat_strobe_o, 0, sizeof out->beat_strobe_o);
  if (e >= self->cfg.STORES || !(r->used_q >> e & 1)) return;
  for (uint32_t k = 0; k < bus; k++) {
    const uint64_t w = in->beat_number_i * bus + k;
    if (w >= words) break;
    out->beat_data_o[k / 2] |= (uint64_t)r->data_q[e * words + w] << k % 2 * 32;
    out->beat_strobe_o[k / 16] |= (uint64_t)r->strobe_q[e * words + w] << k % 16 * 4;
  }
}

void store_buffer_comb(const store_buffer_t *self, const store_buffer_in_t *in,
                       store_buffer_out_t *out) {
  const cycle_t c = look(self, in);
  out->lanes_ready_o = !c.more;
  out->put_ready_o = c.ready;
  out->put_entry_o = c.entry;
  show_beat(self, in, out);
  out->empty_o = self->r.count_q == 0;
  out->count_o = self->r.count_q;
  out->error_o = 0; /* bits of a C model do not change by themselves */
}

/* A mask of the bits of some bytes of a word. */
static inline uint32_t byte_bits(uint8_t bytes) {
  return (bytes & 1 ? 0xffu : 0) | (bytes & 2 ? 0xff00u : 0) | (bytes & 4 ? 0xff0000u : 0) |
         (bytes & 8 ? 0xff000000u : 0);
}

/* Lanes `from`, `from` + 1 ... of the mask `lanes`; of two that store a byte the later one wins. */
static void gather(const store_buffer_t *self, uint32_t from, uint32_t lanes, gathered_t *g) {
  const store_buffer_regs_t *r = &self->r;
  memset(g, 0, sizeof *g);
  if (!r->kept_q) return; /* what the lanes powered up with */
  for (uint32_t l = from; l < self->cfg.LANES; l++) {
    const uint8_t w = r->word_q[l] & (MAX_WORDS - 1), bytes = r->bytes_q[l];
    if (!(lanes >> (l - from) & 1) || w >= self->cfg.WORDS) continue;
    g->data[w] = (g->data[w] & ~byte_bits(bytes)) | (r->lane_q[l] & byte_bits(bytes));
    g->bytes[w] |= bytes;
  }
}

/* Writes an entry: all of it, or only the bytes that the pass brings. */
static void write_entry(store_buffer_t *self, uint32_t e, const gathered_t *g, bool all) {
  store_buffer_regs_t *r = &self->r;
  for (uint32_t w = 0; w < self->cfg.WORDS; w++) {
    const uint32_t at = e * self->cfg.WORDS + w, old = r->data_q[at];
    const uint8_t was = r->strobe_q[at];
    const uint32_t kept = all ? 0 : old & ~byte_bits(g->bytes[w]);
    r->data_q[at] = kept | g->data[w];
    r->strobe_q[at] = (uint8_t)((all ? 0 : was) | g->bytes[w]);
    if (self->cfg.PARITY)
      self->parity.word[at] = bits_odd(r->data_q[at]) ^ bits_odd(r->strobe_q[at]);
  }
}

static void pass_edge(store_buffer_t *self, const cycle_t *c) {
  store_buffer_regs_t *r = &self->r;
  gathered_t g;
  if (!c->put && !r->pass_q) return;
  const uint32_t to = r->pass_q ? r->pass_entry_q : c->entry;
  if (r->pass_q)
    gather(self, self->half, r->pass_lanes_q, &g);
  else
    gather(self, 0, c->lanes, &g);
  for (uint32_t e = 0; e < self->cfg.STORES; e++)
    if (e == to) write_entry(self, e, &g, !r->pass_q);
}

static void entries_edge(store_buffer_t *self, const store_buffer_in_t *in, const cycle_t *c) {
  store_buffer_regs_t *r = &self->r;
  const uint64_t f = in->free_entry_i, stores = self->cfg.STORES;
  const bool done = in->free_valid_i && f < stores && (r->used_q >> f & 1);
  if (done) r->used_q &= ~(UINT32_C(1) << f);
  if (c->put) r->used_q |= UINT32_C(1) << c->entry;
  r->count_q = (uint8_t)bits(r->count_q + (uint64_t)c->put - done, bits_count_w(stores));
}

static void keep_edge(store_buffer_t *self, const store_buffer_in_t *in) {
  store_buffer_regs_t *r = &self->r;
  uint32_t parity = 0;
  r->kept_q = 1;
  for (uint32_t l = 0; l < self->cfg.LANES; l++) {
    r->word_q[l] = (uint8_t)(uint32_t)words_get(in->lanes_word_i, l * self->word_w, self->word_w);
    r->lane_q[l] = (uint32_t)words_get(in->lanes_data_i, l * 32, 32);
    r->bytes_q[l] = (uint8_t)(uint32_t)words_get(in->lanes_bytes_i, l * 4, 4);
    parity |= (uint32_t)(bits_odd(r->word_q[l]) ^ bits_odd(r->lane_q[l]) ^ bits_odd(r->bytes_q[l]))
              << l;
  }
  if (self->cfg.PARITY) self->parity.lane = parity;
}

void store_buffer_edge(store_buffer_t *self, const store_buffer_in_t *in) {
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  store_buffer_regs_t *r = &self->r;
  const cycle_t c = look(self, in);
  pass_edge(self, &c); /* of the lanes that were kept before */
  if (in->lanes_valid_i && !c.more) keep_edge(self, in);
  entries_edge(self, in, &c);
  r->pass_q = c.more;
  if (c.more) {
    r->pass_entry_q = c.entry;
    r->pass_lanes_q = c.upper;
  }
  if (self->cfg.PARITY) self->parity.state = state_parity(r);
}

const store_buffer_regs_t *store_buffer_regs(const store_buffer_t *self) {
  return &self->r;
}

void store_buffer_destroy(store_buffer_t *self) {
  free(self);
}

#define STEM store_buffer
#define PORTS_FILE "ports/store_buffer.ports.h"
#include "ports/define.h"
