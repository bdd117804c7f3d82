/* SPDX-License-Identifier: Apache-2.0 */
/* coalescer: instructions whose lanes are in one line, in a row of words, a stride apart, among a
 * few lines or anywhere, with every split. The part behind takes the requests at different rates. */
#include "cosim/stim/stim.h"

#include "coalescer.h"

#include <string.h>

enum { BALANCED, FLOW, SLOW, NARROW, APART, KINDS };
enum { ONE_LINE, ROW, STRIDE, FEW, ANYWHERE, EDGES, MIRROR, PATTERNS };

typedef struct {
  coalescer_cfg_t cfg;
  unsigned word_w;
  prng_t source, lanes, sink;
  stim_phase_t phase, reset;
} state_t;

static bool lanes2(const uint32_t *cfg) {
  return coalescer_sizes(cfg)->LANES > 1;
}
static bool lanes3(const uint32_t *cfg) {
  return coalescer_sizes(cfg)->LANES > 2;
}
static bool sectors2(const uint32_t *cfg) {
  return coalescer_sizes(cfg)->LANES > 1 && coalescer_sizes(cfg)->SECTORS > 1;
}
static bool descending(const uint32_t *cfg) {
  return coalescer_sizes(cfg)->ORDER == 1;
}
static bool overtakes(const uint32_t *cfg) {
  return descending(cfg) && lanes2(cfg);
}
/* As many lines as lanes exist. */
static bool apart(const uint32_t *cfg) {
  const coalescer_cfg_t *c = coalescer_sizes(cfg);
  return c->ADDR_W + (bits_index_w(c->WORDS) > 1 ? 2 : 1) >= bits_clog2(c->LANES);
}

#define BINS(X)                                                                                    \
  X(none, NULL, "an instruction without lanes is taken")                                           \
  X(some, lanes2, "one of some of the lanes")                                                      \
  X(all, NULL, "one of all lanes")                                                                 \
  X(split_line, NULL, "one whose lanes share lines")                                               \
  X(split_half, NULL, "one whose lanes share halves")                                              \
  X(split_quarter, NULL, "one whose lanes share quarters")                                         \
  X(split_3, NULL, "the same, as split 3")                                                         \
  X(follows, NULL, "it is taken in the cycle in which the last request before it leaves")          \
  X(refused_more, lanes2, "refused: more than one request is left")                                \
  X(refused_wait, NULL, "refused: the last request waits for the output register")                 \
  X(search, descending, "the search for the highest place")                                        \
  X(search_wait, descending, "the same, while a request waits in the output register")             \
  X(one, lanes2, "a request serves all lanes of an instruction of several lanes")                  \
  X(most, apart, "the LANES-th request of an instruction")                                         \
  X(gap, lanes3, "a request serves lanes that are not neighbours, another one those between")      \
  X(outside, lanes2, "a lane outside the instruction has the leading place")                       \
  X(again, lanes2, "two requests of an instruction, one after the other, are for one line")        \
  X(overtakes, overtakes, "a request leaves before that of a lower lane")                          \
  X(last_lane, NULL, "a request of the last lane alone")                                           \
  X(sector_first, NULL, "a request for the first sector only")                                     \
  X(sectors_two, sectors2, "a request for two sectors or more")                                    \
  X(line_0, NULL, "a request for line 0")                                                          \
  X(line_top, NULL, "a request for the highest line")                                              \
  X(flow, NULL, "a request leaves the first stage while another one is taken")                     \
  X(wait, NULL, "a request waits")                                                                 \
  X(drained, NULL, "a request is taken, and none follows")                                         \
  X(idle, NULL, "nothing is under way")                                                            \
  X(reset_left, NULL, "a reset while lanes are left")                                              \
  X(reset_found, descending, "a reset after the search")                                           \
  X(reset_valid, NULL, "a reset while a request is offered")                                       \
  X(reset_take, NULL, "an instruction during reset")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->word_w = bits_index_w(s->cfg.WORDS);
  s->source = prng_seed(seed, 1);
  s->lanes = prng_seed(seed, 2);
  s->sink = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
}

/* The number of the word that lane `l` accesses, counted from line 0 on. */
static uint64_t word_of(state_t *s, uint32_t pattern, uint64_t base, uint32_t l) {
  const uint64_t v = prng_next(&s->lanes);
  const uint64_t top = bits_mask(s->cfg.ADDR_W + s->word_w);
  switch (pattern) {
  case ONE_LINE:
    return (base & ~bits_mask(s->word_w)) | bits(v, s->word_w);
  case ROW:
    return base + l;
  case STRIDE:
    return base + l * (2 + (base >> 50) % 200);
  case FEW:
    return (base & ~bits_mask(s->word_w + 3)) | bits(v, s->word_w + 3);
  case EDGES:
    return v >> 40 & 1 ? top - (v & 15) : v & 15;
  case MIRROR:
    return base - l * (1 + (base >> 50) % 40);
  default:
    return v;
  }
}

static uint32_t pattern_of(const state_t *s, uint64_t v) {
  if (s->phase.kind == NARROW) return v & 1 ? ONE_LINE : ROW;
  if (s->phase.kind == APART) return v & 1 ? ANYWHERE : STRIDE;
  return (uint32_t)(v % PATTERNS);
}

static uint64_t mask_of(state_t *s) {
  const uint64_t v = prng_next(&s->source), all = bits_mask(s->cfg.LANES);
  switch (v & 7) {
  case 0:
    return all;
  case 1:
    return stim_at_edge(v >> 3, s->cfg.LANES);
  case 2:
    return v >> 32 & v >> 16 & all;
  case 3:
    return v & 0x30 ? all : 0;
  default:
    return v >> 32 & all;
  }
}

static void next_instruction(state_t *s, coalescer_in_t *i) {
  const uint64_t v = prng_next(&s->source), base = prng_next(&s->source);
  const uint32_t a = s->cfg.ADDR_W, w = s->word_w, pattern = pattern_of(s, v >> 8);
  memset(i->in_line_i, 0, sizeof i->in_line_i);
  memset(i->in_word_i, 0, sizeof i->in_word_i);
  for (uint32_t l = 0; l < s->cfg.LANES; l++) {
    const uint64_t at = word_of(s, pattern, base, l);
    words_put(i->in_line_i, l * a, a, at >> w);
    words_put(i->in_word_i, l * w, w, at);
  }
  i->in_mask_i = mask_of(s);
  i->in_split_i = v >> 3 & 3;
  i->in_info_i = stim_edge(prng_next(&s->source), s->cfg.INFO_W);
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t in_rate[KINDS] = {500, 980, 800, 900, 600};
  static const uint16_t out_rate[KINDS] = {600, 980, 150, 800, 900};
  state_t *s = state;
  const coalescer_regs_t *r = coalescer_regs(model);
  coalescer_in_t *i = (coalescer_in_t *)(void *)in;
  stim_phase(&s->phase, KINDS, 300);
  i->in_valid_i = prng_chance(&s->source, in_rate[s->phase.kind]);
  i->out_ready_i = prng_chance(&s->sink, out_rate[s->phase.kind]);
  next_instruction(s, i);
  if (stim_rst_open(&s->reset) && r->left_q && prng_chance(&s->reset.rng, 300))
    stim_rst_now(&s->reset);
  i->srst_ni = stim_rst_n(&s->reset);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, FLOW, on);
}

static uint64_t take_bins(const state_t *s, const coalescer_regs_t *r, const coalescer_in_t *i) {
  const uint64_t m = i->in_mask_i, all = bits_mask(s->cfg.LANES), split = i->in_split_i;
  return HIT(none, m == 0) | HIT(some, m != 0 && m != all) | HIT(all, m == all) |
         HIT(split_line, split == 0) | HIT(split_half, split == 1) |
         HIT(split_quarter, split == 2) | HIT(split_3, split == 3) | HIT(follows, r->left_q != 0);
}

/* A request in the output register, and what the first stage still holds of its instruction. */
static uint64_t request_bins(const state_t *s, const coalescer_regs_t *r,
                             const coalescer_out_t *o) {
  const uint64_t m = o->out_lanes_o, low = m & -m;
  const uint64_t more = o->out_last_o ? 0 : r->left_q, top = UINT64_C(1) << (s->cfg.LANES - 1);
  uint64_t between = 0;
  for (uint64_t l = low; l && l < m; l <<= 1) between |= m & l ? 0 : l;
  between &= m ? bits_mask(64 - (unsigned)__builtin_clzll(m)) : 0;
  return HIT(one, m != low && o->out_first_o && o->out_last_o) |
         HIT(most, o->out_number_o == s->cfg.LANES - 1) | HIT(gap, (between & more) != 0) |
         HIT(overtakes, (more & (low - 1)) != 0) | HIT(last_lane, m == top) |
         HIT(sector_first, o->out_sectors_o == 1) |
         HIT(sectors_two, (o->out_sectors_o & (o->out_sectors_o - 1)) != 0) |
         HIT(line_0, o->out_line_o == 0) | HIT(line_top, o->out_line_o == bits_mask(s->cfg.ADDR_W));
}

/* The lanes outside the instruction that are where its lowest lane is, word for word. */
static bool outside(const state_t *s, const coalescer_regs_t *r) {
  if (r->left_q == 0 || r->number_q != 0) return false;
  const uint32_t first = (uint32_t)__builtin_ctz(r->left_q);
  for (uint32_t l = 0; l < s->cfg.LANES; l++)
    if (!(r->left_q >> l & 1) && r->line_q[l] == r->line_q[first] &&
        r->word_q[l] == r->word_q[first])
      return true;
  return false;
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  state_t *s = state;
  const coalescer_regs_t *r = coalescer_regs(model);
  const coalescer_in_t *i = (const coalescer_in_t *)(const void *)in;
  const coalescer_out_t *o = (const coalescer_out_t *)(const void *)out;
  if (!i->srst_ni)
    return HIT(reset_left, r->left_q) | HIT(reset_found, r->found_q) |
           HIT(reset_valid, r->out_valid_q) | HIT(reset_take, i->in_valid_i && o->in_ready_o);
  const bool take = i->in_valid_i && o->in_ready_o, free = !o->out_valid_o || i->out_ready_i;
  const bool searches = s->cfg.ORDER && r->left_q && !r->found_q;
  const bool leaves = r->left_q && !searches && free;
  const bool one_line = r->left_q && o->out_valid_o && !o->out_last_o && leaves &&
                        (r->left_q & (r->left_q - 1)) == 0 &&
                        r->line_q[__builtin_ctz(r->left_q)] == o->out_line_o;
  uint64_t hit = take ? take_bins(s, r, i) : 0;
  if (o->out_valid_o) hit |= request_bins(s, r, o);
  hit |= HIT(refused_more, i->in_valid_i && leaves && !o->in_ready_o) |
         HIT(refused_wait, i->in_valid_i && r->left_q && !searches && !free) |
         HIT(search, searches) | HIT(search_wait, searches && !free) | HIT(outside, outside(s, r)) |
         HIT(again, one_line) | HIT(flow, leaves && o->out_valid_o) | HIT(wait, !free) |
         HIT(drained, o->out_valid_o && i->out_ready_i && !leaves) | HIT(idle, o->idle_o);
  return hit;
}

static bool active(const uint64_t *in) {
  const coalescer_in_t *i = (const coalescer_in_t *)(const void *)in;
  return i->in_valid_i || i->out_ready_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const coalescer_in_t *i = (const coalescer_in_t *)(const void *)in;
  const coalescer_out_t *o = (const coalescer_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->in_valid_i)
    stim_say(text, "instruction lanes 0x%llx split %u info 0x%llx lines 0x%llx...%s; ",
             (unsigned long long)i->in_mask_i, (unsigned)i->in_split_i,
             (unsigned long long)i->in_info_i, (unsigned long long)i->in_line_i[0],
             o->in_ready_o ? "" : " refused");
  if (o->out_valid_o)
    stim_say(text, "request %u%s line 0x%llx sectors 0x%llx lanes 0x%llx%s",
             (unsigned)o->out_number_o, o->out_last_o ? " (last)" : "",
             (unsigned long long)o->out_line_o, (unsigned long long)o->out_sectors_o,
             (unsigned long long)o->out_lanes_o, i->out_ready_i ? " taken" : " waits");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const coalescer_regs_t *r = coalescer_regs(model);
  (void)cfg;
  stim_say(text, "%d lanes left%s%s", __builtin_popcount(r->left_q), r->found_q ? ", found" : "",
           r->out_valid_q ? ", a request offered" : "");
}

const stim_class_t stim_coalescer = {.stem = "coalescer",
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
