/* SPDX-License-Identifier: Apache-2.0 */
/* fifo_bank: fills, drains, a hot queue, both sides on one queue, and a sweep that fills every
 * queue. One queue at a time is also turned until its oldest entry is at the end, the start or an
 * inner place of its ring, and is then filled. */
#include "cosim/stim/stim.h"
#include "cosim/stim/counts.h"

#include "fifo_bank.h"

#include <string.h>

enum { FILL, DRAIN, BALANCED, HOT, HOT_FILL, HOT_DRAIN, SAME, SPARSE, TURN, SWEEP, KINDS };
enum { LONG_SWEEP = 512 }; /* entries; a longer sweep comes half as often */

typedef struct {
  fifo_bank_cfg_t cfg;
  unsigned queue_w;
  prng_t enq, deq, data;
  stim_phase_t phase, reset;
  uint32_t hot, sweep;
  uint32_t turned, place; /* the queue that is turned, and its target place */
  bool dry;               /* the queue must be empty there first */
  uint64_t met[2];        /* queues that were full with the oldest at the end in a reset, without
                             and with a dequeue */
} state_t;

static bool odd_queues(const uint32_t *cfg) {
  return (1u << bits_index_w(fifo_bank_sizes(cfg)->QUEUES)) > fifo_bank_sizes(cfg)->QUEUES;
}
static bool several(const uint32_t *cfg) {
  return fifo_bank_sizes(cfg)->QUEUES > 1;
}
static bool deep(const uint32_t *cfg) {
  return fifo_bank_sizes(cfg)->DEPTH > 1;
}

#define BINS(X)                                                                                    \
  X(enqueue, NULL, "an entry is enqueued")                                                         \
  X(dequeue, NULL, "an entry is dequeued")                                                         \
  X(queue_full, NULL, "some queue is full")                                                        \
  X(all_full, NULL, "every queue is full")                                                         \
  X(all_empty, NULL, "every queue is empty")                                                       \
  X(enq_refused, NULL, "enqueue to a full queue")                                                  \
  X(enq_refused_deq, NULL, "enqueue to a full queue that is dequeued in this cycle")               \
  X(deq_refused, NULL, "dequeue from an empty queue")                                              \
  X(enq_bad_queue, odd_queues, "enqueue to a queue that does not exist")                           \
  X(deq_bad_queue, odd_queues, "dequeue from a queue that does not exist")                         \
  X(tail_wraps, NULL, "the tail pointer wraps around")                                             \
  X(head_wraps, NULL, "the head pointer wraps around")                                             \
  X(same_queue, deep, "enqueue and dequeue of one queue that holds entries, in one cycle")         \
  X(into_empty, NULL, "an entry comes to an empty queue that is to be dequeued in this cycle")     \
  X(flush, NULL, "an entry is dequeued from enq_queue_i")                                          \
  X(other_queue, several, "enqueue and dequeue of different queues in one cycle")                  \
  X(data_ones, NULL, "an entry of ones only is enqueued")                                          \
  X(data_top, NULL, "an entry with the highest bit alone is enqueued")                             \
  X(reset_in_use, NULL, "reset while entries are held")                                            \
  X(reset_full_end, NULL, "reset while a full queue's head pointer is at its end")                 \
  X(enq_in_reset, NULL, "an enqueue is offered during reset")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->queue_w = bits_index_w(s->cfg.QUEUES);
  s->enq = prng_seed(seed, 1);
  s->deq = prng_seed(seed, 2);
  s->data = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
}

/* The queues take turns, so that each one is turned. */
static void start_turn(state_t *s) {
  s->turned = s->turned + 1 >= s->cfg.QUEUES ? 0 : s->turned + 1;
  s->hot = s->turned;
  s->place = s->cfg.DEPTH - 1;
  if (prng_chance(&s->phase.rng, 500))
    s->place = prng_chance(&s->phase.rng, 700) ? 0 : prng_below(&s->phase.rng, s->cfg.DEPTH);
  s->dry = prng_chance(&s->phase.rng, 400);
  s->phase.left = 3 * s->cfg.DEPTH + 48;
}

/* The reset comes sooner if this queue has not had one yet with its oldest entry at the end of its
 * ring. */
static void reset_when_full(state_t *s, uint64_t v, fifo_bank_in_t *i) {
  const unsigned with = v & 1;
  const bool fresh = s->place == s->cfg.DEPTH - 1 && !(s->met[with] >> s->hot & 1);
  if ((v >> 1 & (fresh ? 7 : 31)) != 0) return;
  if (fresh) s->met[with] |= UINT64_C(1) << s->hot;
  i->srst_ni = 0;
  i->deq_valid_i = with;
}

/* While the queue fills up, and after that, the other queues are dequeued. */
static void turn(state_t *s, const fifo_bank_regs_t *r, fifo_bank_in_t *i) {
  const bool there = r->head_q[s->hot] == s->place, full = r->full_q >> s->hot & 1;
  const uint64_t v = prng_next(&s->deq);
  i->enq_queue_i = s->hot;
  if (!there || s->dry) {
    i->deq_valid_i = 1;
    i->deq_queue_i = s->hot;
    i->enq_valid_i = !s->dry || r->tail_q[s->hot] != s->place;
    if (!s->dry || i->enq_valid_i || !(r->empty_q >> s->hot & 1)) return;
    s->dry = v & 7;
    if ((v >> 4 & 15) == 0) i->srst_ni = 0;
    return;
  }
  i->deq_valid_i = v & 1;
  if (i->deq_queue_i == s->hot || i->deq_same_i) i->deq_valid_i = full && (v >> 1 & 3) == 0;
  if (full) reset_when_full(s, v >> 4, i);
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t enq_rate[KINDS] = {950, 50, 500, 700, 1000, 20, 900, 60, 1000, 1000};
  static const uint16_t deq_rate[KINDS] = {60, 950, 500, 700, 0, 1000, 900, 60, 1000, 0};
  state_t *s = state;
  const fifo_bank_regs_t *r = fifo_bank_regs(model);
  fifo_bank_in_t *i = (fifo_bank_in_t *)(void *)in;
  if (stim_phase(&s->phase, KINDS, 400)) {
    s->hot = prng_below(&s->phase.rng, s->cfg.QUEUES);
    const bool long_sweep = s->cfg.QUEUES * s->cfg.DEPTH > LONG_SWEEP;
    if (s->phase.kind == SWEEP && long_sweep && prng_chance(&s->phase.rng, 500))
      s->phase.kind = TURN;
    if (s->phase.kind == TURN) start_turn(s);
    if (s->phase.kind == SWEEP) s->phase.left = s->cfg.QUEUES * s->cfg.DEPTH + 12;
  }
  uint32_t kind = s->phase.kind;
  bool hot = kind == HOT || kind == HOT_FILL || kind == HOT_DRAIN || kind == SAME;
  i->srst_ni = stim_rst_n(&s->reset);
  i->enq_valid_i = prng_chance(&s->enq, enq_rate[kind]);
  i->deq_valid_i = prng_chance(&s->deq, deq_rate[kind]);
  i->enq_queue_i = stim_index(&s->enq, s->cfg.QUEUES, s->queue_w);
  i->deq_queue_i = stim_index(&s->deq, s->cfg.QUEUES, s->queue_w);
  i->deq_same_i = prng_chance(&s->deq, 250);
  const uint64_t data = prng_next(&s->data);
  i->enq_data_i = stim_edge(data, s->cfg.DATA_W);
  if (hot && (data & 7)) i->enq_queue_i = i->deq_queue_i = s->hot;
  if (kind == SWEEP) {
    i->enq_queue_i = s->sweep;
    s->sweep = s->sweep + 1 >= s->cfg.QUEUES ? 0 : s->sweep + 1;
    if (r->full_q == bits_mask(s->cfg.QUEUES)) { /* a reset soon, with and without a dequeue */
      if (prng_chance(&s->reset.rng, 200)) i->srst_ni = 0;
      i->deq_valid_i = !i->srst_ni && prng_chance(&s->reset.rng, 500);
    }
  }
  if (kind == TURN) turn(s, r, i);
  if (kind == DRAIN) /* prefer a queue that holds something */
    for (unsigned n = 0;
         n < 4 && i->deq_queue_i < s->cfg.QUEUES && (r->empty_q >> i->deq_queue_i & 1); n++)
      i->deq_queue_i = prng_below(&s->deq, s->cfg.QUEUES);
}

static bool full_at_end(const state_t *s, const fifo_bank_regs_t *r, uint64_t full) {
  for (; full; full &= full - 1)
    if (r->head_q[__builtin_ctzll(full)] == s->cfg.DEPTH - 1) return true;
  return false;
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const state_t *s = state;
  const fifo_bank_regs_t *r = fifo_bank_regs(model);
  const fifo_bank_in_t *i = (const fifo_bank_in_t *)(const void *)in;
  const fifo_bank_out_t *o = (const fifo_bank_out_t *)(const void *)out;
  uint64_t e = i->enq_queue_i, d = i->deq_same_i ? e : i->deq_queue_i,
           all = bits_mask(s->cfg.QUEUES);
  if (!i->srst_ni)
    return HIT(reset_in_use, o->empty_o != all) | HIT(enq_in_reset, i->enq_valid_i) |
           HIT(reset_full_end, full_at_end(s, r, o->full_o));
  bool enq = i->enq_valid_i && o->enq_ready_o, deq = i->deq_valid_i && o->deq_ready_o;
  bool e_ok = e < s->cfg.QUEUES, d_ok = d < s->cfg.QUEUES;
  bool enq_no = i->enq_valid_i && e_ok && !enq, both = enq && deq;
  return HIT(enqueue, enq) | HIT(dequeue, deq) | HIT(queue_full, o->full_o != 0) |
         HIT(all_full, o->full_o == all) | HIT(all_empty, o->empty_o == all) |
         HIT(enq_refused, enq_no) | HIT(enq_refused_deq, enq_no && deq && e == d) |
         HIT(deq_refused, i->deq_valid_i && d_ok && !deq) |
         HIT(enq_bad_queue, i->enq_valid_i && !e_ok) | HIT(deq_bad_queue, i->deq_valid_i && !d_ok) |
         HIT(tail_wraps, enq && r->tail_q[e] == s->cfg.DEPTH - 1) |
         HIT(head_wraps, deq && r->head_q[d] == s->cfg.DEPTH - 1) |
         HIT(same_queue, both && e == d) |
         HIT(data_ones, enq && (~i->enq_data_i & bits_mask(s->cfg.DATA_W)) == 0) |
         HIT(data_top, enq && i->enq_data_i == UINT64_C(1) << (s->cfg.DATA_W - 1)) |
         HIT(into_empty, enq && i->deq_valid_i && !deq && e == d) |
         HIT(flush, deq && i->deq_same_i) | HIT(other_queue, both && e != d);
}

static bool active(const uint64_t *in) {
  const fifo_bank_in_t *i = (const fifo_bank_in_t *)(const void *)in;
  return i->enq_valid_i || i->deq_valid_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const fifo_bank_in_t *i = (const fifo_bank_in_t *)(const void *)in;
  const fifo_bank_out_t *o = (const fifo_bank_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->enq_valid_i)
    stim_say(text, "enq q%u 0x%llx%s; ", (unsigned)i->enq_queue_i,
             (unsigned long long)i->enq_data_i, o->enq_ready_o ? "" : " refused");
  if (i->deq_valid_i)
    stim_say(text, "deq q%u%s", (unsigned)(i->deq_same_i ? i->enq_queue_i : i->deq_queue_i),
             o->deq_ready_o ? "" : " refused");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const fifo_bank_regs_t *r = fifo_bank_regs(model);
  const uint32_t depth = fifo_bank_sizes(cfg)->DEPTH;
  unsigned held = 0;
  for (unsigned q = 0; q < fifo_bank_sizes(cfg)->QUEUES; q++) held += counts_held(r, depth, q);
  stim_say(text, "%u of %u entries;", held, fifo_bank_sizes(cfg)->QUEUES * depth);
  for (unsigned q = 0; q < fifo_bank_sizes(cfg)->QUEUES; q++)
    if (!(r->empty_q >> q & 1)) stim_say(text, " q%u:%u", q, counts_held(r, depth, q));
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, SAME, on);
}

const stim_class_t stim_fifo_bank = {.stem = "fifo_bank",
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
