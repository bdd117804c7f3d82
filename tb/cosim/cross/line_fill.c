/* SPDX-License-Identifier: Apache-2.0 */
/* line_fill: crosses. */
#include "cosim/cross/cross.h"

#include "bits.h"
#include "line_fill.h"

enum { BEAT, START, SAME, DRAIN };

#define TABLES                                                                                     \
  { "MSHR", "bypass" }

static const cross_t crosses[] = {
    [BEAT] = {"beat",
              "a beat arrives",
              {{"of the table", TABLES},
               {"fetch", {"no such entry", "none", "waits"}},
               {"beat", {"not the last", "the last"}}}},
    [START] = {"start",
               "a fetch starts",
               {{"of the table", TABLES}, {"fetch", {"no such entry", "none", "waits"}}}},
    [SAME] = {"same",
              "a good beat and a start of an entry that exists",
              {{"beat of", TABLES}, {"start of", TABLES}, {"number", {"another", "the same"}}}},
    [DRAIN] = {"drain",
               "the place of an entry is asked for",
               {{"entry", {"no such entry", "not started", "waits", "has its line"}},
                {"register stage", {"empty", "a beat", "its last beat"}}}},
};

static const cross_gap_t gaps[] = {
    {"drain", "no such entry|not started, its last beat", "an entry has its line after its start"},
};

typedef struct {
  bool bypass, exists, waits;
  uint32_t entry;
} fetch_t;

static fetch_t fetch(const line_fill_cfg_t *cfg, const line_fill_regs_t *r, uint64_t id) {
  const unsigned top = cfg->ID_W - 1;
  fetch_t f = {.bypass = id >> top & 1, .entry = (uint32_t)bits(id, top)};
  const uint32_t *set = f.bypass ? r->bypass_wait_q : r->wait_q;
  f.exists = f.entry < (f.bypass ? cfg->BYPASSES : cfg->MSHRS);
  f.waits = f.exists && (set[f.entry / 32] >> f.entry % 32 & 1);
  return f;
}

static int8_t state(fetch_t f) {
  return !f.exists ? 0 : f.waits ? 2 : 1;
}

static void sample_drain(const line_fill_cfg_t *cfg, const line_fill_regs_t *r, uint64_t e,
                         cross_values_t value) {
  const bool live = e < cfg->MSHRS && (r->live_q[e / 32] >> e % 32 & 1);
  const bool waits = e < cfg->MSHRS && (r->wait_q[e / 32] >> e % 32 & 1);
  value[DRAIN][0] = e >= cfg->MSHRS ? 0 : !live ? 1 : waits ? 2 : 3;
  value[DRAIN][1] = !r->write_valid_q ? 0 : r->fill_valid_q && r->fill_entry_q == e ? 2 : 1;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const line_fill_cfg_t *cfg = line_fill_sizes(c->cfg);
  const line_fill_regs_t *r = line_fill_regs(c->model);
  const line_fill_in_t *i = (const line_fill_in_t *)(const void *)c->in;
  const fetch_t beat = fetch(cfg, r, i->r_id_i), start = fetch(cfg, r, i->start_id_i);
  if (!i->srst_ni) return;
  sample_drain(cfg, r, i->drain_entry_i, value);
  if (i->r_valid_i) {
    value[BEAT][0] = beat.bypass;
    value[BEAT][1] = state(beat);
    value[BEAT][2] = i->r_last_i != 0;
  }
  if (i->start_valid_i) {
    value[START][0] = start.bypass;
    value[START][1] = state(start);
  }
  if (!i->r_valid_i || !beat.waits || !i->start_valid_i || !start.exists) return;
  value[SAME][0] = beat.bypass;
  value[SAME][1] = start.bypass;
  value[SAME][2] = beat.entry == start.entry;
}

const cross_class_t cross_line_fill = {.stem = "line_fill",
                                       .n = sizeof crosses / sizeof *crosses,
                                       .n_gaps = sizeof gaps / sizeof *gaps,
                                       .crosses = crosses,
                                       .gaps = gaps,
                                       .sample = sample};
