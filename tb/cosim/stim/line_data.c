/* SPDX-License-Identifier: Apache-2.0 */
/* line_data: fills, beat after beat or mixed, and reads of the places that were written last. Phases
 * use few places or all, among them the last one. Now and then a place or a beat that does not
 * exist, and a read of the place that is written. */
#include "cosim/stim/stim.h"

#include "line_data.h"

#include <string.h>

enum { BALANCED, WRITES, READS, ONE_PLACE, LAST_PLACE, SPARSE, KINDS };

typedef struct {
  line_data_cfg_t cfg;
  unsigned place_w, beat_w;
  uint32_t beats;
  prng_t write, read, data;
  stim_phase_t phase, reset;
  uint32_t few, base;             /* places that this phase uses, from `base` on */
  uint32_t before;                /* places written since the start: the last one */
  uint32_t fill_place, fill_beat; /* of the fill under way */
  uint32_t written[1056];         /* beats of each place written since the start */
  uint32_t since[1056];           /* the same since the reset */
  bool shown;                     /* there was a read in the cycle before */
} state_t;

static bool beat_w_odd(const uint32_t *cfg) {
  const uint32_t words = line_data_sizes(cfg)->WORDS, bus = line_data_sizes(cfg)->BUS_WORDS;
  const uint32_t beats = (words + bus - 1) / bus;
  return (1u << bits_index_w(beats)) > beats;
}
static bool places_odd(const uint32_t *cfg) {
  const uint32_t places = line_data_sizes(cfg)->PLACES;
  return (1u << bits_index_w(places)) > places;
}
static bool several_beats(const uint32_t *cfg) {
  return line_data_sizes(cfg)->WORDS > line_data_sizes(cfg)->BUS_WORDS;
}
static bool several_places(const uint32_t *cfg) {
  return line_data_sizes(cfg)->PLACES > 1;
}
static bool cut(const uint32_t *cfg) {
  return line_data_sizes(cfg)->WORDS % line_data_sizes(cfg)->BUS_WORDS != 0;
}

#define BINS(X)                                                                                    \
  X(write, NULL, "a beat is written")                                                              \
  X(write_again, NULL, "a beat is written that was written before")                                \
  X(write_first_beat, NULL, "the first beat of a line")                                            \
  X(write_last_beat, NULL, "the last beat of a line")                                              \
  X(write_cut, cut, "a beat with words behind the end of the line")                                \
  X(write_no_place, places_odd, "a beat of a place that does not exist")                           \
  X(write_no_beat, beat_w_odd, "a beat that does not exist")                                       \
  X(write_last_place, NULL, "a beat of the last place")                                            \
  X(read, NULL, "a line is read")                                                                  \
  X(read_whole, NULL, "all beats of the line were written since the reset")                        \
  X(read_part, several_beats, "some beats of the line were written since the reset")               \
  X(read_old, NULL, "the line was written before the reset only")                                  \
  X(read_no_place, places_odd, "a place is read that does not exist")                              \
  X(read_last_place, NULL, "the last place is read")                                               \
  X(read_twice, NULL, "reads in two successive cycles")                                            \
  X(same_place, NULL, "the place that is read is written")                                         \
  X(other_place, several_places, "one place is read, another one written")                         \
  X(hold_write, NULL, "the line that is shown is written, and not read")                           \
  X(reset, NULL, "a reset")                                                                        \
  X(reset_write, NULL, "a write during reset")                                                     \
  X(reset_read, NULL, "a read during reset")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->beats = (s->cfg.WORDS + s->cfg.BUS_WORDS - 1) / s->cfg.BUS_WORDS;
  s->place_w = bits_index_w(s->cfg.PLACES);
  s->beat_w = bits_index_w(s->beats);
  s->write = prng_seed(seed, 1);
  s->read = prng_seed(seed, 2);
  s->data = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
  s->few = 1;
}

/* A place of the phase; now and then any value of its width. */
static uint64_t place(const state_t *s, prng_t *rng) {
  if (prng_chance(rng, 20)) return prng_next(rng) & bits_mask(s->place_w);
  const uint32_t p = s->base + prng_below(rng, s->few);
  return p >= s->cfg.PLACES ? p - s->cfg.PLACES : p;
}

static void next_write(state_t *s, line_data_in_t *i) {
  const uint64_t v = prng_next(&s->write);
  const unsigned bits_in = s->cfg.BUS_WORDS * 32;
  if (s->fill_beat >= s->beats || (v & 31) == 0) {
    s->fill_place = (uint32_t)place(s, &s->write);
    s->fill_beat = (v >> 5 & 3) == 0 ? prng_below(&s->write, s->beats) : 0;
  }
  i->write_place_i = s->fill_place;
  i->write_beat_i = bits(s->fill_beat, s->beat_w);
  if ((v >> 7 & 7) == 0) i->write_beat_i = bits(v >> 16, s->beat_w);
  if ((v >> 10 & 31) == 0) i->write_place_i = place(s, &s->write);
  for (unsigned w = 0; w < (bits_in + 63) / 64; w++) {
    const unsigned width = bits_in - 64 * w < 64 ? bits_in - 64 * w : 64;
    i->write_data_i[w] = stim_edge(bits(prng_next(&s->data), width), width);
  }
  if (i->write_valid_i) s->fill_beat++;
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t write_rate[KINDS] = {600, 950, 200, 700, 700, 50};
  static const uint16_t read_rate[KINDS] = {500, 200, 950, 500, 500, 50};
  state_t *s = state;
  line_data_in_t *i = (line_data_in_t *)(void *)in;
  (void)model;
  if (stim_phase(&s->phase, KINDS, 400)) {
    const uint32_t kind = s->phase.kind, places = s->cfg.PLACES;
    s->base = prng_below(&s->phase.rng, places);
    s->few = kind == WRITES || kind == SPARSE ? places : 1 + prng_below(&s->phase.rng, 4);
    if (s->few > places) s->few = places;
    if (kind == ONE_PLACE || kind == LAST_PLACE) s->few = 1;
    if (kind == LAST_PLACE) s->base = places - 1;
  }
  i->srst_ni = stim_rst_n(&s->reset);
  i->write_valid_i = prng_chance(&s->write, write_rate[s->phase.kind]);
  i->read_valid_i = prng_chance(&s->read, read_rate[s->phase.kind]);
  next_write(s, i);
  i->read_place_i = place(s, &s->read);
  if (prng_chance(&s->read, 100)) i->read_place_i = i->write_place_i;
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, WRITES, on);
}

static uint64_t read_bins(const state_t *s, const line_data_in_t *i) {
  const uint64_t p = i->read_place_i;
  const uint32_t all = (uint32_t)bits_mask(s->beats);
  if (!i->read_valid_i) return 0;
  if (p >= s->cfg.PLACES) return HIT(read_no_place, true);
  return HIT(read, true) | HIT(read_whole, s->since[p] == all) |
         HIT(read_part, s->since[p] && s->since[p] != all) |
         HIT(read_old, s->written[p] && !s->since[p]) |
         HIT(read_last_place, p == s->cfg.PLACES - 1) | HIT(read_twice, s->shown);
}

static uint64_t write_bins(const state_t *s, const line_data_in_t *i) {
  const uint64_t p = i->write_place_i, b = i->write_beat_i;
  if (!i->write_valid_i) return 0;
  if (p >= s->cfg.PLACES) return HIT(write_no_place, true);
  if (b >= s->beats) return HIT(write_no_beat, true);
  const bool last = b == s->beats - 1;
  return HIT(write, true) | HIT(write_again, s->since[p] >> b & 1) | HIT(write_first_beat, b == 0) |
         HIT(write_last_beat, last) | HIT(write_cut, last && s->cfg.WORDS % s->cfg.BUS_WORDS) |
         HIT(write_last_place, p == s->cfg.PLACES - 1) |
         HIT(same_place, i->read_valid_i && i->read_place_i == p) |
         HIT(other_place,
             i->read_valid_i && i->read_place_i != p && i->read_place_i < s->cfg.PLACES) |
         HIT(hold_write, !i->read_valid_i && s->before == p);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  state_t *s = state;
  const line_data_in_t *i = (const line_data_in_t *)(const void *)in;
  (void)model;
  (void)out;
  if (!i->srst_ni) {
    memset(s->since, 0, sizeof s->since);
    s->shown = false;
    return HIT(reset, true) | HIT(reset_write, i->write_valid_i) | HIT(reset_read, i->read_valid_i);
  }
  const uint64_t hit = read_bins(s, i) | write_bins(s, i);
  if (i->write_valid_i && i->write_place_i < s->cfg.PLACES && i->write_beat_i < s->beats) {
    s->written[i->write_place_i] |= UINT32_C(1) << i->write_beat_i;
    s->since[i->write_place_i] |= UINT32_C(1) << i->write_beat_i;
  }
  s->shown = i->read_valid_i;
  if (i->read_valid_i) s->before = (uint32_t)i->read_place_i;
  return hit;
}

static bool active(const uint64_t *in) {
  const line_data_in_t *i = (const line_data_in_t *)(const void *)in;
  return i->write_valid_i || i->read_valid_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const line_data_in_t *i = (const line_data_in_t *)(const void *)in;
  const line_data_out_t *o = (const line_data_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset; ");
  stim_say(text, "shows 0x%llx...", (unsigned long long)o->data_o[0]);
  if (i->read_valid_i) stim_say(text, "; read p%u", (unsigned)i->read_place_i);
  if (i->write_valid_i)
    stim_say(text, "; write p%u beat %u 0x%llx...", (unsigned)i->write_place_i,
             (unsigned)i->write_beat_i, (unsigned long long)i->write_data_i[0]);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  (void)model;
  stim_say(text, "%u places of %u words", line_data_sizes(cfg)->PLACES,
           line_data_sizes(cfg)->WORDS);
}

const stim_class_t stim_line_data = {.stem = "line_data",
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
