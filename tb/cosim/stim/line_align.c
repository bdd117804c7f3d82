/* SPDX-License-Identifier: Apache-2.0 */
/* line_align: requests of one half, of both halves, of all lanes, of none, and a core that takes the
 * answers at different rates. Words are random, in a row, reversed or all the same. The line holds
 * for both passes of a request, except now and then. */
#include "cosim/stim/stim.h"

#include "line_align.h"

#include <string.h>

enum { BALANCED, FLOW, SLOW_CORE, BOTH_HALVES, SPARSE, KINDS };

typedef struct {
  line_align_cfg_t cfg;
  unsigned word_w, half;
  prng_t request, line, core;
  stim_phase_t phase, reset;
  uint64_t held[16]; /* the line of the cycle before */
  bool moved;        /* the line has changed between the passes */
} state_t;

static bool two_passes(const uint32_t *cfg) {
  return line_align_sizes(cfg)->PASSES == 2 && line_align_sizes(cfg)->LANES > 1;
}
static bool halves(const uint32_t *cfg) {
  return line_align_sizes(cfg)->LANES > 1;
}
static bool odd_words(const uint32_t *cfg) {
  const uint32_t words = line_align_sizes(cfg)->WORDS;
  return (1u << bits_index_w(words)) > words;
}

#define BINS(X)                                                                                    \
  X(take_lower, NULL, "a request of the lower half is taken")                                      \
  X(take_upper, halves, "a request of the upper half")                                             \
  X(take_both, halves, "a request of lanes in both halves")                                        \
  X(take_all, NULL, "a request of all lanes")                                                      \
  X(take_none, NULL, "a request without lanes")                                                    \
  X(second_pass, two_passes, "the second pass of a request")                                       \
  X(new_line, two_passes, "the line changes between the passes")                                   \
  X(refused_more, two_passes, "refused: a second pass is under way")                               \
  X(refused_wait, NULL, "refused: the answer before it is not taken")                              \
  X(flow, NULL, "a request is taken in the cycle in which an answer leaves")                       \
  X(flow_both, two_passes, "the same, and the request has lanes in both halves")                   \
  X(wait, NULL, "an answer waits")                                                                 \
  X(leave, NULL, "an answer leaves, no request is taken")                                          \
  X(no_word, odd_words, "a lane asks for a word that the line does not have")                      \
  X(last_word, NULL, "the last lane gets the last word")                                           \
  X(info_ones, NULL, "an answer with ones only in its information")                                \
  X(reset_more, two_passes, "a reset between the passes")                                          \
  X(reset_valid, NULL, "a reset while an answer is offered")                                       \
  X(reset_take, NULL, "a request during reset")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->word_w = bits_index_w(s->cfg.WORDS);
  s->half = (s->cfg.LANES + 1) / 2;
  s->request = prng_seed(seed, 1);
  s->line = prng_seed(seed, 2);
  s->core = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
}

static uint64_t mask_of(state_t *s) {
  const uint64_t v = prng_next(&s->request), all = bits_mask(s->cfg.LANES);
  const uint64_t lower = bits_mask(s->half);
  const uint32_t kind = s->phase.kind == BOTH_HALVES ? 7 : v & 7;
  const uint64_t some = v >> 32 & all;
  switch (kind) {
  case 0:
    return some & lower;
  case 1:
    return some & ~lower;
  case 2:
    return all;
  case 3:
    return stim_at_edge(v >> 3, s->cfg.LANES);
  case 4:
    return (v >> 3 & 3) == 0 ? 0 : some;
  default:
    return some;
  }
}

static void next_request(state_t *s, line_align_in_t *i) {
  const uint64_t v = prng_next(&s->request);
  const uint32_t lanes = s->cfg.LANES;
  memset(i->in_word_i, 0, sizeof i->in_word_i);
  for (uint32_t l = 0; l < lanes; l++) {
    uint64_t k = bits(prng_next(&s->request) >> 7, s->word_w);
    if ((v & 7) == 0) k = bits(v >> 8, s->word_w);               /* all the same */
    if ((v & 7) == 1) k = bits((v >> 8) + l, s->word_w);         /* in a row */
    if ((v & 7) == 2) k = bits((v >> 8) + lanes - l, s->word_w); /* reversed */
    if ((v & 7) == 3) k = s->cfg.WORDS - 1;
    words_put(i->in_word_i, l * s->word_w, s->word_w, k);
  }
  i->in_mask_i = mask_of(s);
  i->in_info_i = stim_edge(prng_next(&s->request), s->cfg.INFO_W);
}

static void next_line(state_t *s, const line_align_regs_t *r, line_align_in_t *i) {
  const unsigned width = s->cfg.WORDS * 32;
  s->moved = r->more_q && prng_chance(&s->line, 100);
  if (!r->more_q || s->moved)
    for (unsigned w = 0; w < (width + 63) / 64; w++) {
      const unsigned here = width - 64 * w < 64 ? width - 64 * w : 64;
      s->held[w] = stim_edge(bits(prng_next(&s->line), here), here);
    }
  memcpy(i->in_line_i, s->held, sizeof s->held);
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t in_rate[KINDS] = {600, 980, 900, 900, 60};
  static const uint16_t out_rate[KINDS] = {600, 980, 200, 900, 500};
  state_t *s = state;
  const line_align_regs_t *r = line_align_regs(model);
  line_align_in_t *i = (line_align_in_t *)(void *)in;
  stim_phase(&s->phase, KINDS, 300);
  i->in_valid_i = prng_chance(&s->request, in_rate[s->phase.kind]);
  i->out_ready_i = prng_chance(&s->core, out_rate[s->phase.kind]);
  next_request(s, i);
  next_line(s, r, i);
  if (stim_rst_open(&s->reset) && r->more_q && prng_chance(&s->reset.rng, 300))
    stim_rst_now(&s->reset);
  i->srst_ni = stim_rst_n(&s->reset);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, FLOW, on);
}

static uint64_t take_bins(const state_t *s, const line_align_regs_t *r, const line_align_in_t *i) {
  const uint64_t m = i->in_mask_i, lower = m & bits_mask(s->half), upper = m & ~bits_mask(s->half);
  const uint32_t last = s->cfg.LANES - 1;
  bool no_word = false;
  for (uint32_t l = 0; l < s->cfg.LANES; l++)
    no_word |= (m >> l & 1) && words_get(i->in_word_i, l * s->word_w, s->word_w) >= s->cfg.WORDS;
  const uint64_t last_word = words_get(i->in_word_i, last * s->word_w, s->word_w);
  return HIT(take_lower, lower && !upper) | HIT(take_upper, upper && !lower) |
         HIT(take_both, upper && lower) | HIT(take_all, m == bits_mask(s->cfg.LANES)) |
         HIT(take_none, m == 0) | HIT(flow, r->out_valid_q) |
         HIT(flow_both, r->out_valid_q && upper && lower && s->cfg.PASSES == 2) |
         HIT(no_word, no_word) | HIT(last_word, (m >> last & 1) && last_word == s->cfg.WORDS - 1);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  state_t *s = state;
  const line_align_regs_t *r = line_align_regs(model);
  const line_align_in_t *i = (const line_align_in_t *)(const void *)in;
  const line_align_out_t *o = (const line_align_out_t *)(const void *)out;
  if (!i->srst_ni)
    return HIT(reset_more, r->more_q) | HIT(reset_valid, r->out_valid_q) |
           HIT(reset_take, i->in_valid_i && o->in_ready_o);
  const bool take = i->in_valid_i && o->in_ready_o;
  uint64_t hit = take ? take_bins(s, r, i) : 0;
  hit |= HIT(second_pass, r->more_q) | HIT(new_line, s->moved) |
         HIT(refused_more, i->in_valid_i && r->more_q) |
         HIT(refused_wait, i->in_valid_i && r->out_valid_q && !i->out_ready_i) |
         HIT(wait, r->out_valid_q && !i->out_ready_i) |
         HIT(leave, r->out_valid_q && i->out_ready_i && !take) |
         HIT(info_ones, r->out_valid_q && o->out_info_o == bits_mask(s->cfg.INFO_W));
  return hit;
}

static bool active(const uint64_t *in) {
  const line_align_in_t *i = (const line_align_in_t *)(const void *)in;
  return i->in_valid_i || i->out_ready_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const line_align_in_t *i = (const line_align_in_t *)(const void *)in;
  const line_align_out_t *o = (const line_align_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->in_valid_i)
    stim_say(text, "request lanes 0x%llx info 0x%llx%s; ", (unsigned long long)i->in_mask_i,
             (unsigned long long)i->in_info_i, o->in_ready_o ? "" : " refused");
  if (o->out_valid_o)
    stim_say(text, "answer lanes 0x%llx info 0x%llx 0x%llx...%s", (unsigned long long)o->out_mask_o,
             (unsigned long long)o->out_info_o, (unsigned long long)o->out_data_o[0],
             i->out_ready_i ? " taken" : " waits");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const line_align_regs_t *r = line_align_regs(model);
  (void)cfg;
  stim_say(text, "%s", r->more_q ? "second pass" : r->out_valid_q ? "an answer" : "empty");
}

const stim_class_t stim_line_align = {.stem = "line_align",
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
