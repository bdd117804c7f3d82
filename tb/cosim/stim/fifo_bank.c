/* SPDX-License-Identifier: Apache-2.0 */
/* fifo_bank: fills, drains, a hot queue, both sides on one queue, a sweep that fills every queue,
 * and one queue that is turned until its oldest entry is at the end of its ring and then filled. */
#include "cosim/stim/stim.h"

#include "fifo_bank.h"

#include <string.h>

enum { FILL, DRAIN, BALANCED, HOT, HOT_FILL, HOT_DRAIN, SAME, SPARSE, TURN, SWEEP, KINDS };

typedef struct {
  fifo_bank_cfg_t cfg;
  unsigned queue_w;
  prng_t enq, deq, data;
  stim_phase_t phase, reset;
  uint32_t hot, sweep;
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

static void turn(state_t *s, const fifo_bank_regs_t *r, fifo_bank_in_t *i) {
  const bool at_end = r->head_q[s->hot] == s->cfg.DEPTH - 1;
  const bool full = r->len_q[s->hot] == s->cfg.DEPTH;
  i->enq_queue_i = i->deq_queue_i = s->hot;
  i->deq_valid_i = !at_end;
  if (!at_end || !full) return;
  i->deq_valid_i = prng_chance(&s->deq, 100);
  if (prng_chance(&s->reset.rng, 100)) i->rst_ni = 0;
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t enq_rate[KINDS] = {950, 50, 500, 700, 1000, 20, 900, 60, 1000, 1000};
  static const uint16_t deq_rate[KINDS] = {60, 950, 500, 700, 0, 1000, 900, 60, 1000, 0};
  state_t *s = state;
  const fifo_bank_regs_t *r = fifo_bank_regs(model);
  fifo_bank_in_t *i = (fifo_bank_in_t *)(void *)in;
  if (stim_phase(&s->phase, KINDS, 400)) {
    s->hot = prng_below(&s->phase.rng, s->cfg.QUEUES);
    if (s->phase.kind == TURN) s->phase.left = 2 * s->cfg.DEPTH + 32;
    if (s->phase.kind == SWEEP) s->phase.left = s->cfg.QUEUES * s->cfg.DEPTH + 4;
  }
  uint32_t kind = s->phase.kind;
  bool hot = kind == HOT || kind == HOT_FILL || kind == HOT_DRAIN || kind == SAME;
  i->rst_ni = stim_rst_n(&s->reset);
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
  }
  if (kind == TURN) turn(s, r, i);
  if (kind == DRAIN) /* rather a queue that holds something */
    for (unsigned n = 0; n < 4 && i->deq_queue_i < s->cfg.QUEUES && r->len_q[i->deq_queue_i] == 0;
         n++)
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
  if (!i->rst_ni)
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
  return i->enq_valid_i || i->deq_valid_i || !i->rst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const fifo_bank_in_t *i = (const fifo_bank_in_t *)(const void *)in;
  const fifo_bank_out_t *o = (const fifo_bank_out_t *)(const void *)out;
  (void)cfg;
  if (!i->rst_ni) stim_say(text, "reset; ");
  if (i->enq_valid_i)
    stim_say(text, "enq q%u 0x%llx%s; ", (unsigned)i->enq_queue_i,
             (unsigned long long)i->enq_data_i, o->enq_ready_o ? "" : " refused");
  if (i->deq_valid_i)
    stim_say(text, "deq q%u%s", (unsigned)(i->deq_same_i ? i->enq_queue_i : i->deq_queue_i),
             o->deq_ready_o ? "" : " refused");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const fifo_bank_regs_t *r = fifo_bank_regs(model);
  unsigned held = 0;
  for (unsigned q = 0; q < fifo_bank_sizes(cfg)->QUEUES; q++) held += r->len_q[q];
  stim_say(text, "%u of %u entries;", held,
           fifo_bank_sizes(cfg)->QUEUES * fifo_bank_sizes(cfg)->DEPTH);
  for (unsigned q = 0; q < fifo_bank_sizes(cfg)->QUEUES; q++)
    if (r->len_q[q]) stim_say(text, " q%u:%u", q, r->len_q[q]);
}

const stim_class_t stim_fifo_bank = {"fifo_bank", sizeof(state_t), start,     next, sample,
                                     active,      describe,        occupancy, bins, N_BINS};
