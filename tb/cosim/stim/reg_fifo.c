/* SPDX-License-Identifier: Apache-2.0 */
/* reg_fifo: both ends act in phases of different rates, so that the queue fills, drains and turns.
 * The key that is searched for is mostly that of some place, held or not, or that of the entry that
 * is offered, and now and then differs from it in one bit. */
#include "cosim/stim/stim.h"

#include "reg_fifo.h"

#include <string.h>

enum { FILL_UP, EMPTY, BALANCED, BOTH, STALL, LAST_PLACE, KINDS };

typedef struct {
  reg_fifo_cfg_t cfg;
  unsigned key_w; /* of the bits that both the key and an entry have */
  prng_t rng, data, find;
  stim_phase_t phase, reset;
} state_t;

static bool several(const uint32_t *cfg) {
  return reg_fifo_sizes(cfg)->DEPTH > 1;
}
static bool asked(const uint32_t *cfg) {
  return reg_fifo_sizes(cfg)->FIND_W > 0;
}
static bool asked_several(const uint32_t *cfg) {
  return asked(cfg) && several(cfg);
}
static bool narrow(const uint32_t *cfg) {
  return reg_fifo_sizes(cfg)->FIND_W > reg_fifo_sizes(cfg)->DATA_W;
}
/* Other bits than those of the key are among the low 64. */
static bool wide(const uint32_t *cfg) {
  const uint32_t key_w = reg_fifo_sizes(cfg)->FIND_W;
  return key_w > 0 && key_w < 64 && key_w < reg_fifo_sizes(cfg)->DATA_W;
}

#define BINS(X)                                                                                    \
  X(comes, NULL, "an entry comes")                                                                 \
  X(leaves, NULL, "an entry leaves")                                                               \
  X(both, several, "an entry comes as another one leaves")                                         \
  X(full, NULL, "DEPTH entries are held")                                                          \
  X(refused, NULL, "an entry is refused")                                                          \
  X(refused_leaves, NULL, "an entry is refused as another one leaves")                             \
  X(waits, NULL, "an offer is not taken")                                                          \
  X(asks_empty, NULL, "out_ready_i without an entry")                                              \
  X(comes_empty, NULL, "an entry comes to an empty queue that is asked for one")                   \
  X(full_last, NULL, "DEPTH entries are held, the oldest at the last place")                       \
  X(ones, NULL, "an entry of ones leaves")                                                         \
  X(found, asked, "an entry has the key")                                                          \
  X(found_oldest, asked_several, "only the oldest of several entries has the key")                 \
  X(found_youngest, asked_several, "only the youngest of several entries has the key")             \
  X(found_leaves, asked, "the only entry with the key leaves")                                     \
  X(missed_comes, asked, "only the entry that comes has the key")                                  \
  X(missed_left, asked, "only a place that is not held has the key")                               \
  X(missed_high, narrow, "an entry has the key but for bits beyond it")                            \
  X(found_two, asked_several, "two entries have the key")                                          \
  X(found_other, wide, "the oldest entry has the key, and other bits that are not 0")              \
  X(reset_full, NULL, "a reset while DEPTH entries are held")                                      \
  X(reset_comes, NULL, "a reset as an entry is offered and there is room")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->key_w = s->cfg.FIND_W < s->cfg.DATA_W ? s->cfg.FIND_W : s->cfg.DATA_W;
  s->rng = prng_seed(seed, 1);
  s->data = prng_seed(seed, 2);
  s->find = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
}

/* The low 64 bits of the entry at a place. */
static uint64_t low(const state_t *s, const reg_fifo_regs_t *r, uint32_t place) {
  const uint32_t stride = (s->cfg.DATA_W + 31) / 32, *entry = &r->data_q[place * stride];
  return entry[0] | (stride > 1 ? (uint64_t)entry[1] << 32 : 0);
}

/* An entry: corner values often, and in half of all cycles one of a few keys. */
static void next_data(state_t *s, reg_fifo_in_t *i) {
  const uint64_t v = prng_next(&s->data), ones = (v & 31) == 0 ? UINT64_MAX : 0;
  for (uint32_t w = 0; 64 * w < s->cfg.DATA_W; w++) {
    const uint32_t left = s->cfg.DATA_W - 64 * w, width = left < 64 ? left : 64;
    i->in_data_i[w] = bits(stim_edge(prng_next(&s->data), 64) | ones, width);
  }
  if (s->key_w == 0 || v >> 5 & 1) return;
  i->in_data_i[0] &= ~bits_mask(s->key_w);
  i->in_data_i[0] |= bits(v >> 8 & 3, s->key_w);
}

static void next_find(state_t *s, const reg_fifo_regs_t *r, reg_fifo_in_t *i) {
  const uint64_t v = prng_next(&s->find);
  const uint32_t place = prng_below(&s->find, s->cfg.DEPTH), width = s->cfg.FIND_W;
  uint64_t wanted = (v & 7) == 0 ? i->in_data_i[0] : low(s, r, (v & 7) < 5 ? place : r->head_q);
  if ((v & 7) == 7) wanted = v >> 8;
  wanted = bits(wanted, s->key_w);
  if (v >> 3 & 1) wanted ^= UINT64_C(1) << (v >> 8) % (width ? width : 1);
  i->find_i = bits(wanted, width ? width : 1);
}

static bool full(const state_t *s, const reg_fifo_regs_t *r) {
  return r->count_q == s->cfg.DEPTH;
}

/* One phase turns the ring until its oldest entry is at the last place, and fills it there. */
static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t come[KINDS] = {900, 100, 500, 1000, 700, 1000};
  static const uint16_t take[KINDS] = {100, 900, 500, 1000, 0, 1000};
  state_t *s = state;
  const reg_fifo_regs_t *r = reg_fifo_regs(model);
  reg_fifo_in_t *i = (reg_fifo_in_t *)(void *)in;
  stim_phase(&s->phase, KINDS, 200);
  i->in_valid_i = prng_chance(&s->rng, come[s->phase.kind]);
  i->out_ready_i = prng_chance(&s->rng, take[s->phase.kind]);
  next_data(s, i);
  next_find(s, r, i);
  if (s->phase.kind == LAST_PLACE && r->head_q == s->cfg.DEPTH - 1)
    i->out_ready_i = full(s, r) && prng_chance(&s->rng, 100);
  if (stim_rst_open(&s->reset) && (full(s, r) || prng_chance(&s->rng, 50))) stim_rst_now(&s->reset);
  i->srst_ni = stim_rst_n(&s->reset);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, BOTH, on);
}

/* Bit p: the key of place p, held or not, is `wanted`. */
static uint64_t places_with_key(const state_t *s, const reg_fifo_regs_t *r, uint64_t wanted) {
  uint64_t found = 0;
  for (uint32_t p = 0; p < s->cfg.DEPTH; p++)
    found |= (uint64_t)(bits(low(s, r, p), s->cfg.FIND_W) == wanted) << p;
  return found;
}

/* Bins of the search. */
static uint64_t find_bins(const state_t *s, const reg_fifo_regs_t *r, const reg_fifo_in_t *i,
                          bool comes, bool leaves) {
  if (s->cfg.FIND_W == 0) return 0;
  const uint64_t same = places_with_key(s, r, i->find_i), held = same & r->held_q;
  const uint64_t head = UINT64_C(1) << r->head_q, none = r->count_q == 0;
  const uint64_t last = UINT64_C(1)
                        << (r->tail_q == 0 ? s->cfg.DEPTH - 1 : (uint32_t)r->tail_q - 1);
  const bool narrow = s->cfg.FIND_W > s->cfg.DATA_W, several = r->count_q > 1;
  const uint64_t beyond = i->find_i & ~bits_mask(s->key_w);
  return HIT(found, held != 0) | HIT(found_oldest, held == head && several) |
         HIT(found_youngest, held == last && several) |
         HIT(found_leaves, held == head && leaves && !none) |
         HIT(missed_comes,
             held == 0 && comes && bits(i->in_data_i[0], s->cfg.FIND_W) == i->find_i) |
         HIT(missed_left, held == 0 && same != 0) | HIT(found_two, (held & (held - 1)) != 0) |
         HIT(missed_high,
             narrow && beyond && !none && low(s, r, r->head_q) == bits(i->find_i, s->key_w)) |
         HIT(found_other, (held & head) && (low(s, r, r->head_q) & ~bits_mask(s->key_w)));
}

/* The number of bits that are set in an entry. */
static uint32_t ones(const uint64_t *entry, uint32_t width) {
  uint32_t n = 0;
  for (uint32_t w = 0; 64 * w < width; w++) n += (uint32_t)__builtin_popcountll(entry[w]);
  return n;
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const state_t *s = state;
  const reg_fifo_regs_t *r = reg_fifo_regs(model);
  const reg_fifo_in_t *i = (const reg_fifo_in_t *)(const void *)in;
  const reg_fifo_out_t *o = (const reg_fifo_out_t *)(const void *)out;
  if (!i->srst_ni)
    return HIT(reset_full, full(s, r)) | HIT(reset_comes, i->in_valid_i && o->in_ready_o);
  const bool comes = i->in_valid_i && o->in_ready_o, leaves = i->out_ready_i && o->out_valid_o;
  const bool refused = i->in_valid_i && !o->in_ready_o, empty = !o->out_valid_o;
  return find_bins(s, r, i, comes, leaves) | HIT(comes, comes) | HIT(leaves, leaves) |
         HIT(both, comes && leaves) | HIT(full, full(s, r)) | HIT(refused, refused) |
         HIT(refused_leaves, refused && leaves) | HIT(waits, o->out_valid_o && !i->out_ready_i) |
         HIT(asks_empty, i->out_ready_i && empty) |
         HIT(comes_empty, i->out_ready_i && empty && comes) |
         HIT(full_last, full(s, r) && r->head_q == s->cfg.DEPTH - 1) |
         HIT(ones, leaves && ones(o->out_data_o, s->cfg.DATA_W) == s->cfg.DATA_W);
}

static bool active(const uint64_t *in) {
  const reg_fifo_in_t *i = (const reg_fifo_in_t *)(const void *)in;
  return !i->srst_ni || i->in_valid_i || i->out_ready_i;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const reg_fifo_in_t *i = (const reg_fifo_in_t *)(const void *)in;
  const reg_fifo_out_t *o = (const reg_fifo_out_t *)(const void *)out;
  const char *more = reg_fifo_sizes(cfg)->DATA_W > 64 ? "..." : "";
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->in_valid_i)
    stim_say(text, "comes %s0x%llx%s; ", more, (unsigned long long)i->in_data_i[0],
             o->in_ready_o ? "" : " refused");
  if (i->out_ready_i && o->out_valid_o)
    stim_say(text, "leaves %s0x%llx; ", more, (unsigned long long)o->out_data_o[0]);
  if (reg_fifo_sizes(cfg)->FIND_W)
    stim_say(text, "find 0x%llx%s", (unsigned long long)i->find_i, o->find_o ? " found" : "");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const reg_fifo_regs_t *r = reg_fifo_regs(model);
  stim_say(text, "%u of %u entries, the oldest at place %u", r->count_q,
           (unsigned)reg_fifo_sizes(cfg)->DEPTH, r->head_q);
}

const stim_class_t stim_reg_fifo = {.stem = "reg_fifo",
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
