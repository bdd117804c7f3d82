/* SPDX-License-Identifier: Apache-2.0 */
/* fifo_bank: cells of (queue x state x event). A state combines how full the queue is with the
 * place of its oldest entry in the ring (of an empty queue, the place that its next entry will
 * get). */
#include "cosim/cross/cells.h"

#include "fifo_bank.h"

enum { ENQUEUE, FULL, DEQUEUE, EMPTY, FLUSH, BOTH, FULL_DEQUEUE, RESET };

static bool depth_1(const uint32_t *cfg) {
  return fifo_bank_sizes(cfg)->DEPTH == 1;
}
static bool depth_2(const uint32_t *cfg) {
  return fifo_bank_sizes(cfg)->DEPTH <= 2;
}

#define SOME "some: first|some: inner|some: last"
#define ALL "full: first|full: inner|full: last"
#define NONE "empty: first|empty: inner|empty: last"

static const cells_gap_t gaps[] = {
    {"empty: last|some: last|full: last|" SOME ", *", depth_1, "a ring of one place"},
    {"empty: inner|some: inner|full: inner, *", depth_2, "a ring of at most two places"},
    {NONE ", dequeue|flush|both|refused+dequeue", NULL, "it holds nothing"},
    {NONE "|" SOME ", refused: full|refused+dequeue", NULL, "it has room"},
    {SOME "|" ALL ", refused: empty", NULL, "it holds something"},
    {ALL ", enqueue|both", NULL, "it has no room"},
};

static uint32_t queues(const uint32_t *cfg) {
  return fifo_bank_sizes(cfg)->QUEUES;
}

static unsigned state_of(const cross_cycle_t *c, uint64_t q) {
  const fifo_bank_regs_t *r = fifo_bank_regs(c->model);
  const uint32_t depth = fifo_bank_sizes(c->cfg)->DEPTH;
  const unsigned place = r->head_q[q] == 0 ? 0 : r->head_q[q] == depth - 1 ? 2 : 1;
  return 3 * (r->empty_q >> q & 1 ? 0u : r->full_q >> q & 1 ? 2u : 1u) + place;
}

static void count(cells_t *cells, const cross_cycle_t *c, uint64_t q, unsigned event) {
  if (q < queues(c->cfg)) cells_count(cells, (uint32_t)q, state_of(c, q), event);
}

static void sample(const cross_cycle_t *c, cells_t *cells) {
  const fifo_bank_in_t *i = (const fifo_bank_in_t *)(const void *)c->in;
  const fifo_bank_out_t *o = (const fifo_bank_out_t *)(const void *)c->out;
  const uint64_t e = i->enq_queue_i, d = i->deq_same_i ? e : i->deq_queue_i;
  if (!i->srst_ni) {
    for (uint32_t q = 0; q < queues(c->cfg); q++) count(cells, c, q, RESET);
    return;
  }
  const bool enq = i->enq_valid_i && o->enq_ready_o, deq = i->deq_valid_i && o->deq_ready_o;
  if (i->enq_valid_i) count(cells, c, e, enq ? ENQUEUE : FULL);
  if (i->deq_valid_i) count(cells, c, d, deq ? DEQUEUE : EMPTY);
  if (deq && i->deq_same_i) count(cells, c, d, FLUSH);
  if (enq && deq && e == d) count(cells, c, e, BOTH);
  if (i->enq_valid_i && !enq && deq && e == d) count(cells, c, e, FULL_DEQUEUE);
}

const cells_class_t cells_fifo_bank = {
    .stem = "fifo_bank",
    .entry = "queue",
    .states = {"empty: first", "empty: inner", "empty: last", "some: first", "some: inner",
               "some: last", "full: first", "full: inner", "full: last"},
    .events = {"enqueue", "refused: full", "dequeue", "refused: empty", "flush", "both",
               "refused+dequeue", "reset"},
    .entries = queues,
    .gaps = gaps,
    .n_gaps = sizeof gaps / sizeof *gaps,
    .sample = sample};
