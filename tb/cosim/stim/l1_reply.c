/* SPDX-License-Identifier: Apache-2.0 */
/* l1_reply: sources that are busy or rare, each alone or together; an aligner of one pass, of
 * several passes, a slow one, and one that keeps no rule. */
#include "cosim/stim/stim.h"

#include "l1_reply.h"

#include <string.h>

enum { ALL, READS, FILLS, BYPASSED, SPARSE, BLOCKED, WILD, RUSH, KINDS };

typedef struct {
  l1_reply_cfg_t cfg;
  prng_t source, data, out;
  stim_phase_t phase, reset;
  unsigned place_w, data_w;
} state_t;

/* Whether an entry of the bypass table can be named that does not exist. */
static bool odd_bypasses(const uint32_t *cfg) {
  return (1u << bits_index_w(l1_reply_sizes(cfg)->BYPASSES)) > l1_reply_sizes(cfg)->BYPASSES;
}

#define BINS(X)                                                                                    \
  X(take_read, NULL, "a hit is taken")                                                             \
  X(take_mshr, NULL, "a read of the MSHR table is taken")                                          \
  X(take_bypass, NULL, "a read of the bypass table is taken")                                      \
  X(after_read_two, NULL, "after a hit, both other sources wait")                                  \
  X(after_mshr_two, NULL, "after a read of the MSHR table, both other sources wait")               \
  X(after_bypass_two, NULL, "after a read of the bypass table, both other sources wait")           \
  X(three, NULL, "all sources wait, one is taken")                                                 \
  X(same_again, NULL, "the source taken last is taken again, alone")                               \
  X(refuse, NULL, "a source waits, the stage is not free")                                         \
  X(empty, NULL, "the stage is free and no source waits")                                          \
  X(stall, NULL, "the offered request is not started")                                             \
  X(start_done, NULL, "a request starts and ends in one cycle")                                    \
  X(start_only, NULL, "a request starts and does not end")                                         \
  X(done_later, NULL, "a started request ends")                                                    \
  X(hold, NULL, "a started request does not end")                                                  \
  X(done_early, NULL, "line_done_i before the start is ignored")                                   \
  X(done_empty, NULL, "line_done_i while the stage is empty")                                      \
  X(back_to_back, NULL, "a request ends and another is taken")                                     \
  X(drained, NULL, "a request ends and none is taken")                                             \
  X(release, NULL, "the last read of an MSHR entry is taken")                                      \
  X(last_refused, NULL, "the last read of an MSHR entry waits")                                    \
  X(place_high, NULL, "the bypass place of the highest entry is read")                             \
  X(no_entry, odd_bypasses, "a bypass entry that does not exist")                                  \
  X(reset_offered, NULL, "reset while a request is offered")                                       \
  X(reset_started, NULL, "reset while a request is started")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->source = prng_seed(seed, 1);
  s->data = prng_seed(seed, 2);
  s->out = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
  s->place_w = bits_index_w(s->cfg.LINES + s->cfg.BYPASSES);
  s->data_w = s->cfg.NUMBER_W + s->cfg.ENTRY_W;
}

/* A value of this width; half of them are a corner value or a single bit. */
static uint64_t value(state_t *s, unsigned width) {
  const uint64_t v = prng_next(&s->data);
  return v & 1 ? stim_at_edge(v >> 1, width) : bits(v >> 1, width);
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t read_rate[KINDS] = {900, 800, 200, 100, 60, 700, 500, 1000};
  static const uint16_t mshr_rate[KINDS] = {900, 150, 800, 200, 60, 700, 500, 1000};
  static const uint16_t bypass_rate[KINDS] = {900, 100, 150, 800, 60, 700, 500, 1000};
  static const uint16_t out_rate[KINDS] = {900, 900, 800, 600, 700, 100, 500, 1000};
  static const uint16_t done_rate[KINDS] = {800, 1000, 400, 500, 500, 150, 500, 1000};
  state_t *s = state;
  l1_reply_in_t *i = (l1_reply_in_t *)(void *)in;
  stim_phase(&s->phase, KINDS, 300);
  const uint32_t kind = s->phase.kind;
  i->read_valid_i = prng_chance(&s->source, read_rate[kind]);
  i->mshr_valid_i = prng_chance(&s->source, mshr_rate[kind]);
  i->bypass_valid_i = prng_chance(&s->source, bypass_rate[kind]);
  i->read_data_i = value(s, s->place_w + s->data_w);
  i->mshr_data_i = value(s, s->data_w);
  i->bypass_data_i = value(s, s->data_w);
  i->mshr_place_i = value(s, s->place_w);
  i->mshr_last_i = prng_chance(&s->source, 500);
  i->bypass_entry_i = prng_chance(&s->data, 300)
                          ? s->cfg.BYPASSES - 1
                          : stim_index(&s->data, s->cfg.BYPASSES, bits_index_w(s->cfg.BYPASSES));
  i->out_ready_i = prng_chance(&s->out, out_rate[kind]);
  i->line_done_i = prng_chance(&s->out, done_rate[kind]);
  if (stim_rst_open(&s->reset) && l1_reply_regs(model)->started_q) stim_rst_now(&s->reset);
  i->srst_ni = stim_rst_n(&s->reset);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, RUSH, on);
}

/* The bins of the request in the stage. */
static uint64_t sample_stage(const l1_reply_regs_t *r, const l1_reply_in_t *i, bool done) {
  const bool offered = r->valid_q && !r->started_q, started = r->started_q;
  return HIT(stall, offered && !i->out_ready_i) | HIT(start_done, offered && done) |
         HIT(start_only, offered && i->out_ready_i && !done) | HIT(done_later, started && done) |
         HIT(hold, started && !done) |
         HIT(done_early, offered && i->line_done_i && !i->out_ready_i) |
         HIT(done_empty, !r->valid_q && i->line_done_i);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const state_t *s = state;
  const l1_reply_regs_t *r = l1_reply_regs(model);
  const l1_reply_in_t *i = (const l1_reply_in_t *)(const void *)in;
  const l1_reply_out_t *o = (const l1_reply_out_t *)(const void *)out;
  const bool read = i->read_valid_i, mshr = i->mshr_valid_i, bypass = i->bypass_valid_i;
  const bool take = o->data_read_o, any = read || mshr || bypass;
  const bool done = r->valid_q && i->line_done_i && (r->started_q || i->out_ready_i);
  if (!i->srst_ni)
    return HIT(reset_offered, o->out_valid_o) | HIT(reset_started, r->valid_q && r->started_q);
  const unsigned source = o->mshr_ready_o ? 1 : o->bypass_ready_o ? 2 : 0;
  const uint64_t taken = sample_stage(r, i, done) | HIT(take_read, o->read_ready_o) |
                         HIT(take_mshr, o->mshr_ready_o) | HIT(take_bypass, o->bypass_ready_o);
  return taken | HIT(after_read_two, take && r->last_q == 0 && !read && mshr && bypass) |
         HIT(after_mshr_two, take && r->last_q == 1 && read && !mshr && bypass) |
         HIT(after_bypass_two, take && r->last_q == 2 && read && mshr && !bypass) |
         HIT(three, take && read && mshr && bypass) | HIT(same_again, take && source == r->last_q) |
         HIT(refuse, any && !take) | HIT(empty, !any && !r->valid_q) |
         HIT(back_to_back, done && take) | HIT(drained, done && !take) |
         HIT(release, o->release_valid_o) |
         HIT(last_refused, mshr && i->mshr_last_i && !o->mshr_ready_o) |
         HIT(place_high, o->bypass_ready_o && i->bypass_entry_i == s->cfg.BYPASSES - 1) |
         HIT(no_entry, o->bypass_ready_o && i->bypass_entry_i >= s->cfg.BYPASSES);
}

static bool active(const uint64_t *in) {
  const l1_reply_in_t *i = (const l1_reply_in_t *)(const void *)in;
  return !i->srst_ni || i->read_valid_i || i->mshr_valid_i || i->bypass_valid_i || i->out_ready_i ||
         i->line_done_i;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const l1_reply_in_t *i = (const l1_reply_in_t *)(const void *)in;
  const l1_reply_out_t *o = (const l1_reply_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset ");
  if (o->out_valid_o)
    stim_say(text, "offers e%u n%u%s ", (unsigned)o->entry_o, (unsigned)o->number_o,
             i->out_ready_i ? ": starts" : "");
  if (i->line_done_i) stim_say(text, "line done ");
  if (o->data_read_o)
    stim_say(text, "takes %s, reads place %u ",
             o->read_ready_o   ? "a hit"
             : o->mshr_ready_o ? "of the MSHR table"
                               : "of the bypass table",
             (unsigned)o->data_place_o);
  else if (i->read_valid_i || i->mshr_valid_i || i->bypass_valid_i)
    stim_say(text, "a source waits ");
  if (o->release_valid_o) stim_say(text, "releases place %u", (unsigned)o->release_place_o);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const l1_reply_regs_t *r = l1_reply_regs(model);
  (void)cfg;
  stim_say(text, "%s", !r->valid_q ? "empty" : r->started_q ? "started" : "offered");
}

const stim_class_t stim_l1_reply = {.stem = "l1_reply",
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
