/* SPDX-License-Identifier: Apache-2.0 */
/* line_fill: fetches start and their beats arrive in phases of different rates, so that all ids
 * wait, or none. Most starts are of an id that does not wait, and most beats are of one that does.
 * Now and then a start or a beat is of any id, of one that does not exist, or both are of the same
 * id. The registers themselves say which ids wait. */
#include "cosim/stim/stim.h"

#include "line_fill.h"

#include <string.h>

enum { FILL_UP, EMPTY, BALANCED, SINGLE, FAST, KINDS };

typedef struct {
  line_fill_cfg_t cfg;
  unsigned place_w, beat_w, drain_w;
  uint32_t mshrs, bypasses; /* entries that an id can name */
  prng_t start, beat, data;
  stim_phase_t phase, reset;
  uint64_t hot;    /* id of the phase SINGLE */
  uint64_t before; /* id of the good beat of the cycle before, if it had one */
  uint64_t begun;  /* id that started in the cycle before, if one did */
  bool had, began;
} state_t;

static bool beyond(const uint32_t *cfg) {
  const line_fill_cfg_t *c = line_fill_sizes(cfg);
  return c->MSHRS < UINT32_C(1) << (c->ID_W - 1);
}
static bool beyond_bypass(const uint32_t *cfg) {
  const line_fill_cfg_t *c = line_fill_sizes(cfg);
  return c->BYPASSES < UINT32_C(1) << (c->ID_W - 1);
}
static bool odd_drain(const uint32_t *cfg) {
  const line_fill_cfg_t *c = line_fill_sizes(cfg);
  return c->MSHRS < UINT32_C(1) << bits_index_w(c->MSHRS);
}

#define BINS(X)                                                                                    \
  X(start, NULL, "a fetch of an MSHR entry starts")                                                \
  X(start_bypass, NULL, "a fetch of a bypass entry starts")                                        \
  X(start_waits, NULL, "a fetch starts again while it waits")                                      \
  X(start_none, beyond, "a start of an MSHR entry that does not exist")                            \
  X(start_no_bypass, beyond_bypass, "a start of a bypass entry that does not exist")               \
  X(start_beat, NULL, "a start, and a beat of the same MSHR entry that waited")                    \
  X(start_beat_bypass, NULL, "a start, and a beat of the same bypass entry that waited")           \
  X(start_last, NULL, "a start, and the last beat of the same MSHR entry")                         \
  X(start_last_bypass, NULL, "a start, and the last beat of the same bypass entry")                \
  X(start_other, NULL, "a start, and a beat of the entry of that number in the other table")       \
  X(beat, NULL, "a beat of an MSHR entry that is not the last one")                                \
  X(beat_bypass, NULL, "a beat of a bypass entry that is not the last one")                        \
  X(last, NULL, "the last beat of an MSHR entry")                                                  \
  X(last_bypass, NULL, "the last beat of a bypass entry")                                          \
  X(last_entry, NULL, "the last beat of the last MSHR entry that an id can name")                  \
  X(last_entry_bypass, NULL, "the last beat of the last bypass entry that an id can name")         \
  X(again, NULL, "beats of one fetch in successive cycles")                                        \
  X(other, NULL, "beats of two fetches in successive cycles")                                      \
  X(wraps, NULL, "a beat after the last one of the line")                                          \
  X(at_once, NULL, "a beat in the cycle after the start")                                          \
  X(all_wait, NULL, "every id has a fetch")                                                        \
  X(none_waits, NULL, "no id has a fetch")                                                         \
  X(wrong, NULL, "a beat of an MSHR entry without a fetch")                                        \
  X(wrong_bypass, NULL, "a beat of a bypass entry without a fetch")                                \
  X(wrong_none, beyond, "a beat of an MSHR entry that does not exist")                             \
  X(wrong_no_bypass, beyond_bypass, "a beat of a bypass entry that does not exist")                \
  X(wrong_early, NULL, "a beat in the cycle of its start")                                         \
  X(drain, NULL, "the place of an entry that was started is asked for")                            \
  X(drain_dead, NULL, "the place of an entry that was not started since the reset")                \
  X(drain_none, odd_drain, "the place of an entry that does not exist")                            \
  X(drain_start, NULL, "the place of the entry that starts is asked for")                          \
  X(reset_waits, NULL, "a reset while fetches wait")                                               \
  X(reset_beat, NULL, "a reset as a last beat arrives")                                            \
  X(reset_start, NULL, "a reset as a fetch starts")
#include "cosim/stim/bins.h"

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->place_w = bits_index_w(s->cfg.LINES + s->cfg.BYPASSES);
  s->beat_w = bits_index_w(s->cfg.BEATS);
  s->drain_w = bits_index_w(s->cfg.MSHRS);
  s->mshrs = least(s->cfg.MSHRS, UINT32_C(1) << (s->cfg.ID_W - 1));
  s->bypasses = least(s->cfg.BYPASSES, UINT32_C(1) << (s->cfg.ID_W - 1));
  s->start = prng_seed(seed, 1);
  s->beat = prng_seed(seed, 2);
  s->data = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
}

static bool is_bypass(const state_t *s, uint64_t id) {
  return id >> (s->cfg.ID_W - 1) & 1;
}
static uint32_t entry_of(const state_t *s, uint64_t id) {
  return (uint32_t)bits(id, s->cfg.ID_W - 1);
}
static bool exists(const state_t *s, uint64_t id) {
  return entry_of(s, id) < (is_bypass(s, id) ? s->bypasses : s->mshrs);
}

static bool waits(const state_t *s, const line_fill_regs_t *r, uint64_t id) {
  const uint32_t e = entry_of(s, id), *set = is_bypass(s, id) ? r->bypass_wait_q : r->wait_q;
  return exists(s, id) && (set[e / 32] >> e % 32 & 1);
}

static uint64_t id_of(const state_t *s, uint32_t n) {
  const uint64_t bypass = UINT64_C(1) << (s->cfg.ID_W - 1);
  return n < s->mshrs ? n : bypass | (n - s->mshrs);
}

/* The id of a fetch that waits, or of one that does not, if there is one among the next ids. Half
 * of the searches begin among the bypass entries, which are few. */
static uint64_t pick(const state_t *s, prng_t *rng, const line_fill_regs_t *r, bool waiting) {
  const uint32_t all = s->mshrs + s->bypasses;
  uint32_t n = prng_below(rng, all);
  if (prng_chance(rng, 500)) n = s->mshrs + prng_below(rng, s->bypasses);
  for (uint32_t i = 0; i < all && waits(s, r, id_of(s, n)) != waiting; i++)
    n = n + 1 >= all ? 0 : n + 1;
  return id_of(s, n);
}

static void next_start(state_t *s, const line_fill_regs_t *r, line_fill_in_t *i) {
  const uint64_t v = prng_next(&s->start);
  i->start_id_i = pick(s, &s->start, r, false);
  if (s->phase.kind == SINGLE && (v & 3)) {
    i->start_id_i = s->hot;
    i->start_valid_i &= !waits(s, r, s->hot);
  }
  /* Mostly an idle id; starts of a waiting one would make it wait longer. */
  if (waits(s, r, i->start_id_i) && v >> 2 & 31) i->start_valid_i = 0;
  i->start_place_i = stim_edge(v >> 16, s->place_w);
  i->start_beat_i = bits(v >> 40, s->beat_w);
  if ((v >> 7 & 63) == 0) i->start_id_i = bits(v >> 48, s->cfg.ID_W);
}

static void next_beat(state_t *s, const line_fill_regs_t *r, line_fill_in_t *i) {
  const uint64_t v = prng_next(&s->beat);
  i->r_id_i = s->had && (v & 3) == 0 ? s->before : pick(s, &s->beat, r, true);
  if (s->phase.kind == SINGLE && (v & 3)) i->r_id_i = s->hot;
  if (!waits(s, r, i->r_id_i) && v >> 2 & 15) i->r_valid_i = 0;
  i->r_last_i = s->phase.kind == EMPTY ? v >> 6 & 1 : (v >> 6 & 3) == 0;
  for (uint32_t w = 0; w < (s->cfg.BUS_WORDS + 1) / 2; w++)
    i->r_data_i[w] = stim_edge(prng_next(&s->data), s->cfg.BUS_WORDS == 2 * w + 1 ? 32 : 64);
  switch (v >> 8 & 127) {
  case 0: /* any id */
    i->r_valid_i = 1;
    i->r_id_i = bits(v >> 48, s->cfg.ID_W);
    break;
  case 1: /* the id that starts */
    i->r_valid_i = 1;
    i->r_id_i = i->start_id_i;
    break;
  case 2: /* a fetch that waits starts again with its beat */
    i->r_valid_i = i->start_valid_i = 1;
    i->start_id_i = i->r_id_i;
    break;
  case 3: /* the entry of the same number in the other table */
    i->start_valid_i = 1;
    i->start_id_i = i->r_id_i ^ UINT64_C(1) << (s->cfg.ID_W - 1);
    break;
  default:
    break;
  }
}

/* A reset is wanted: fetches wait, and one starts or ends. */
static bool moment(const state_t *s, const line_fill_regs_t *r, const line_fill_in_t *i) {
  if (s->reset.more & 1) return i->start_valid_i && exists(s, i->start_id_i);
  return i->r_valid_i && i->r_last_i && waits(s, r, i->r_id_i);
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t start_rate[KINDS] = {950, 20, 400, 900, 1000};
  static const uint16_t beat_rate[KINDS] = {50, 950, 700, 900, 1000};
  state_t *s = state;
  const line_fill_regs_t *r = line_fill_regs(model);
  line_fill_in_t *i = (line_fill_in_t *)(void *)in;
  if (stim_phase(&s->phase, KINDS, 300)) {
    if (s->phase.kind == FILL_UP) s->phase.left += 2 * (s->mshrs + s->bypasses);
    if (s->phase.kind == EMPTY) s->phase.left += 8 * (s->mshrs + s->bypasses);
    s->hot = id_of(s, prng_below(&s->phase.rng, s->mshrs + s->bypasses));
  }
  i->start_valid_i = prng_chance(&s->start, start_rate[s->phase.kind]);
  i->r_valid_i = prng_chance(&s->beat, beat_rate[s->phase.kind]);
  next_start(s, r, i);
  next_beat(s, r, i);
  const uint64_t v = prng_next(&s->data);
  i->drain_entry_i = stim_index(&s->data, s->cfg.MSHRS, s->drain_w);
  if ((v & 7) == 0) i->drain_entry_i = bits(i->start_id_i, s->drain_w);
  if (stim_rst_open(&s->reset) && moment(s, r, i)) stim_rst_now(&s->reset);
  i->srst_ni = stim_rst_n(&s->reset);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, FAST, on);
}

static uint64_t start_bins(const state_t *s, const line_fill_regs_t *r, const line_fill_in_t *i,
                           bool good) {
  const uint64_t id = i->start_id_i;
  const bool bypass = is_bypass(s, id), same = good && i->r_id_i == id, last = i->r_last_i;
  if (!i->start_valid_i) return 0;
  if (!exists(s, id)) return HIT(start_none, !bypass) | HIT(start_no_bypass, bypass);
  const bool other = good && entry_of(s, id) == entry_of(s, i->r_id_i) && !same;
  return HIT(start, !bypass) | HIT(start_bypass, bypass) |
         HIT(start_waits, waits(s, r, id) && !same) | HIT(start_beat, same && !bypass) |
         HIT(start_beat_bypass, same && bypass) | HIT(start_last, same && !bypass && last) |
         HIT(start_last_bypass, same && bypass && last) | HIT(start_other, other) |
         HIT(wrong_early, i->r_valid_i && i->r_id_i == id && !good);
}

static uint64_t beat_bins(const state_t *s, const line_fill_regs_t *r, const line_fill_in_t *i,
                          bool good) {
  const uint64_t id = i->r_id_i;
  const bool bypass = is_bypass(s, id), last = i->r_last_i;
  const uint32_t e = entry_of(s, id);
  if (!i->r_valid_i) return 0;
  if (!exists(s, id)) return HIT(wrong_none, !bypass) | HIT(wrong_no_bypass, bypass);
  if (!good) return HIT(wrong, !bypass) | HIT(wrong_bypass, bypass);
  const uint32_t number = bypass ? r->bypass_beat_q[e] : r->beat_q[e];
  return HIT(beat, !bypass && !last) | HIT(beat_bypass, bypass && !last) |
         HIT(last, !bypass && last) | HIT(last_bypass, bypass && last) |
         HIT(last_entry, !bypass && last && e == s->mshrs - 1) |
         HIT(last_entry_bypass, bypass && last && e == s->bypasses - 1) |
         HIT(again, s->had && id == s->before) | HIT(other, s->had && id != s->before) |
         HIT(wraps, !last && number == bits_mask(s->beat_w)) |
         HIT(at_once, s->began && id == s->begun);
}

static uint64_t drain_bins(const state_t *s, const line_fill_regs_t *r, const line_fill_in_t *i) {
  const uint64_t e = i->drain_entry_i;
  if (e >= s->cfg.MSHRS) return HIT(drain_none, true);
  const bool live = r->live_q[e / 32] >> e % 32 & 1;
  return HIT(drain, live) | HIT(drain_dead, !live) |
         HIT(drain_start, i->start_valid_i && i->start_id_i == e);
}

static uint32_t waiting(const line_fill_regs_t *r) {
  uint32_t n = 0;
  for (uint32_t w = 0; w < 4; w++)
    n += (uint32_t)(__builtin_popcount(r->wait_q[w]) + __builtin_popcount(r->bypass_wait_q[w]));
  return n;
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  state_t *s = state;
  const line_fill_regs_t *r = line_fill_regs(model);
  const line_fill_in_t *i = (const line_fill_in_t *)(const void *)in;
  const line_fill_out_t *o = (const line_fill_out_t *)(const void *)out;
  const bool good = i->r_valid_i && !o->r_err_o, starts = i->start_valid_i;
  const uint32_t n = waiting(r);
  if (!i->srst_ni) {
    s->had = s->began = false;
    return HIT(reset_waits, n > 0) | HIT(reset_beat, good && i->r_last_i) |
           HIT(reset_start, starts && exists(s, i->start_id_i));
  }
  const uint64_t hit = start_bins(s, r, i, good) | beat_bins(s, r, i, good) | drain_bins(s, r, i) |
                       HIT(all_wait, n == s->mshrs + s->bypasses) | HIT(none_waits, n == 0);
  s->had = good;
  s->before = i->r_id_i;
  s->began = starts;
  s->begun = i->start_id_i;
  return hit;
}

static bool active(const uint64_t *in) {
  const line_fill_in_t *i = (const line_fill_in_t *)(const void *)in;
  return !i->srst_ni || i->start_valid_i || i->r_valid_i;
}

static const char *table(unsigned id_w, uint64_t id) {
  return id >> (id_w - 1) & 1 ? "b" : "m";
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const line_fill_in_t *i = (const line_fill_in_t *)(const void *)in;
  const line_fill_out_t *o = (const line_fill_out_t *)(const void *)out;
  const unsigned w = line_fill_sizes(cfg)->ID_W;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->start_valid_i)
    stim_say(text, "start %s%u place %u beat %u; ", table(w, i->start_id_i),
             (unsigned)bits(i->start_id_i, w - 1), (unsigned)i->start_place_i,
             (unsigned)i->start_beat_i);
  if (i->r_valid_i)
    stim_say(text, "%s %s%u%s; ", i->r_last_i ? "last beat of" : "beat of", table(w, i->r_id_i),
             (unsigned)bits(i->r_id_i, w - 1), o->r_err_o ? " ignored" : "");
  if (o->write_valid_o)
    stim_say(text, "write place %u beat %u; ", (unsigned)o->write_place_o,
             (unsigned)o->write_beat_o);
  if (o->fill_valid_o) stim_say(text, "fill m%u", (unsigned)o->fill_entry_o);
  if (o->bypass_fill_valid_o) stim_say(text, "fill b%u", (unsigned)o->fill_entry_o);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const line_fill_regs_t *r = line_fill_regs(model);
  const line_fill_cfg_t *c = line_fill_sizes(cfg);
  for (uint32_t e = 0; e < c->MSHRS; e++)
    if (r->wait_q[e / 32] >> e % 32 & 1)
      stim_say(text, " m%u:%u/%u", e, r->place_q[e], r->beat_q[e]);
  for (uint32_t b = 0; b < c->BYPASSES; b++)
    if (r->bypass_wait_q[b / 32] >> b % 32 & 1) stim_say(text, " b%u:%u", b, r->bypass_beat_q[b]);
}

const stim_class_t stim_line_fill = {.stem = "line_fill",
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
