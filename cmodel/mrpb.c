/* SPDX-License-Identifier: Apache-2.0 */
#include "mrpb.h"

#include "flush_control.h"
#include "order_check.h"
#include "queue_selector.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ID_W = 6, ENTRY_EXTRA = 2 * ID_W + 1 };

/* PARITY: a bit for each register. */
typedef struct {
  uint8_t state, sent;
  uint16_t line;
  uint64_t block;
} parity_t;

struct mrpb {
  parity_t *parity; /* NULL without PARITY */
  mrpb_regs_t r;
  uint64_t out_entry; /* what the outbound buffer presents; follows from registers */
  fifo_bank_t *u_fifo_bank;
  drain_selector_t *u_drain_selector;
  order_check_t *u_order_check;
  queue_selector_t u_queue_selector;
  flush_control_t u_flush_control;
  mrpb_cfg_t cfg;
  uint16_t held_mask; /* mask of the width of block_held_q */
};

/* The fields of an entry {write, warp, block, payload}. */
typedef struct {
  uint64_t write, warp, block, data;
} fields_t;

/* What steps 1 to 4 of a cycle (docs/modules/mrpb.md) decide. */
typedef struct {
  bool byp_valid, leave;
  bool move;               /* the outbound entry leaves, or goes into the line of sent requests */
  bool refused, asks;      /* ANSWER > 0: the oldest answer is a refusal; a request is presented */
  bool store, pass, ready; /* the offer is stored; it passes; either, or a barrier is accepted */
  bool flush_full, flush_write;
  uint64_t queue; /* queue of the offered request */
  fields_t front; /* the presented request; zeros if there is none */
  fields_t left;  /* the request that leaves if `leave` */
} cycle_t;

/* The bits as they follow from the registers: each is checked, and so fits, in every cycle. */
static parity_t parity_of(const mrpb_t *self) {
  const mrpb_regs_t *r = &self->r;
  const bool control =
      bits_odd((uint64_t)(r->out_valid_q ^ r->out_stored_q ^ r->left_valid_q ^ r->byp_q));
  const bool line = bits_odd(r->line_valid_q) ^ bits_odd(r->due_q) ^ bits_odd(r->sent_valid_q);
  parity_t p = {.state = (uint8_t)(control | line << 1 | bits_odd(r->out_pass_q) << 2 |
                                   bits_odd(r->held_q) << 3 | bits_odd(r->left_block_q) << 4)};
  for (uint32_t i = 0; i < self->cfg.ANSWER; i++) p.sent |= (uint8_t)(bits_odd(r->sent_q[i]) << i);
  for (uint32_t i = 0; i < self->cfg.LATENCY - 2; i++)
    p.line |= (uint16_t)(bits_odd(r->line_queue_q[i]) << i);
  for (uint32_t b = 0; b < self->cfg.BLOCKS; b++)
    p.block |= (uint64_t)bits_odd(r->block_held_q[b]) << b;
  return p;
}

static void parity_edge(mrpb_t *self) {
  const parity_t now = parity_of(self);
  parity_t *p = self->parity;
  p->state = now.state; /* by members: the prover sees a change of the bytes between them */
  p->sent = now.sent;
  p->line = now.line;
  p->block = now.block;
}

static void reset(mrpb_t *self) {
  memset(&self->r, 0, sizeof self->r);
  self->out_entry = 0;
  if (self->parity) parity_edge(self);
}

static int create_children(mrpb_t *self, mrpb_err_t *err) {
  const mrpb_cfg_t *c = &self->cfg;
  queue_selector_t selector = {{.QUEUES = c->QUEUES, .SIGNATURE = c->SIGNATURE}};
  flush_control_t flush = {{.QUEUES = c->QUEUES, .FLUSH = c->FLUSH}};
  fifo_bank_cfg_t bank = {.QUEUES = c->QUEUES,
                          .DEPTH = c->DEPTH,
                          .DATA_W = c->DATA_W + ENTRY_EXTRA,
                          .PARITY = c->PARITY};
  drain_selector_cfg_t drain = {
      .QUEUES = c->QUEUES, .DEPTH = c->DEPTH, .POLICY = c->POLICY, .PARITY = c->PARITY};
  order_check_cfg_t order = {
      .DEPTH = c->DEPTH + c->ANSWER, .BLOCKS = c->BLOCKS, .DATA_W = c->DATA_W};
  if (queue_selector_check(&selector.cfg, err) || flush_control_check(&flush.cfg, err) ||
      fifo_bank_create(&self->u_fifo_bank, &bank, err) ||
      drain_selector_create(&self->u_drain_selector, &drain, err) ||
      order_check_create(&self->u_order_check, &order, err))
    return -1;
  self->u_queue_selector = selector;
  self->u_flush_control = flush;
  return 0;
}

int mrpb_create(mrpb_t **self, const mrpb_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (mrpb_check(cfg, err)) return -1;
  mrpb_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "mrpb: out of memory");
  made->cfg = *cfg;
  made->held_mask = (uint16_t)bits_mask(bits_count_w(cfg->QUEUES * cfg->DEPTH + 1 + cfg->ANSWER));
  if (create_children(made, err)) {
    mrpb_destroy(made);
    return -1;
  }
  if (cfg->PARITY && !(made->parity = module_alloc(sizeof *made->parity))) {
    mrpb_destroy(made);
    return mrpb_fail(err, "mrpb: out of memory");
  }
  reset(made);
  *self = made;
  return 0;
}

static inline uint64_t pack(const mrpb_t *self, const mrpb_in_t *in) {
  uint64_t ids = (in->in_kind_i & 1) << 2 * ID_W | bits(in->in_warp_i, ID_W) << ID_W |
                 bits(in->in_block_i, ID_W);
  return ids << self->cfg.DATA_W | in->in_data_i;
}

static inline fields_t unpack(const mrpb_t *self, uint64_t entry) {
  uint64_t ids = entry >> self->cfg.DATA_W;
  return (fields_t){.write = ids >> 2 * ID_W,
                    .warp = bits(ids >> ID_W, ID_W),
                    .block = bits(ids, ID_W),
                    .data = bits(entry, self->cfg.DATA_W)};
}

/* The counter that a block ID maps to. */
static inline uint64_t counter_of(const mrpb_t *self, uint64_t block) {
  return block < self->cfg.BLOCKS ? block : self->cfg.BLOCKS - 1;
}

static inline bool block_busy(const mrpb_t *self, uint64_t block) {
  const mrpb_regs_t *r = &self->r;
  uint64_t counter = counter_of(self, block);
  bool left = r->left_valid_q && counter_of(self, r->left_block_q) == counter;
  return r->block_held_q[counter] > left;
}

static inline bool bypasses(const mrpb_t *self, const mrpb_in_t *in) {
  if (self->cfg.BYPASS == MRPB_BYPASS_STALL)
    return in->l1_answer_i == MRPB_L1_ASSOC_STALL || in->l1_answer_i == MRPB_L1_OTHER_STALL;
  return self->cfg.BYPASS == MRPB_BYPASS_ASSOC_STALL && in->l1_answer_i == MRPB_L1_ASSOC_STALL;
}

/* Decides the answer to the offered request; c->move must be known. */
static inline void decide_offer(const mrpb_t *self, const mrpb_in_t *in, cycle_t *c) {
  const mrpb_regs_t *r = &self->r;
  queue_selector_in_t selector_in = {
      .warp_i = in->in_warp_i, .block_i = in->in_block_i, .block_warp_i = in->in_block_warp_i};
  queue_selector_out_t selector_out;
  queue_selector_comb(&self->u_queue_selector, &selector_in, &selector_out);

  flush_control_in_t flush_in = {.in_valid_i = in->in_valid_i,
                                 .in_kind_i = in->in_kind_i,
                                 .in_queue_i = selector_out.queue_o,
                                 .block_busy_i = block_busy(self, in->in_block_i),
                                 .slot_i = !r->out_valid_q || c->move};
  flush_control_out_t flush_out;
  fifo_bank_levels(self->u_fifo_bank, &flush_in.full_i, &flush_in.empty_i);
  flush_control_comb(&self->u_flush_control, &flush_in, &flush_out);
  c->queue = selector_out.queue_o;
  c->ready = flush_out.in_ready_o;
  c->store = flush_out.store_o;
  c->pass = flush_out.pass_o;
  c->flush_full = flush_out.flush_full_o;
  c->flush_write = flush_out.flush_write_o;
}

static inline unsigned ones(uint8_t set) {
  return (unsigned)__builtin_popcount(set);
}

/* ANSWER > 0: a word of the line of sent requests is presented again. */
static inline bool presents_again(const mrpb_t *self) {
  return self->r.sent_valid_q && ones(self->r.due_q) < ones(self->r.sent_valid_q);
}

static inline bool presents(const mrpb_t *self) {
  return self->r.out_valid_q || presents_again(self);
}

/* What is presented; 0 if there is nothing: the outbound entry is 0 while it is not valid. */
static inline uint64_t presented(const mrpb_t *self) {
  return presents_again(self) ? self->r.sent_q[ones(self->r.due_q)] : self->out_entry;
}

/* Steps 2 and 3 with ANSWER > 0. */
static inline void decide_later(const mrpb_t *self, const mrpb_in_t *in, cycle_t *c) {
  const mrpb_regs_t *r = &self->r;
  bool answered = r->due_q & 1;
  c->byp_valid = r->byp_q;
  bool bypassing = c->byp_valid && in->byp_ready_i;
  c->leave = (answered && in->l1_answer_i == MRPB_L1_ACCEPTED) || bypassing;
  c->refused = answered && !c->leave;
  c->move = r->out_valid_q && !presents_again(self) && !c->refused;
  c->asks = presents(self) && !bypassing && !c->refused;
  c->left = unpack(self, r->sent_q[0]);
}

static inline void decide(const mrpb_t *self, const mrpb_in_t *in, cycle_t *c) {
  const mrpb_regs_t *r = &self->r;
  memset(c, 0, sizeof *c);
  if (self->cfg.ANSWER) {
    c->front = unpack(self, presented(self));
    decide_later(self, in, c);
  } else {
    c->front = unpack(self, self->out_entry); /* the entry is 0 while it is not valid */
    c->byp_valid = r->out_valid_q && !c->front.write && bypasses(self, in);
    c->leave = r->out_valid_q &&
               (in->l1_answer_i == MRPB_L1_ACCEPTED || (c->byp_valid && in->byp_ready_i));
    c->move = c->leave;
    c->left = c->front;
  }
  if (in->in_valid_i) decide_offer(self, in, c); /* without an offer those fields stay false */
}

/* The order rule cannot be broken while nothing is accepted and nothing leaves. */
static inline bool order_asked(const cycle_t *c) {
  return c->ready || c->leave;
}

static inline order_check_in_t order_inputs(const mrpb_in_t *in, const cycle_t *c) {
  return (order_check_in_t){.srst_ni = in->srst_ni,
                            .in_valid_i = c->ready,
                            .in_kind_i = in->in_kind_i,
                            .in_warp_i = in->in_warp_i,
                            .in_block_i = in->in_block_i,
                            .in_data_i = in->in_data_i,
                            .out_valid_i = c->leave,
                            .out_write_i = c->left.write,
                            .out_warp_i = c->left.warp,
                            .out_block_i = c->left.block,
                            .out_data_i = c->left.data};
}

static inline bool order_broken(const mrpb_t *self, const order_check_in_t *in) {
  order_check_out_t out;
  order_check_comb(self->u_order_check, in, &out);
  return out.order_err_o || out.barrier_err_o || out.overflow_err_o;
}

static inline void outputs(const mrpb_t *self, const cycle_t *c, bool order_err, mrpb_out_t *out) {
  *out = (mrpb_out_t){.in_ready_o = c->ready,
                      .out_valid_o = presents(self),
                      .out_write_o = c->front.write,
                      .out_warp_o = c->front.warp,
                      .out_block_o = c->front.block,
                      .out_data_o = c->front.data,
                      .byp_valid_o = c->byp_valid,
                      .flush_full_o = c->flush_full,
                      .flush_write_o = c->flush_write,
                      .held_o = self->r.held_q,
                      .order_err_o = order_err};
}

void mrpb_front(const mrpb_t *self, mrpb_out_t *out) {
  const fields_t front = unpack(self, presented(self));
  out->out_valid_o = presents(self);
  out->out_write_o = front.write;
  out->out_warp_o = front.warp;
  out->out_block_o = front.block;
  out->out_data_o = front.data;
  out->held_o = self->r.held_q;
}

static inline void shift_line(mrpb_t *self, bool store, uint64_t queue) {
  mrpb_regs_t *r = &self->r;
  unsigned last = self->cfg.LATENCY - 3;
  if (!store && !r->line_valid_q) return; /* empty: it is all zeros and stays so */
  r->line_valid_q = (uint16_t)(r->line_valid_q >> 1 | (unsigned)store << last);
  /* Move the whole array, which is faster; behind `last` there are zeros. */
  memmove(&r->line_queue_q[0], &r->line_queue_q[1], sizeof r->line_queue_q - 1);
  r->line_queue_q[last] = store ? (uint8_t)queue : 0;
}

static inline void count_block(mrpb_t *self, uint64_t block, unsigned by) {
  uint16_t *held = &self->r.block_held_q[counter_of(self, block)];
  *held = (uint16_t)((*held + by) & self->held_mask);
}

static inline void count_held(mrpb_t *self, const mrpb_in_t *in, const cycle_t *c) {
  mrpb_regs_t *r = &self->r;
  if (c->store || c->pass) {
    r->held_q++;
    count_block(self, in->in_block_i, 1);
  }
  if (r->left_valid_q) count_block(self, r->left_block_q, UINT_MAX);
  r->held_q -= c->leave;
  r->left_valid_q = c->leave;
  r->left_block_q = c->leave ? (uint8_t)c->left.block : 0;
}

/* The entry at the output of the bank's SRAM. With the flush option no write is ever stored
 * there. */
static inline uint64_t drained(const mrpb_t *self) {
  uint64_t entry = fifo_bank_regs(self->u_fifo_bank)->u_mem.rdata_q;
  return self->cfg.FLUSH ? bits(entry, self->cfg.DATA_W + 2 * ID_W) : entry;
}

/* The edge of the drain selector and the FIFO bank. Returns true if an entry was drained. */
static inline bool edge_queues(mrpb_t *self, const mrpb_in_t *in, const cycle_t *c, bool take,
                               uint64_t entry) {
  bool force = c->flush_full || c->flush_write;
  drain_selector_in_t drain_in = {.srst_ni = in->srst_ni,
                                  .add_valid_i = self->r.line_valid_q & 1,
                                  .add_queue_i = self->r.line_queue_q[0],
                                  .force_valid_i = force,
                                  .force_queue_i = force ? c->queue : 0,
                                  .take_i = take};
  drain_selector_out_t drain_out = {0};
  if (take) drain_selector_comb(self->u_drain_selector, &drain_in, &drain_out);
  drain_selector_edge(self->u_drain_selector, &drain_in);
  bool drain = drain_out.sel_valid_o;
  if (!drain && !c->store && in->srst_ni) return false; /* the bank is idle */
  fifo_bank_in_t bank_in = {.srst_ni = in->srst_ni,
                            .enq_valid_i = c->store,
                            .enq_queue_i = c->queue,
                            .enq_data_i = entry,
                            .deq_valid_i = drain,
                            .deq_queue_i = drain_out.sel_queue_o};
  fifo_bank_edge(self->u_fifo_bank, &bank_in);
  return drain;
}

/* The line of sent requests, ANSWER > 0. */
static void edge_sent(mrpb_t *self, const mrpb_in_t *in, const cycle_t *c) {
  mrpb_regs_t *r = &self->r;
  const bool write = unpack(self, r->sent_q[0]).write;
  if (c->leave) {
    for (unsigned i = 0; i + 1 < self->cfg.ANSWER; i++) r->sent_q[i] = r->sent_q[i + 1];
    r->sent_q[self->cfg.ANSWER - 1] = 0;
    r->sent_valid_q >>= 1;
  }
  if (c->move) {
    const unsigned end = ones(r->sent_valid_q);
    r->sent_q[end] = self->out_entry;
    r->sent_valid_q |= (uint8_t)(1u << end);
  }
  const unsigned due = r->due_q >> 1 | (unsigned)c->asks << (self->cfg.ANSWER - 1);
  r->due_q = c->refused ? 0 : (uint8_t)due;
  r->byp_q = c->refused && !write && bypasses(self, in);
}

/* The clock edge of a cycle in which `c` was decided, except for the order check. */
static inline void edge(mrpb_t *self, const mrpb_in_t *in, const cycle_t *c) {
  mrpb_regs_t *r = &self->r;
  bool take = (!r->out_valid_q || c->move) && !c->pass;
  if (in->srst_ni && !take && !c->ready && !c->leave && !r->left_valid_q && !r->line_valid_q &&
      !r->sent_valid_q)
    return; /* nothing enters, moves or leaves */
  uint64_t entry = pack(self, in);
  bool drain = edge_queues(self, in, c, take, entry);
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  if (r->sent_valid_q || (c->move && self->cfg.ANSWER)) edge_sent(self, in, c);
  if (c->pass || drain || c->move) {
    r->out_valid_q = c->pass || drain;
    r->out_stored_q = drain;
    r->out_pass_q = c->pass ? entry : 0;
    self->out_entry = drain ? drained(self) : r->out_pass_q;
  }
  shift_line(self, c->store, c->queue);
  count_held(self, in, c);
  if (self->parity) parity_edge(self);
}

void mrpb_comb(const mrpb_t *self, const mrpb_in_t *in, mrpb_out_t *out) {
  cycle_t c;
  decide(self, in, &c);
  order_check_in_t order_in = order_inputs(in, &c);
  outputs(self, &c, order_asked(&c) && order_broken(self, &order_in), out);
}

void mrpb_edge(mrpb_t *self, const mrpb_in_t *in) {
  if (in->srst_ni && !in->in_valid_i && self->r.held_q == 0 && !self->r.left_valid_q)
    return; /* empty: nothing changes */
  cycle_t c;
  decide(self, in, &c);
  if (order_asked(&c) || !in->srst_ni) {
    order_check_in_t order_in = order_inputs(in, &c);
    order_check_edge(self->u_order_check, &order_in);
  }
  edge(self, in, &c);
}

void mrpb_step(mrpb_t *self, const mrpb_in_t *in, mrpb_out_t *out) {
  cycle_t c;
  decide(self, in, &c);
  bool order_err = false;
  if (order_asked(&c) || !in->srst_ni) {
    order_check_in_t order_in = order_inputs(in, &c);
    order_err = order_asked(&c) && order_broken(self, &order_in);
    order_check_edge(self->u_order_check, &order_in);
  }
  outputs(self, &c, order_err, out);
  edge(self, in, &c);
}

const mrpb_regs_t *mrpb_regs(const mrpb_t *self) {
  return &self->r;
}

void mrpb_destroy(mrpb_t *self) {
  if (!self) return;
  fifo_bank_destroy(self->u_fifo_bank);
  drain_selector_destroy(self->u_drain_selector);
  order_check_destroy(self->u_order_check);
  free(self->parity);
  free(self);
}

static void mrpb_copy(mrpb_t *to, const mrpb_t *from) {
  const mrpb_t old = *to;
  *to = *from;
  to->u_fifo_bank = old.u_fifo_bank;
  to->u_drain_selector = old.u_drain_selector;
  to->u_order_check = old.u_order_check;
  to->parity = old.parity;
  if (to->parity) *to->parity = *from->parity;
  fifo_bank_class.copy(to->u_fifo_bank, from->u_fifo_bank);
  drain_selector_class.copy(to->u_drain_selector, from->u_drain_selector);
  order_check_class.copy(to->u_order_check, from->u_order_check);
}

static void fast_step(void *self, const uint64_t *in, uint64_t *out) {
  mrpb_step(self, (const mrpb_in_t *)(const void *)in, (mrpb_out_t *)(void *)out);
}

static void fast_front(const void *self, const uint64_t *in, uint64_t *out) {
  (void)in;
  mrpb_front(self, (mrpb_out_t *)(void *)out);
}

static const module_fast_t fast[] = {
    {.name = "mrpb_step", .step = fast_step},
    {.name = "mrpb_front",
     .view = fast_front,
     .outputs = "out_valid_o out_write_o out_warp_o out_block_o out_data_o held_o"},
};

#define STEM mrpb
#define COMPOSITE
#define FAST fast
#define PORTS_FILE "ports/mrpb.ports.h"
#include "ports/define.h"
