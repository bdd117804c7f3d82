/* SPDX-License-Identifier: Apache-2.0 */
/* fifo_bank: crosses. */
#include "cosim/cross/cross.h"
#include "cosim/stim/counts.h"

#include "bits.h"
#include "fifo_bank.h"

enum { QUEUE, PAIR, POINTER, RESET };

#define LEVELS                                                                                     \
  { "empty", "one", "more", "full" }

static const cross_t crosses[] = {
    [QUEUE] = {"queue",
               "what is offered to a queue (of both: the queue to enqueue to)",
               {{"offer", {"enqueue", "dequeue", "both, same queue", "both, other queues"}},
                {"queue", LEVELS}}},
    [PAIR] = {"pair",
              "enqueue and dequeue of different queues",
              {{"enqueue to", LEVELS}, {"dequeue from", LEVELS}}},
    [POINTER] = {"pointer",
                 "where in its ring an entry is written or read",
                 {{"transfer", {"enqueue", "dequeue"}}, {"place", {"first", "inner", "last"}}}},
    [RESET] = {"reset",
               "what a reset meets",
               {{"offer", {"nothing", "enqueue", "dequeue", "both"}},
                {"bank", {"empty", "holds entries", "all full"}}}},
};

static int8_t place(uint64_t pointer, uint32_t depth) {
  return pointer == 0 ? 0 : pointer == depth - 1 ? 2 : 1;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const uint32_t queues = fifo_bank_sizes(c->cfg)->QUEUES, depth = fifo_bank_sizes(c->cfg)->DEPTH;
  const fifo_bank_regs_t *r = fifo_bank_regs(c->model);
  const fifo_bank_in_t *i = (const fifo_bank_in_t *)(const void *)c->in;
  const fifo_bank_out_t *o = (const fifo_bank_out_t *)(const void *)c->out;
  const uint64_t e = i->enq_queue_i, d = i->deq_same_i ? e : i->deq_queue_i,
                 all = bits_mask(queues);
  const bool enq = i->enq_valid_i && e < queues, deq = i->deq_valid_i && d < queues;
  if (!i->srst_ni) {
    value[RESET][0] = (int8_t)(i->enq_valid_i + 2 * i->deq_valid_i);
    value[RESET][1] = o->empty_o == all ? 0 : o->full_o == all ? 2 : 1;
    return;
  }
  if (enq || deq) {
    value[QUEUE][0] = !deq ? 0 : !enq ? 1 : e == d ? 2 : 3;
    value[QUEUE][1] = cross_level4(counts_held(r, depth, enq ? e : d), depth);
  }
  if (enq && deq && e != d) {
    value[PAIR][0] = cross_level4(counts_held(r, depth, e), depth);
    value[PAIR][1] = cross_level4(counts_held(r, depth, d), depth);
  }
  /* A cycle with an accepted enqueue counts as an enqueue only. */
  if (enq && o->enq_ready_o) {
    value[POINTER][0] = 0;
    value[POINTER][1] = place(r->tail_q[e], depth);
  } else if (deq && o->deq_ready_o) {
    value[POINTER][0] = 1;
    value[POINTER][1] = place(r->head_q[d], depth);
  }
}

const cross_class_t cross_fifo_bank = {.stem = "fifo_bank",
                                       .n = sizeof crosses / sizeof *crosses,
                                       .crosses = crosses,
                                       .sample = sample};
