/* SPDX-License-Identifier: Apache-2.0 */
/* The stimulus of stream_table: a few walkers that go on, stay, jump or follow one another, in phases. */
#include "cosim/stim/stim.h"

#include "kit.h"
#include "stream_table.h"

enum { WALKERS = 20 };

typedef struct {
  prng_t rng;
  stim_phase_t phase, reset;
  unsigned addr_w;
  uint64_t line[WALKERS];
} state_t;

static bool several(const uint32_t *cfg) {
  return stream_table_sizes(cfg)->ENTRIES > 1;
}

#define BINS(X)                                                                                    \
  X(begin, NULL, "a stream begins")                                                                \
  X(replace, NULL, "a stream takes the place of another")                                          \
  X(hit, NULL, "a stream goes on")                                                                 \
  X(repeat, NULL, "a stream's last line again")                                                    \
  X(ask, NULL, "a prefetch is asked for")                                                          \
  X(refill, NULL, "a prefetch is asked for as the one before is taken")                            \
  X(drop, NULL, "a prefetch is lost")                                                              \
  X(two, several, "two streams expect the line")                                                   \
  X(wrap, NULL, "a stream goes on behind the last line")                                           \
  X(flush_hit, NULL, "a flush and a hit in one cycle")                                             \
  X(flush_wait, NULL, "a flush while a request waits")                                             \
  X(all, NULL, "all streams are in use")                                                           \
  X(reset, NULL, "a reset while streams are held")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  *s = (state_t){.rng = prng_seed(seed, 1),
                 .phase = {.rng = prng_seed(seed, 2)},
                 .reset = {.rng = prng_seed(seed, 3)},
                 .addr_w = stream_table_sizes(cfg)->ADDR_W};
}

/* The next line of a walker. */
static uint64_t walk(state_t *s, unsigned w) {
  const uint32_t dice = prng_below(&s->rng, 1000);
  if (dice < 60) return stim_edge(prng_next(&s->rng), 48);
  if (dice < 80) return (UINT64_C(1) << s->addr_w) - 3;
  if (dice < 130) return s->line[prng_below(&s->rng, WALKERS)] - prng_below(&s->rng, 2);
  return s->line[w] + (dice < 830);
}

static void next(void *state, const void *model, uint64_t *in) {
  static const unsigned walkers[] = {1, 2, 4, 7, 20}, ready[] = {500, 100, 900, 300, 600};
  state_t *s = state;
  stream_table_in_t *i = (stream_table_in_t *)(void *)in;
  (void)model;
  stim_phase(&s->phase, sizeof walkers / sizeof *walkers, 300);
  const unsigned w = prng_below(&s->rng, walkers[s->phase.kind]);
  i->srst_ni = stim_rst_n(&s->reset);
  i->flush_i = prng_chance(&s->rng, 4);
  i->acc_valid_i = prng_chance(&s->rng, 800);
  i->pf_ready_i = prng_chance(&s->rng, ready[s->phase.kind]);
  i->acc_line_i = bits(walk(s, w), s->addr_w);
  if (i->acc_valid_i) s->line[w] = i->acc_line_i;
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const state_t *s = state;
  const stream_table_in_t *i = (const stream_table_in_t *)(const void *)in;
  const stream_table_out_t *o = (const stream_table_out_t *)(const void *)out;
  const stream_table_regs_t *r = stream_table_regs(model);
  module_reg_t regs[MODULE_MAX_REGS];
  unsigned n = 0, expect = 0;
  bool trusted = false;
  stream_table_class.regs(model, regs);
  const unsigned entries = regs[2].words;
  for (unsigned e = 0; e < entries; e++) {
    if (!(r->valid_q >> e & 1)) continue;
    n++;
    if (bits(r->line_q[e] + 1, s->addr_w) == i->acc_line_i && expect++ == 0)
      trusted = r->trust_q[e] > 0;
  }
  if (!i->srst_ni) return HIT(reset, n > 0);
  const bool access = i->acc_valid_i && !i->flush_i, begin = access && !o->hit_o && !o->repeat_o;
  return HIT(begin, begin) | HIT(replace, begin && n == entries) | HIT(hit, access && o->hit_o) |
         HIT(repeat, access && o->repeat_o) | HIT(ask, access && trusted && !o->pf_valid_o) |
         HIT(refill, access && trusted && o->pf_valid_o && i->pf_ready_i) | HIT(drop, o->drop_o) |
         HIT(two, access && expect > 1) | HIT(wrap, access && o->hit_o && i->acc_line_i == 0) |
         HIT(flush_hit, i->acc_valid_i && i->flush_i && o->hit_o) |
         HIT(flush_wait, i->flush_i && o->pf_valid_o && !i->pf_ready_i) | HIT(all, n == entries);
}

static bool active(const uint64_t *in) {
  const stream_table_in_t *i = (const stream_table_in_t *)(const void *)in;
  return !i->srst_ni || i->flush_i || i->acc_valid_i || i->pf_ready_i;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const stream_table_in_t *i = (const stream_table_in_t *)(const void *)in;
  const stream_table_out_t *o = (const stream_table_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset ");
  if (i->flush_i) stim_say(text, "flush ");
  if (i->acc_valid_i)
    stim_say(text, "access 0x%llx%s%s%s ", (unsigned long long)i->acc_line_i,
             o->hit_o ? " hit" : "", o->repeat_o ? " again" : "", o->drop_o ? " dropped" : "");
  if (i->pf_ready_i && o->pf_valid_o)
    stim_say(text, "prefetch 0x%llx", (unsigned long long)o->pf_line_o);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  stim_say(text, "%d of %u streams", __builtin_popcount(stream_table_regs(model)->valid_q),
           (unsigned)stream_table_sizes(cfg)->ENTRIES);
}

KIT_MODULE(stream_table)
KIT_STIMULUS = {.stem = "stream_table",
                .size = sizeof(state_t),
                .start = start,
                .next = next,
                .sample = sample,
                .active = active,
                .describe = describe,
                .occupancy = occupancy,
                .bins = bins,
                .n_bins = N_BINS};
