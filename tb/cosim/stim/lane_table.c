/* SPDX-License-Identifier: Apache-2.0 */
/* lane_table: instructions whose lanes are dealt out to requests, one after the other, and reads of
 * what was entered. Some requests name lanes of earlier ones, some begin an entry without being the
 * first. Phases use few entries or all. After a reset, entries with old words are read and written. */
#include "cosim/stim/stim.h"

#include "lane_table.h"

#include <string.h>

enum { BALANCED, WRITES, READS, ONE_ENTRY, LAST_ENTRY, SPARSE, KINDS };

typedef struct {
  lane_table_cfg_t cfg;
  unsigned entry_w, number_w;
  uint64_t lanes; /* mask of all lanes */
  prng_t write, read;
  stim_phase_t phase, reset;
  uint32_t few;      /* entries that this phase uses, from `base` on */
  uint32_t base;     /* the first of them */
  uint32_t old;      /* cycles that ask for entries which a reset has hidden */
  uint32_t next[16]; /* of some entries: the number of the next request */
  uint64_t left[16]; /* the lanes that are left to it */
} state_t;

static bool odd_entries(const uint32_t *cfg) {
  const uint32_t entries = lane_table_sizes(cfg)->ENTRIES;
  return (1u << bits_index_w(entries)) > entries;
}
static bool wide(const uint32_t *cfg) {
  return lane_table_sizes(cfg)->LANES > 1;
}
static bool several(const uint32_t *cfg) {
  return lane_table_sizes(cfg)->ENTRIES > 1;
}
static bool odd_lanes(const uint32_t *cfg) {
  const uint32_t lanes = lane_table_sizes(cfg)->LANES;
  return (1u << bits_index_w(lanes)) > lanes;
}

#define BINS(X)                                                                                    \
  X(write_first, NULL, "the first request of an instruction")                                      \
  X(write_more, NULL, "a later request")                                                           \
  X(write_fresh, NULL, "a later request of an entry that was not begun since the reset")           \
  X(write_again, NULL, "a first request of an entry that is in use")                               \
  X(write_takes, NULL, "a later request takes a lane of an earlier one")                           \
  X(write_all, NULL, "a request of all lanes")                                                     \
  X(write_no_lanes, NULL, "a request without lanes")                                               \
  X(write_no_entry, odd_entries, "a request of an entry that does not exist")                      \
  X(write_last_entry, NULL, "a request of the last entry")                                         \
  X(read_some, wide, "a request serves some of the lanes that belong to requests")                 \
  X(read_all, NULL, "a request serves all lanes")                                                  \
  X(read_none, NULL, "no lane belongs to the request that is read")                                \
  X(read_zero_lane, NULL, "request 0 is read, and a lane without request has this number")         \
  X(read_hidden, NULL, "an entry is read whose word a reset has hidden")                           \
  X(read_no_entry, odd_entries, "an entry is read that does not exist")                            \
  X(read_high, odd_lanes, "a number is read that is not below LANES")                              \
  X(read_last_entry, NULL, "the last entry is read")                                               \
  X(same_entry, NULL, "an entry is read and written")                                              \
  X(other_entry, several, "one entry is read, another one written")                                \
  X(reset_live, NULL, "reset while entries are in use")                                            \
  X(reset_write, NULL, "a request during reset")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->entry_w = bits_index_w(s->cfg.ENTRIES);
  s->number_w = bits_index_w(s->cfg.LANES);
  s->lanes = bits_mask(s->cfg.LANES);
  s->write = prng_seed(seed, 1);
  s->read = prng_seed(seed, 2);
  s->phase.rng = prng_seed(seed, 3);
  s->reset.rng = prng_seed(seed, 4);
  s->few = 1;
}

static bool live(const lane_table_regs_t *r, uint64_t e) {
  return r->live_q[e / 32] >> e % 32 & 1;
}

/* An entry of the phase; now and then any value of its width. */
static uint64_t entry(const state_t *s, prng_t *rng) {
  if (prng_chance(rng, 20)) return prng_next(rng) & bits_mask(s->entry_w);
  const uint32_t e = s->base + prng_below(rng, s->few);
  return e >= s->cfg.ENTRIES ? e - s->cfg.ENTRIES : e;
}

static void next_write(state_t *s, lane_table_in_t *i) {
  const uint64_t v = prng_next(&s->write), e = entry(s, &s->write);
  uint64_t *left = &s->left[e % 16];
  uint32_t *number = &s->next[e % 16];
  const bool first = *left == 0 || (v & 15) == 0;
  if (first) *left = s->lanes;
  if (first) *number = 0;
  uint64_t some = *left & v >> 32;
  if ((v >> 4 & 7) == 0) some = *left;
  if ((v >> 4 & 7) == 1) some = *left & (~*left + 1);
  if ((v >> 4 & 31) == 2) some = s->lanes & v >> 32; /* of earlier requests too */
  i->write_entry_i = e;
  i->write_first_i = first;
  i->write_number_i = bits(*number, s->number_w);
  i->write_lanes_i = some;
  if ((v >> 9 & 31) == 0) i->write_first_i = !first;
  if ((v >> 14 & 31) == 0) i->write_number_i = bits(v >> 20, s->number_w);
  if ((v >> 19 & 63) == 0) i->write_lanes_i = stim_at_edge(v, s->cfg.LANES);
  *left &= ~some;
  if (i->write_valid_i) *number += 1;
  if (!i->write_valid_i) *left = 0;
}

static void next_read(state_t *s, const lane_table_regs_t *r, lane_table_in_t *i) {
  const uint64_t v = prng_next(&s->read);
  uint64_t e = entry(s, &s->read);
  if (s->old) { /* an entry with an old word */
    for (unsigned n = 0; n < 48 && e < s->cfg.ENTRIES && (live(r, e) || !r->has_q[e]); n++)
      e = e + 1 == s->cfg.ENTRIES ? 0 : e + 1;
    s->old--;
  }
  i->read_entry_i = e;
  i->read_number_i = (v & 7) == 0 ? bits(v >> 8, s->number_w) : bits(v >> 8 & 3, s->number_w);
  if ((v >> 3 & 7) == 0) i->read_entry_i = i->write_entry_i;
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t write_rate[KINDS] = {600, 950, 200, 700, 700, 50};
  static const uint16_t read_rate[KINDS] = {600, 200, 950, 700, 700, 50};
  state_t *s = state;
  const lane_table_regs_t *r = lane_table_regs(model);
  lane_table_in_t *i = (lane_table_in_t *)(void *)in;
  if (stim_phase(&s->phase, KINDS, 400)) {
    const uint32_t kind = s->phase.kind, entries = s->cfg.ENTRIES;
    s->base = prng_below(&s->phase.rng, entries);
    s->few = kind == WRITES || kind == SPARSE ? entries : 1 + prng_below(&s->phase.rng, 4);
    if (s->few > entries) s->few = entries;
    if (kind == ONE_ENTRY || kind == LAST_ENTRY) s->few = 1;
    if (kind == LAST_ENTRY) s->base = entries - 1;
  }
  i->srst_ni = stim_rst_n(&s->reset);
  i->write_valid_i = prng_chance(&s->write, write_rate[s->phase.kind]);
  i->read_valid_i = prng_chance(&s->read, read_rate[s->phase.kind]);
  next_write(s, i);
  next_read(s, r, i);
  if (!i->srst_ni) s->old = prng_below(&s->reset.rng, 6);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, WRITES, on);
}

static uint32_t number_at(const uint32_t *word, unsigned at, unsigned width) {
  uint32_t number = 0;
  for (unsigned b = 0; b < width; b++, at++) number |= (word[at / 32] >> at % 32 & 1) << b;
  return number;
}

/* Whether a lane without request has this number, as all of them have. */
static bool zero_lane(const state_t *s, const lane_table_regs_t *r, uint64_t e) {
  const uint32_t *word = &r->number_q[e * ((s->cfg.LANES * s->number_w + 31) / 32)];
  for (uint32_t l = 0; l < s->cfg.LANES; l++)
    if (!(r->has_q[e] >> l & 1) && number_at(word, l * s->number_w, s->number_w) == 0) return true;
  return false;
}

static uint64_t write_bins(const state_t *s, const lane_table_regs_t *r, const lane_table_in_t *i) {
  const uint64_t e = i->write_entry_i, m = i->write_lanes_i;
  if (!i->write_valid_i) return 0;
  if (e >= s->cfg.ENTRIES) return HIT(write_no_entry, true);
  const bool old = live(r, e), first = i->write_first_i;
  return HIT(write_first, first) | HIT(write_more, old && !first) |
         HIT(write_fresh, !old && !first && r->has_q[e] & ~m) |
         HIT(write_again, old && first && r->has_q[e] & ~m) |
         HIT(write_takes, old && !first && (r->has_q[e] & m)) | HIT(write_all, m == s->lanes) |
         HIT(write_no_lanes, m == 0) | HIT(write_last_entry, e == s->cfg.ENTRIES - 1) |
         HIT(same_entry, i->read_valid_i && i->read_entry_i == e) |
         HIT(other_entry,
             i->read_valid_i && i->read_entry_i != e && i->read_entry_i < s->cfg.ENTRIES);
}

static uint64_t read_bins(const state_t *s, const lane_table_regs_t *r, const lane_table_in_t *i,
                          const lane_table_out_t *o) {
  const uint64_t e = i->read_entry_i, m = o->read_lanes_o;
  if (!i->read_valid_i) return 0;
  if (e >= s->cfg.ENTRIES) return HIT(read_no_entry, true);
  const bool old = live(r, e);
  return HIT(read_some, m && m != r->has_q[e]) | HIT(read_all, m == s->lanes) |
         HIT(read_none, old && m == 0) | HIT(read_hidden, !old && r->has_q[e]) |
         HIT(read_zero_lane, old && i->read_number_i == 0 && zero_lane(s, r, e)) |
         HIT(read_high, i->read_number_i >= s->cfg.LANES) |
         HIT(read_last_entry, e == s->cfg.ENTRIES - 1);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const state_t *s = state;
  const lane_table_regs_t *r = lane_table_regs(model);
  const lane_table_in_t *i = (const lane_table_in_t *)(const void *)in;
  const lane_table_out_t *o = (const lane_table_out_t *)(const void *)out;
  if (!i->srst_ni) {
    bool any = false;
    for (uint32_t e = 0; e < s->cfg.ENTRIES; e++) any |= live(r, e);
    return HIT(reset_live, any) | HIT(reset_write, i->write_valid_i);
  }
  return write_bins(s, r, i) | read_bins(s, r, i, o);
}

static bool active(const uint64_t *in) {
  const lane_table_in_t *i = (const lane_table_in_t *)(const void *)in;
  return i->write_valid_i || i->read_valid_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const lane_table_in_t *i = (const lane_table_in_t *)(const void *)in;
  const lane_table_out_t *o = (const lane_table_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->write_valid_i)
    stim_say(text, "write e%u request %u lanes 0x%llx%s; ", (unsigned)i->write_entry_i,
             (unsigned)i->write_number_i, (unsigned long long)i->write_lanes_i,
             i->write_first_i ? " first" : "");
  if (i->read_valid_i)
    stim_say(text, "read e%u request %u: lanes 0x%llx", (unsigned)i->read_entry_i,
             (unsigned)i->read_number_i, (unsigned long long)o->read_lanes_o);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const lane_table_regs_t *r = lane_table_regs(model);
  stim_say(text, "%u entries;", lane_table_sizes(cfg)->ENTRIES);
  for (uint32_t e = 0; e < lane_table_sizes(cfg)->ENTRIES; e++)
    if (live(r, e)) stim_say(text, " e%u:%x", e, r->has_q[e]);
}

const stim_class_t stim_lane_table = {.stem = "lane_table",
                                      .size = sizeof(state_t),
                                      .start = start,
                                      .next = next,
                                      .sample = sample,
                                      .active = active,
                                      .describe = describe,
                                      .occupancy = occupancy,
                                      .bins = bins,
                                      .n_bins = N_BINS,
                                      .rush = rush};
