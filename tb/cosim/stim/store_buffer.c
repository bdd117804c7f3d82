/* SPDX-License-Identifier: Apache-2.0 */
/* store_buffer: instructions whose lanes store the same bytes often, requests of all lanes, of one
 * half, of few or of none, and frees and beats mostly of entries that fit. */
#include "cosim/stim/stim.h"

#include "store_buffer.h"

#include <string.h>

enum { FILL, EMPTY, BALANCED, FAST, ANY, KINDS };

typedef struct {
  store_buffer_cfg_t cfg;
  unsigned entry_w, word_w, beat_w, half;
  uint32_t all; /* mask of all lanes */
  prng_t lanes, put, entry;
  stim_phase_t phase, reset;
  uint32_t spread; /* words that the lanes of a phase touch */
} state_t;

static uint32_t beats_of(const uint32_t *cfg) {
  const store_buffer_cfg_t *c = store_buffer_sizes(cfg);
  return (c->WORDS + c->BUS_WORDS - 1) / c->BUS_WORDS;
}
static bool odd(uint32_t n) {
  return (UINT32_C(1) << bits_index_w(n)) > n;
}
static bool odd_stores(const uint32_t *cfg) {
  return odd(store_buffer_sizes(cfg)->STORES);
}
static bool odd_words(const uint32_t *cfg) {
  return odd(store_buffer_sizes(cfg)->WORDS);
}
static bool odd_beats(const uint32_t *cfg) {
  return odd(beats_of(cfg));
}
static bool several(const uint32_t *cfg) {
  return store_buffer_sizes(cfg)->STORES > 1;
}
static bool wide(const uint32_t *cfg) {
  return store_buffer_sizes(cfg)->LANES > 1;
}
static bool passes(const uint32_t *cfg) {
  return store_buffer_sizes(cfg)->PASSES > 1 && wide(cfg);
}
static bool passes_several(const uint32_t *cfg) {
  return passes(cfg) && several(cfg);
}
static bool part_beats(const uint32_t *cfg) {
  return store_buffer_sizes(cfg)->WORDS % store_buffer_sizes(cfg)->BUS_WORDS != 0;
}

#define BINS(X)                                                                                    \
  X(keep, NULL, "an instruction is kept")                                                          \
  X(keep_put, NULL, "an instruction is kept in the cycle of a put")                                \
  X(keep_pass, passes, "an instruction is kept in the cycle of a second pass")                     \
  X(keep_refused, passes, "an instruction is refused: a long put is taken")                        \
  X(put, NULL, "a request takes an entry")                                                         \
  X(put_long, passes, "a request with lanes in both halves takes an entry")                        \
  X(put_lower, NULL, "a request with lanes in the lower half only takes an entry")                 \
  X(put_upper, wide, "a request with lanes in the upper half only takes an entry")                 \
  X(put_none, NULL, "a request without lanes takes an entry")                                      \
  X(put_last, several, "a request takes the last entry that is free")                              \
  X(put_full, NULL, "a request is refused: all entries are in use")                                \
  X(put_full_free, NULL, "a request is refused in the cycle in which the first entry gets free")   \
  X(put_pass, passes_several, "a request is refused: a second pass, entries are free")             \
  X(put_free, several, "a request takes an entry while another one gets free")                     \
  X(same_byte, wide, "two lanes of a pass store the same byte")                                    \
  X(same_byte_passes, passes, "a second pass stores a byte that the first one has stored")         \
  X(no_word, odd_words, "a lane of a pass has a word that the line does not have")                 \
  X(free, NULL, "an entry gets free")                                                              \
  X(free_unused, NULL, "a free of an entry that is not in use")                                    \
  X(free_no_entry, odd_stores, "a free of an entry that does not exist")                           \
  X(free_put, NULL, "a free of the entry that is taken in this cycle")                             \
  X(free_pass, passes, "an entry gets free in the cycle of its second pass")                       \
  X(free_shown, NULL, "an entry gets free whose beat is shown")                                    \
  X(shown, NULL, "a beat with bytes that are stored is shown")                                     \
  X(shown_pass, passes, "a beat of the entry is shown in the cycle of its second pass")            \
  X(shown_part, part_beats, "a beat is shown that has words which the line does not have")         \
  X(shown_unused, NULL, "a beat of an entry is asked for that is not in use")                      \
  X(shown_no_beat, odd_beats, "a beat is asked for that the line does not have")                   \
  X(empty, NULL, "no entry is in use")                                                             \
  X(reset_pass, passes, "reset in the cycle of a second pass")                                     \
  X(reset_full, NULL, "reset while all entries are in use")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->entry_w = bits_index_w(s->cfg.STORES);
  s->word_w = bits_index_w(s->cfg.WORDS);
  s->beat_w = bits_index_w(beats_of(cfg));
  s->half = (s->cfg.LANES + 1) / 2;
  s->all = (uint32_t)bits_mask(s->cfg.LANES);
  s->lanes = prng_seed(seed, 1);
  s->put = prng_seed(seed, 2);
  s->entry = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
}

/* Neighbours (a lane for each word), words of a few, or any. */
static void next_lanes(state_t *s, store_buffer_in_t *i) {
  const uint64_t kind = prng_next(&s->lanes);
  memset(i->lanes_word_i, 0, sizeof i->lanes_word_i);
  memset(i->lanes_data_i, 0, sizeof i->lanes_data_i);
  memset(i->lanes_bytes_i, 0, sizeof i->lanes_bytes_i);
  for (uint32_t l = 0; l < s->cfg.LANES; l++) {
    const uint64_t v = prng_next(&s->lanes);
    uint64_t word = prng_below(&s->lanes, s->spread);
    if ((kind & 7) == 0) word = l % s->cfg.WORDS;
    if ((kind & 7) == 1 || (v & 31) == 0) word = v >> 8;
    const uint64_t bytes = (kind >> 3 & 1) ? 15 : v >> 16;
    words_put(i->lanes_word_i, l * s->word_w, s->word_w, word);
    words_put(i->lanes_data_i, l * 32, 32, stim_edge(v >> 32, 32));
    words_put(i->lanes_bytes_i, l * 4, 4, bytes);
  }
}

static uint64_t next_set(state_t *s) {
  const uint64_t v = prng_next(&s->put), lower = bits_mask(s->half);
  const uint32_t some = (uint32_t)(v >> 32) & s->all;
  switch (v & 15) {
  case 0:
    return 0;
  case 1:
    return some & lower;
  case 2:
    return some & ~lower;
  case 3:
    return s->all;
  case 4:
    return UINT64_C(1) << prng_below(&s->put, s->cfg.LANES);
  default:
    return some;
  }
}

/* An entry of `set`, if it has one; now and then any. */
static uint64_t some_entry(state_t *s, uint64_t set) {
  uint64_t e = prng_below(&s->entry, s->cfg.STORES);
  if (prng_chance(&s->entry, 60)) return bits(prng_next(&s->entry), s->entry_w);
  for (uint32_t n = 0; n < s->cfg.STORES && !(set >> e & 1); n++)
    e = e + 1 >= s->cfg.STORES ? 0 : e + 1;
  return e;
}

static void next_entries(state_t *s, const store_buffer_regs_t *r, store_buffer_in_t *i) {
  static const uint16_t done[KINDS] = {30, 900, 450, 950, 500};
  const uint32_t kind = s->phase.kind;
  const uint64_t v = prng_next(&s->entry);
  i->free_valid_i = prng_chance(&s->entry, done[kind]);
  i->free_entry_i = some_entry(s, r->used_q);
  if (r->pass_q && (v & 7) == 0) i->free_entry_i = r->pass_entry_q;
  if ((v >> 3 & 15) == 0) i->free_entry_i = some_entry(s, ~r->used_q);
  i->beat_entry_i = (v >> 9 & 3) == 0 ? i->free_entry_i : some_entry(s, r->used_q);
  if (r->pass_q && (v >> 7 & 3) == 0) i->beat_entry_i = r->pass_entry_q;
  i->beat_number_i = bits(v >> 11, s->beat_w);
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t keep[KINDS] = {200, 200, 300, 900, 500};
  static const uint16_t put[KINDS] = {900, 60, 500, 950, 500};
  state_t *s = state;
  const store_buffer_regs_t *r = store_buffer_regs(model);
  store_buffer_in_t *i = (store_buffer_in_t *)(void *)in;
  if (stim_phase(&s->phase, KINDS, 300)) {
    s->spread = 1 + prng_below(&s->phase.rng, s->cfg.WORDS);
    if (s->phase.kind == FILL) s->phase.left += 2 * s->cfg.STORES;
  }
  i->lanes_valid_i = prng_chance(&s->lanes, keep[s->phase.kind]);
  if (i->lanes_valid_i) next_lanes(s, i);
  i->put_valid_i = prng_chance(&s->put, put[s->phase.kind]);
  i->put_lanes_i = next_set(s);
  next_entries(s, r, i);
  if (stim_rst_open(&s->reset) && (r->pass_q || r->count_q == s->cfg.STORES) &&
      prng_chance(&s->reset.rng, 100))
    stim_rst_now(&s->reset);
  i->srst_ni = stim_rst_n(&s->reset);
}

/* Two lanes of a set store the same byte, or one stores a word that the line does not have. */
static uint64_t lane_bins(const state_t *s, const store_buffer_regs_t *r, uint32_t set) {
  if (!r->kept_q) return 0;
  uint8_t seen[256] = {0};
  bool same = false, none = false;
  for (uint32_t l = 0; l < s->cfg.LANES; l++) {
    if (!(set >> l & 1) || !r->bytes_q[l]) continue;
    none |= r->word_q[l] >= s->cfg.WORDS;
    same |= r->word_q[l] < s->cfg.WORDS && (seen[r->word_q[l]] & r->bytes_q[l]);
    seen[r->word_q[l]] |= r->bytes_q[l];
  }
  return HIT(same_byte, same) | HIT(no_word, none);
}

/* A lane of the second pass stores a byte that is stored. */
static bool over(const state_t *s, const store_buffer_regs_t *r) {
  bool same = false;
  for (uint32_t l = s->half; l < s->cfg.LANES; l++)
    same |= (r->pass_lanes_q >> (l - s->half) & 1) && r->word_q[l] < s->cfg.WORDS &&
            (r->strobe_q[r->pass_entry_q * s->cfg.WORDS + r->word_q[l]] & r->bytes_q[l]);
  return same;
}

static uint64_t put_bins(const state_t *s, const store_buffer_regs_t *r, const store_buffer_in_t *i,
                         const store_buffer_out_t *o) {
  const bool keep = i->lanes_valid_i && o->lanes_ready_o, two = s->cfg.PASSES > 1;
  const bool full = r->count_q == s->cfg.STORES, put = i->put_valid_i && o->put_ready_o;
  const bool done =
      i->free_valid_i && i->free_entry_i < s->cfg.STORES && (r->used_q >> i->free_entry_i & 1);
  const uint32_t lanes = (uint32_t)i->put_lanes_i, lower = lanes & (uint32_t)bits_mask(s->half);
  const uint32_t upper = lanes & ~lower;
  const uint32_t pass = (uint32_t)((uint64_t)r->pass_lanes_q << s->half);
  return HIT(keep, keep) | HIT(keep_put, keep && put) | HIT(keep_pass, keep && r->pass_q) |
         HIT(keep_refused, i->lanes_valid_i && !keep) | HIT(put, put) |
         HIT(put_long, put && two && lower && upper) | HIT(put_lower, put && lower && !upper) |
         HIT(put_upper, put && upper && !lower) | HIT(put_none, put && !lanes) |
         HIT(put_last, put && r->count_q + 1u == s->cfg.STORES && s->cfg.STORES > 1) |
         HIT(put_full, i->put_valid_i && full) |
         HIT(put_full_free, i->put_valid_i && full && done) |
         HIT(put_pass, i->put_valid_i && r->pass_q && !full) | HIT(put_free, put && done) |
         (put ? lane_bins(s, r, two && lower ? lower : lanes) : 0) |
         (r->pass_q ? lane_bins(s, r, pass) | HIT(same_byte_passes, over(s, r)) : 0);
}

static uint64_t entry_bins(const state_t *s, const store_buffer_regs_t *r,
                           const store_buffer_in_t *i, const store_buffer_out_t *o) {
  const uint64_t f = i->free_entry_i;
  const bool is = f < s->cfg.STORES, done = i->free_valid_i, used = is && (r->used_q >> f & 1);
  const bool put = i->put_valid_i && o->put_ready_o, shown = o->beat_strobe_o[0] != 0;
  return HIT(free, done && used) | HIT(free_unused, done && is && !used) |
         HIT(free_no_entry, done && !is) | HIT(free_put, done && put && f == o->put_entry_o) |
         HIT(free_pass, done && used && r->pass_q && f == r->pass_entry_q) |
         HIT(free_shown, done && used && f == i->beat_entry_i && shown);
}

static uint64_t show_bins(const state_t *s, const store_buffer_regs_t *r,
                          const store_buffer_in_t *i, const store_buffer_out_t *o) {
  const uint64_t e = i->beat_entry_i;
  const uint32_t words = s->cfg.WORDS, bus = s->cfg.BUS_WORDS;
  const uint64_t from = i->beat_number_i * bus;
  const bool used = e < s->cfg.STORES && (r->used_q >> e & 1);
  return HIT(shown, o->beat_strobe_o[0] || o->beat_strobe_o[1]) |
         HIT(shown_pass, r->pass_q && used && e == r->pass_entry_q) |
         HIT(shown_part, used && from < words && from + bus > words) | HIT(shown_unused, !used) |
         HIT(shown_no_beat, used && from >= words) | HIT(empty, o->empty_o);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const state_t *s = state;
  const store_buffer_regs_t *r = store_buffer_regs(model);
  const store_buffer_in_t *i = (const store_buffer_in_t *)(const void *)in;
  const store_buffer_out_t *o = (const store_buffer_out_t *)(const void *)out;
  if (!i->srst_ni) return HIT(reset_pass, r->pass_q) | HIT(reset_full, r->count_q == s->cfg.STORES);
  return put_bins(s, r, i, o) | entry_bins(s, r, i, o) | show_bins(s, r, i, o);
}

static bool active(const uint64_t *in) {
  const store_buffer_in_t *i = (const store_buffer_in_t *)(const void *)in;
  return i->lanes_valid_i || i->put_valid_i || i->free_valid_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const store_buffer_in_t *i = (const store_buffer_in_t *)(const void *)in;
  const store_buffer_out_t *o = (const store_buffer_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->lanes_valid_i)
    stim_say(text, "keep, lane 0 0x%llx%s; ", (unsigned long long)bits(i->lanes_data_i[0], 32),
             o->lanes_ready_o ? "" : " refused");
  if (i->put_valid_i && o->put_ready_o)
    stim_say(text, "put e%u lanes 0x%llx; ", (unsigned)o->put_entry_o,
             (unsigned long long)i->put_lanes_i);
  else if (i->put_valid_i)
    stim_say(text, "put refused; ");
  if (i->free_valid_i) stim_say(text, "free e%u; ", (unsigned)i->free_entry_i);
  stim_say(text, "show e%u beat %u", (unsigned)i->beat_entry_i, (unsigned)i->beat_number_i);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const store_buffer_regs_t *r = store_buffer_regs(model);
  stim_say(text, "%u of %u entries:", (unsigned)r->count_q,
           (unsigned)store_buffer_sizes(cfg)->STORES);
  for (uint32_t e = 0; e < store_buffer_sizes(cfg)->STORES; e++)
    if (r->used_q >> e & 1) stim_say(text, " e%u", (unsigned)e);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, FAST, on);
}

const stim_class_t stim_store_buffer = {.stem = "store_buffer",
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
