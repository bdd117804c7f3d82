/* SPDX-License-Identifier: Apache-2.0 */
/* drain_selector: adds, takes and forced drains in phases. Few or many queues are in play, so that
 * ties, holds and wraps occur at every size. A climb begins with a reset. One queue is taken from,
 * then all others get entries, so that a greedy form holds any queue while all are drainable. */
#include "cosim/stim/stim.h"
#include "cosim/stim/counts.h"

#include "drain_selector.h"

#include <string.h>

enum { FILL, DRAIN, BALANCED, FEW, FORCE, HOT, SPARSE, SWEEP, CLIMB, KINDS };
enum { CLIMB_START = 4 }; /* cycles for the queue that is taken from */

typedef struct {
  drain_selector_cfg_t cfg;
  unsigned queue_w;
  prng_t add, take, force;
  stim_phase_t phase, reset;
  uint32_t base, few, sweep, climbed; /* climbed: cycles of a climb */
} state_t;

static bool odd_queues(const uint32_t *cfg) {
  return (1u << bits_index_w(drain_selector_sizes(cfg)->QUEUES)) >
         drain_selector_sizes(cfg)->QUEUES;
}
static bool several(const uint32_t *cfg) {
  return drain_selector_sizes(cfg)->QUEUES > 1;
}
static bool deep(const uint32_t *cfg) {
  return drain_selector_sizes(cfg)->DEPTH > 1;
}
static bool greedy(const uint32_t *cfg) {
  return drain_selector_sizes(cfg)->POLICY % 2 == 1 && drain_selector_sizes(cfg)->DEPTH > 1;
}
static bool greedy_several(const uint32_t *cfg) {
  return greedy(cfg) && drain_selector_sizes(cfg)->QUEUES > 1;
}
static bool robin(const uint32_t *cfg) {
  return drain_selector_sizes(cfg)->POLICY / 2 == 1;
}
static bool robin_several(const uint32_t *cfg) {
  return robin(cfg) && drain_selector_sizes(cfg)->QUEUES > 1;
}
static bool longest_several(const uint32_t *cfg) {
  return drain_selector_sizes(cfg)->POLICY / 2 == 2 && drain_selector_sizes(cfg)->QUEUES > 1;
}
static bool longest_deep(const uint32_t *cfg) {
  return longest_several(cfg) && drain_selector_sizes(cfg)->DEPTH > 1;
}

#define BINS(X)                                                                                    \
  X(add, NULL, "an entry is counted")                                                              \
  X(add_full, NULL, "an add to a queue with DEPTH entries is dropped")                             \
  X(add_bad_queue, odd_queues, "an add to a queue that does not exist")                            \
  X(take, NULL, "the policy's choice is drained")                                                  \
  X(take_nothing, NULL, "a take while nothing is drainable")                                       \
  X(forced, NULL, "a forced drain")                                                                \
  X(forced_against, several, "a forced drain of a queue while others are drainable")               \
  X(force_empty, several, "the forced queue is empty, the policy goes on")                         \
  X(force_bad_queue, odd_queues, "force of a queue that does not exist")                           \
  X(all_drainable, NULL, "every queue is drainable")                                               \
  X(all_full, NULL, "every queue has DEPTH entries")                                               \
  X(last_entry, NULL, "a take empties the queue")                                                  \
  X(add_take_same, deep, "add and take of one queue in one cycle")                                 \
  X(add_take_other, several, "add and take of different queues in one cycle")                      \
  X(hold, greedy, "the greedy form stays with its queue")                                          \
  X(hold_against, greedy_several, "it stays although another queue is drainable")                  \
  X(hold_last_all, greedy, "it stays with the last queue although all are drainable")              \
  X(hold_by_add, greedy, "it stays because of an entry added in the cycle of its last take")       \
  X(hold_interrupted, greedy_several, "a forced drain interrupts the hold")                        \
  X(hold_forced_empty, greedy, "a forced drain empties the held queue")                            \
  X(robin_wraps, robin_several, "round robin goes on from the last queue to a lower one")          \
  X(robin_again, robin, "round robin takes the same queue, the only one left")                     \
  X(tie, longest_several, "longest first: several queues are longest")                             \
  X(longest_higher, longest_deep,                                                                  \
    "longest first: a higher queue is longer than a drainable lower one")                          \
  X(reset_in_use, NULL, "reset while entries are counted")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->queue_w = bits_index_w(s->cfg.QUEUES);
  s->add = prng_seed(seed, 1);
  s->take = prng_seed(seed, 2);
  s->force = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
}

static uint64_t near_base(const state_t *s, prng_t *rng) {
  return (s->base + prng_below(rng, s->few)) % s->cfg.QUEUES;
}

/* Begins at the last queue, the first one or any. */
static void start_climb(state_t *s) {
  const uint32_t which = prng_below(&s->phase.rng, 4);
  if (which < 2) s->base = which == 0 ? s->cfg.QUEUES - 1 : 0;
  s->climbed = 0;
  s->phase.left = CLIMB_START + 2 * s->cfg.QUEUES + 8;
}

/* Resets, gives entries to one queue and takes from it, then gives an entry to each other queue,
 * downwards. The takes that follow go to the first queue if the policy is greedy. */
static void climb(state_t *s, drain_selector_in_t *i) {
  const uint32_t n = s->climbed++, queues = s->cfg.QUEUES;
  if (n == 0) i->srst_ni = 0;
  i->add_queue_i = s->base;
  i->take_i = n == CLIMB_START - 1;
  if (n < CLIMB_START) i->force_valid_i = 0;
  if (n < CLIMB_START) return;
  const uint32_t step = n - CLIMB_START;
  if (step < queues)
    i->add_queue_i = (s->base + 2 * queues - 1 - step) % queues;
  else
    i->add_queue_i = prng_below(&s->add, queues);
  i->take_i = step >= queues - 1 && prng_chance(&s->take, 500);
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t add_rate[KINDS] = {950, 30, 500, 500, 500, 700, 40, 1000, 1000};
  static const uint16_t take_rate[KINDS] = {60, 950, 500, 500, 600, 700, 60, 0, 0};
  static const uint16_t force_rate[KINDS] = {50, 100, 100, 150, 900, 100, 100, 100, 60};
  state_t *s = state;
  drain_selector_in_t *i = (drain_selector_in_t *)(void *)in;
  const drain_selector_regs_t *r = drain_selector_regs(model);
  if (stim_phase(&s->phase, KINDS, 300)) {
    s->base = prng_below(&s->phase.rng, s->cfg.QUEUES);
    s->few = 1 + prng_below(&s->phase.rng, 4);
    if (s->phase.kind == SWEEP) s->phase.left = s->cfg.QUEUES * s->cfg.DEPTH + 4;
    if (s->phase.kind == CLIMB) start_climb(s);
  }
  uint32_t kind = s->phase.kind;
  i->srst_ni = stim_rst_n(&s->reset);
  i->add_valid_i = prng_chance(&s->add, add_rate[kind]);
  i->take_i = prng_chance(&s->take, take_rate[kind]);
  i->force_valid_i = prng_chance(&s->force, force_rate[kind]);
  i->add_queue_i = stim_index(&s->add, s->cfg.QUEUES, s->queue_w);
  i->force_queue_i = stim_index(&s->force, s->cfg.QUEUES, s->queue_w);
  if (kind == FEW || kind == HOT) {
    i->add_queue_i = kind == HOT ? s->base : near_base(s, &s->add);
    if (i->force_queue_i & 1) i->force_queue_i = near_base(s, &s->force);
  }
  if (kind == SWEEP) {
    i->add_queue_i = s->sweep;
    s->sweep = s->sweep + 1 >= s->cfg.QUEUES ? 0 : s->sweep + 1;
  }
  if (kind == CLIMB) climb(s, i);
  uint64_t pick = prng_next(&s->force);
  if (kind == CLIMB) return;
  if (r->hold_q && (pick & 7) == 0) i->force_queue_i = r->last_q;
  if (r->hold_q && (pick >> 3 & 7) == 0) i->add_queue_i = r->last_q;
}

/* How many queues share the largest count, and whether a queue below `sel` is drainable. */
static uint64_t longest_bins(const state_t *s, const drain_selector_regs_t *r, uint64_t sel,
                             uint64_t lower) {
  unsigned n = 0;
  for (unsigned q = 0; q < s->cfg.QUEUES; q++)
    n += counts_drainable(r, q) == counts_drainable(r, sel);
  return HIT(tie, n > 1) | HIT(longest_higher, lower != 0);
}

static uint64_t hold_bins(const state_t *s, const drain_selector_in_t *i,
                          const drain_selector_out_t *o, const drain_selector_regs_t *r,
                          bool others) {
  bool own = o->sel_queue_o == r->last_q, add_own = i->add_valid_i && i->add_queue_i == r->last_q;
  if (!i->take_i || !o->sel_valid_o) return 0;
  if (!r->hold_q || !own) return HIT(hold_interrupted, r->hold_q && o->forced_o);
  bool last = counts_drainable(r, r->last_q) == 1;
  return HIT(hold, !o->forced_o) | HIT(hold_against, !o->forced_o && others) |
         HIT(hold_last_all, !o->forced_o && r->last_q == s->cfg.QUEUES - 1 &&
                                o->nonempty_o == bits_mask(s->cfg.QUEUES)) |
         HIT(hold_by_add, !o->forced_o && last && add_own && !o->add_drop_o) |
         HIT(hold_forced_empty, o->forced_o && last && !add_own);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const state_t *s = state;
  const drain_selector_regs_t *r = drain_selector_regs(model);
  const drain_selector_in_t *i = (const drain_selector_in_t *)(const void *)in;
  const drain_selector_out_t *o = (const drain_selector_out_t *)(const void *)out;
  if (!i->srst_ni) return HIT(reset_in_use, o->nonempty_o != 0);
  uint64_t sel = o->sel_queue_o, others = o->nonempty_o & ~(UINT64_C(1) << sel);
  bool take = i->take_i && o->sel_valid_o, add = i->add_valid_i && !o->add_drop_o;
  bool policy = o->sel_valid_o && !o->forced_o && !r->hold_q;
  unsigned base = s->cfg.POLICY / 2;
  uint64_t hits = HIT(add, add) | HIT(add_full, o->add_drop_o && i->add_queue_i < s->cfg.QUEUES) |
                  HIT(add_bad_queue, o->add_drop_o && i->add_queue_i >= s->cfg.QUEUES) |
                  HIT(take, take && !o->forced_o) | HIT(take_nothing, i->take_i && !take) |
                  HIT(forced, take && o->forced_o) |
                  HIT(forced_against, take && o->forced_o && others) |
                  HIT(force_empty, i->force_valid_i && i->force_queue_i < s->cfg.QUEUES && take &&
                                       !o->forced_o) |
                  HIT(force_bad_queue, i->force_valid_i && i->force_queue_i >= s->cfg.QUEUES) |
                  HIT(all_drainable, o->nonempty_o == bits_mask(s->cfg.QUEUES)) |
                  HIT(last_entry, take && r->more_q[sel] == 0 && !(add && i->add_queue_i == sel)) |
                  HIT(add_take_same, take && add && i->add_queue_i == sel) |
                  HIT(add_take_other, take && add && i->add_queue_i != sel) |
                  hold_bins(s, i, o, r, others != 0);
  if (base == 1)
    hits |= HIT(robin_wraps, take && policy && sel < r->last_q) |
            HIT(robin_again, take && policy && sel == r->last_q);
  if (base == 2 && policy)
    hits |= longest_bins(s, r, sel, o->nonempty_o & bits_mask((unsigned)sel));
  if (hits & HIT(all_drainable, true)) {
    unsigned full = 0;
    for (unsigned q = 0; q < s->cfg.QUEUES; q++) full += counts_drainable(r, q) == s->cfg.DEPTH;
    hits |= HIT(all_full, full == s->cfg.QUEUES);
  }
  return hits;
}

static bool active(const uint64_t *in) {
  const drain_selector_in_t *i = (const drain_selector_in_t *)(const void *)in;
  return i->add_valid_i || i->take_i || i->force_valid_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const drain_selector_in_t *i = (const drain_selector_in_t *)(const void *)in;
  const drain_selector_out_t *o = (const drain_selector_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->add_valid_i)
    stim_say(text, "add q%u%s; ", (unsigned)i->add_queue_i, o->add_drop_o ? " dropped" : "");
  if (i->force_valid_i) stim_say(text, "force q%u; ", (unsigned)i->force_queue_i);
  if (i->take_i && o->sel_valid_o)
    stim_say(text, "take q%u%s", (unsigned)o->sel_queue_o, o->forced_o ? " forced" : "");
  if (i->take_i && !o->sel_valid_o) stim_say(text, "take of nothing");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const drain_selector_regs_t *r = drain_selector_regs(model);
  stim_say(text, "last q%u hold %u;", r->last_q, r->hold_q);
  for (unsigned q = 0; q < drain_selector_sizes(cfg)->QUEUES; q++)
    if (r->nonempty_q >> q & 1) stim_say(text, " q%u:%u", q, counts_drainable(r, q));
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, BALANCED, on);
}

const stim_class_t stim_drain_selector = {.stem = "drain_selector",
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
