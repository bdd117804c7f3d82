/* SPDX-License-Identifier: Apache-2.0 */
#include "line_fill.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* PARITY: a bit for each register that is written in every cycle, and for each word. */
typedef struct {
  uint8_t state, data;
  uint32_t place[128 / 32], beat[128 / 32], bypass_beat[128 / 32]; /* bit e: of entry e */
} parity_t;

struct line_fill {
  line_fill_cfg_t cfg;
  uint8_t beat_mask; /* of the width of a beat */
  parity_t parity;   /* 0 without PARITY */
  line_fill_regs_t r;
};

/* An id, taken apart. */
typedef struct {
  bool bypass, exists;
  uint32_t entry;
} fetch_t;

static void reset(line_fill_t *self) {
  line_fill_regs_t *r = &self->r;
  memset(r->wait_q, 0, sizeof r->wait_q);
  memset(r->bypass_wait_q, 0, sizeof r->bypass_wait_q);
  memset(r->live_q, 0, sizeof r->live_q);
  r->write_valid_q = 0;
  r->write_place_q = 0;
  r->write_beat_q = 0;
  r->fill_valid_q = 0;
  r->bypass_fill_valid_q = 0;
  r->fill_entry_q = 0;
  self->parity.state = 0;
}

int line_fill_create(line_fill_t **self, const line_fill_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (line_fill_check(cfg, err)) return -1;
  line_fill_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "line_fill: out of memory");
  made->cfg = *cfg;
  made->beat_mask = (uint8_t)bits_mask(bits_index_w(cfg->BEATS));
  reset(made);
  *self = made;
  return 0;
}

static inline fetch_t fetch(const line_fill_t *self, uint64_t id) {
  const unsigned top = self->cfg.ID_W - 1;
  fetch_t f = {.bypass = id >> top & 1, .entry = (uint32_t)bits(id, top)};
  f.exists = f.entry < (f.bypass ? self->cfg.BYPASSES : self->cfg.MSHRS);
  return f;
}

/* The beat of the cycle is one that a fetch waits for. */
static inline bool good_beat(const line_fill_t *self, const line_fill_in_t *in, fetch_t f) {
  const uint32_t *waits = f.bypass ? self->r.bypass_wait_q : self->r.wait_q;
  return in->r_valid_i && f.exists && flag_get(waits, f.entry);
}

void line_fill_comb(const line_fill_t *self, const line_fill_in_t *in, line_fill_out_t *out) {
  const line_fill_regs_t *r = &self->r;
  const uint32_t drain = (uint32_t)in->drain_entry_i;
  out->r_ready_o = 1;
  out->r_err_o = in->r_valid_i && !good_beat(self, in, fetch(self, in->r_id_i));
  out->write_valid_o = r->write_valid_q;
  out->write_place_o = r->write_place_q;
  out->write_beat_o = r->write_beat_q;
  memset(out->write_data_o, 0, sizeof out->write_data_o);
  for (uint32_t w = 0; r->write_valid_q && w < self->cfg.BUS_WORDS; w++)
    out->write_data_o[w / 2] |= (uint64_t)r->data_q[w] << w % 2 * 32;
  out->fill_valid_o = r->fill_valid_q;
  out->bypass_fill_valid_o = r->bypass_fill_valid_q;
  out->fill_entry_o = r->fill_entry_q;
  const bool live = drain < self->cfg.MSHRS && flag_get(r->live_q, drain);
  out->drain_place_o = live ? r->place_q[drain] : 0;
  out->error_o = 0; /* bits of a C model do not change by themselves */
}

/* The words of a beat, good or not. */
static void take_words(line_fill_t *self, const line_fill_in_t *in) {
  line_fill_regs_t *r = &self->r;
  for (uint32_t w = 0; w < self->cfg.BUS_WORDS; w++)
    r->data_q[w] = (uint32_t)(in->r_data_i[w / 2] >> w % 2 * 32);
  if (self->cfg.PARITY) self->parity.data = bits_odd_words(r->data_q, self->cfg.BUS_WORDS);
}

/* The beat moves into the register stage, and its fetch waits for the next one. */
static void take_beat(line_fill_t *self, const line_fill_in_t *in, fetch_t f) {
  line_fill_regs_t *r = &self->r;
  const uint32_t e = f.entry;
  uint8_t *next = f.bypass ? &r->bypass_beat_q[e] : &r->beat_q[e];
  r->write_place_q = f.bypass ? (uint16_t)(self->cfg.LINES + e) : r->place_q[e];
  r->write_beat_q = *next;
  *next = (*next + 1) & self->beat_mask;
  if (!in->r_last_i) return;
  flag_put(f.bypass ? r->bypass_wait_q : r->wait_q, e, false);
  r->fill_entry_q = (uint16_t)e;
  r->bypass_fill_valid_q = f.bypass;
  r->fill_valid_q = !f.bypass;
}

static void begin(line_fill_t *self, const line_fill_in_t *in, fetch_t f) {
  line_fill_regs_t *r = &self->r;
  const uint32_t e = f.entry;
  if (f.bypass) {
    flag_put(r->bypass_wait_q, e, true);
    r->bypass_beat_q[e] = (uint8_t)in->start_beat_i;
    return;
  }
  flag_put(r->wait_q, e, true);
  flag_put(r->live_q, e, true);
  r->place_q[e] = (uint16_t)in->start_place_i;
  r->beat_q[e] = (uint8_t)in->start_beat_i;
}

static uint8_t state_parity(const line_fill_t *self) {
  const line_fill_regs_t *r = &self->r;
  const uint32_t entries = (self->cfg.MSHRS + 31) / 32, more = (self->cfg.BYPASSES + 31) / 32;
  const bool stage = r->write_valid_q ^ r->fill_valid_q ^ r->bypass_fill_valid_q;
  const bool at = bits_odd(r->write_place_q) ^ bits_odd(r->write_beat_q);
  return (uint8_t)(bits_odd_words(r->wait_q, entries) |
                   bits_odd_words(r->bypass_wait_q, more) << 1 |
                   bits_odd_words(r->live_q, entries) << 2 | stage << 3 | at << 4 |
                   bits_odd(r->fill_entry_q) << 5);
}

/* The bits of what the cycle has written: `f` is the fetch of its beat, `s` that of its start. */
static void parity_edge(line_fill_t *self, bool good, fetch_t f, bool starts, fetch_t s) {
  const line_fill_regs_t *r = &self->r;
  parity_t *p = &self->parity;
  const bool used[] = {good, starts};
  const fetch_t fetch[] = {f, s};
  for (int i = 0; i < 2; i++) {
    const uint32_t e = fetch[i].entry;
    if (!used[i]) continue;
    if (fetch[i].bypass)
      flag_put(p->bypass_beat, e, bits_odd(r->bypass_beat_q[e]));
    else
      flag_put(p->beat, e, bits_odd(r->beat_q[e]));
  }
  if (starts && !s.bypass) flag_put(p->place, s.entry, bits_odd(r->place_q[s.entry]));
  p->state = state_parity(self);
}

void line_fill_edge(line_fill_t *self, const line_fill_in_t *in) {
  line_fill_regs_t *r = &self->r;
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  const fetch_t f = fetch(self, in->r_id_i), s = fetch(self, in->start_id_i);
  const bool good = good_beat(self, in, f), starts = in->start_valid_i && s.exists;
  r->write_valid_q = good;
  r->write_place_q = 0;
  r->write_beat_q = 0;
  r->fill_valid_q = 0;
  r->bypass_fill_valid_q = 0;
  r->fill_entry_q = 0;
  if (good) take_beat(self, in, f);
  if (in->r_valid_i) take_words(self, in);
  if (starts) begin(self, in, s);
  if (self->cfg.PARITY) parity_edge(self, good, f, starts, s);
}

const line_fill_regs_t *line_fill_regs(const line_fill_t *self) {
  return &self->r;
}

void line_fill_destroy(line_fill_t *self) {
  free(self);
}

#define STEM line_fill
#define PORTS_FILE "ports/line_fill.ports.h"
#include "ports/define.h"
