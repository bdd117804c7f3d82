#include "mrpb.h"

#include "drain_selector.h"
#include "fifo_bank.h"
#include "flush_control.h"
#include "order_check.h"
#include "queue_selector.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { KIND_WRITE = 1, KIND_BARRIER = 2, ID_W = 6, ENTRY_EXTRA = 2 * ID_W + 1 };
enum { L1_ACCEPTED = 0, L1_ASSOC_STALL = 1, L1_OTHER_STALL = 2 };
enum { BYPASS_STALL = 1, BYPASS_ASSOC_STALL = 2 };

struct mrpb {
  mrpb_cfg_t cfg;
  queue_selector_t *u_queue_selector;
  flush_control_t *u_flush_control;
  fifo_bank_t *u_fifo_bank;
  drain_selector_t *u_drain_selector;
  order_check_t *u_order_check;
  mrpb_regs_t r;
};

/* The fields of an entry {write, warp, block, payload}. */
typedef struct {
  uint64_t write, warp, block, data;
} fields_t;

/* What steps 1 to 4 of a cycle decide. */
typedef struct {
  bool byp_valid, leave;
  fields_t front; /* what is presented; zeros while nothing is */
  uint64_t queue; /* of what is offered */
  flush_control_out_t input;
} cycle_t;

static void reset(mrpb_t *self) {
  memset(&self->r, 0, sizeof self->r);
}

static int create_children(mrpb_t *self, mrpb_err_t *err) {
  const mrpb_cfg_t *c = &self->cfg;
  queue_selector_cfg_t selector = {.QUEUES = c->QUEUES, .SIGNATURE = c->SIGNATURE};
  flush_control_cfg_t flush = {.QUEUES = c->QUEUES, .FLUSH = c->FLUSH};
  fifo_bank_cfg_t bank = {
      .QUEUES = c->QUEUES, .DEPTH = c->DEPTH, .DATA_W = c->DATA_W + ENTRY_EXTRA};
  drain_selector_cfg_t drain = {.QUEUES = c->QUEUES, .DEPTH = c->DEPTH, .POLICY = c->POLICY};
  order_check_cfg_t order = {.DEPTH = c->DEPTH, .BLOCKS = c->BLOCKS, .DATA_W = c->DATA_W};
  if (queue_selector_create(&self->u_queue_selector, &selector, err) ||
      flush_control_create(&self->u_flush_control, &flush, err) ||
      fifo_bank_create(&self->u_fifo_bank, &bank, err) ||
      drain_selector_create(&self->u_drain_selector, &drain, err) ||
      order_check_create(&self->u_order_check, &order, err))
    return -1;
  return 0;
}

int mrpb_create(mrpb_t **self, const mrpb_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (mrpb_check(cfg, err)) return -1;
  mrpb_t *made = calloc(1, sizeof *made);
  if (!made) return mrpb_fail(err, "mrpb: out of memory");
  made->cfg = *cfg;
  if (create_children(made, err)) {
    mrpb_destroy(made);
    return -1;
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

/* The counter that a block ID uses. */
static inline uint64_t counter_of(const mrpb_t *self, uint64_t block) {
  return block < self->cfg.BLOCKS ? block : self->cfg.BLOCKS - 1;
}

static inline bool bypasses(const mrpb_t *self, const mrpb_in_t *in) {
  if (self->cfg.BYPASS == BYPASS_STALL)
    return in->l1_answer_i == L1_ASSOC_STALL || in->l1_answer_i == L1_OTHER_STALL;
  return self->cfg.BYPASS == BYPASS_ASSOC_STALL && in->l1_answer_i == L1_ASSOC_STALL;
}

static inline void decide(const mrpb_t *self, const mrpb_in_t *in, cycle_t *c) {
  const mrpb_regs_t *r = &self->r;
  c->front = unpack(self, r->out_entry_q); /* the entry is 0 while it is not valid */
  c->byp_valid = r->out_valid_q && !c->front.write && bypasses(self, in);
  c->leave =
      r->out_valid_q && (in->l1_answer_i == L1_ACCEPTED || (c->byp_valid && in->byp_ready_i));
  c->queue = 0;
  c->input = (flush_control_out_t){0};
  if (!in->in_valid_i)
    return; /* flush_control's outputs are 0 then, and nobody asks for the queue */

  queue_selector_in_t selector_in = {
      .warp_i = in->in_warp_i, .block_i = in->in_block_i, .block_warp_i = in->in_block_warp_i};
  queue_selector_out_t selector_out;
  queue_selector_comb(self->u_queue_selector, &selector_in, &selector_out);
  c->queue = selector_out.queue_o;

  uint64_t full, empty;
  fifo_bank_levels(self->u_fifo_bank, &full, &empty);
  flush_control_in_t flush_in = {.in_valid_i = in->in_valid_i,
                                 .in_kind_i = in->in_kind_i,
                                 .in_queue_i = c->queue,
                                 .full_i = full,
                                 .empty_i = empty,
                                 .block_busy_i =
                                     r->block_held_q[counter_of(self, in->in_block_i)] > 0,
                                 .slot_i = !r->out_valid_q || c->leave};
  flush_control_comb(self->u_flush_control, &flush_in, &c->input);
}

static inline order_check_in_t order_inputs(const mrpb_in_t *in, const cycle_t *c) {
  return (order_check_in_t){.rst_ni = in->rst_ni,
                            .in_valid_i = in->in_valid_i && c->input.in_ready_o,
                            .in_kind_i = in->in_kind_i,
                            .in_warp_i = in->in_warp_i,
                            .in_block_i = in->in_block_i,
                            .in_data_i = in->in_data_i,
                            .out_valid_i = c->leave,
                            .out_write_i = c->front.write,
                            .out_warp_i = c->front.warp,
                            .out_block_i = c->front.block,
                            .out_data_i = c->front.data};
}

static inline void outputs(const mrpb_t *self, const mrpb_in_t *in, const cycle_t *c,
                           mrpb_out_t *out) {
  order_check_out_t order_out = {0};
  if (c->input.in_ready_o || c->leave) { /* else no rule can be broken */
    order_check_in_t order_in = order_inputs(in, c);
    order_check_comb(self->u_order_check, &order_in, &order_out);
  }
  *out = (mrpb_out_t){.in_ready_o = c->input.in_ready_o,
                      .out_valid_o = self->r.out_valid_q,
                      .out_write_o = c->front.write,
                      .out_warp_o = c->front.warp,
                      .out_block_o = c->front.block,
                      .out_data_o = c->front.data,
                      .byp_valid_o = c->byp_valid,
                      .flush_full_o = c->input.flush_full_o,
                      .flush_write_o = c->input.flush_write_o,
                      .held_o = self->r.held_q,
                      .order_err_o = order_out.order_err_o || order_out.barrier_err_o ||
                                     order_out.overflow_err_o};
}

void mrpb_comb(const mrpb_t *self, const mrpb_in_t *in, mrpb_out_t *out) {
  cycle_t c;
  decide(self, in, &c);
  outputs(self, in, &c, out);
}

void mrpb_front(const mrpb_t *self, mrpb_out_t *out) {
  fields_t front = unpack(self, self->r.out_entry_q);
  *out = (mrpb_out_t){.out_valid_o = self->r.out_valid_q,
                      .out_write_o = front.write,
                      .out_warp_o = front.warp,
                      .out_block_o = front.block,
                      .out_data_o = front.data,
                      .held_o = self->r.held_q};
}

static inline void shift_line(mrpb_t *self, bool store, uint64_t queue) {
  mrpb_regs_t *r = &self->r;
  unsigned last = self->cfg.LATENCY - 3;
  if (!store && !r->line_valid_q) return; /* empty, so all zeros, and stays so */
  r->line_valid_q = (uint16_t)(r->line_valid_q >> 1 | (unsigned)store << last);
  /* As a whole, for speed: behind `last` there are zeros. */
  memmove(&r->line_queue_q[0], &r->line_queue_q[1], sizeof r->line_queue_q - 1);
  r->line_queue_q[last] = store ? (uint8_t)queue : 0;
}

static inline void count_held(mrpb_t *self, bool accepted, uint64_t in_block, const cycle_t *c) {
  mrpb_regs_t *r = &self->r;
  if (accepted) {
    r->held_q++;
    r->block_held_q[counter_of(self, in_block)]++;
  }
  if (c->leave) {
    r->held_q--;
    r->block_held_q[counter_of(self, c->front.block)]--;
  }
}

/* The clock edge of a cycle in which `c` was decided. */
static inline void edge(mrpb_t *self, const mrpb_in_t *in, const cycle_t *decided) {
  mrpb_regs_t *r = &self->r;
  const cycle_t c = *decided;
  uint64_t entry = pack(self, in);

  drain_selector_in_t drain_in = {.rst_ni = in->rst_ni,
                                  .add_valid_i = r->line_valid_q & 1,
                                  .add_queue_i = r->line_queue_q[0],
                                  .force_valid_i = c.input.force_valid_o,
                                  .force_queue_i = c.input.force_queue_o,
                                  .take_i = (!r->out_valid_q || c.leave) && !c.input.pass_o};
  drain_selector_out_t drain_out = {0};
  if (drain_in.take_i) drain_selector_comb(self->u_drain_selector, &drain_in, &drain_out);
  bool drain = drain_out.sel_valid_o;
  fifo_bank_in_t bank_in = {.rst_ni = in->rst_ni,
                            .enq_valid_i = c.input.store_o,
                            .enq_queue_i = c.queue,
                            .enq_data_i = entry,
                            .deq_valid_i = drain,
                            .deq_queue_i = drain_out.sel_queue_o};
  fifo_bank_out_t bank_out = {0};
  if (drain) fifo_bank_comb(self->u_fifo_bank, &bank_in, &bank_out);

  drain_selector_edge(self->u_drain_selector, &drain_in);
  if (drain || c.input.store_o || !in->rst_ni) fifo_bank_edge(self->u_fifo_bank, &bank_in);
  if (c.input.in_ready_o || c.leave || !in->rst_ni) {
    order_check_in_t order_in = order_inputs(in, &c);
    order_check_edge(self->u_order_check, &order_in);
  }
  if (!in->rst_ni) {
    reset(self);
    return;
  }
  if (c.input.pass_o || drain) {
    r->out_valid_q = 1;
    r->out_entry_q = c.input.pass_o ? entry : bank_out.deq_data_o;
  } else if (c.leave) {
    r->out_valid_q = 0;
    r->out_entry_q = 0;
  }
  shift_line(self, c.input.store_o, c.queue);
  count_held(self, c.input.store_o || c.input.pass_o, in->in_block_i, &c);
}

void mrpb_edge(mrpb_t *self, const mrpb_in_t *in) {
  cycle_t c;
  if (in->rst_ni && !in->in_valid_i && self->r.held_q == 0) return; /* empty: nothing changes */
  decide(self, in, &c);
  edge(self, in, &c);
}

void mrpb_step(mrpb_t *self, const mrpb_in_t *in, mrpb_out_t *out) {
  cycle_t c;
  decide(self, in, &c);
  outputs(self, in, &c, out);
  edge(self, in, &c);
}

const mrpb_regs_t *mrpb_regs(const mrpb_t *self) {
  return &self->r;
}

void mrpb_destroy(mrpb_t *self) {
  if (!self) return;
  queue_selector_destroy(self->u_queue_selector);
  flush_control_destroy(self->u_flush_control);
  fifo_bank_destroy(self->u_fifo_bank);
  drain_selector_destroy(self->u_drain_selector);
  order_check_destroy(self->u_order_check);
  free(self);
}

#define STEM mrpb
#define PORTS_FILE "ports/mrpb.ports.h"
#include "ports/define.h"
