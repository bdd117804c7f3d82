/* SPDX-License-Identifier: Apache-2.0 */
#include "fifo_bank.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* PARITY: a bit for each register, and for each word of the SRAM; `shown`: a word was dequeued. */
typedef struct {
  uint8_t state, shown, rcode;
  uint64_t head, tail; /* bit q: of queue q */
  uint8_t code[64 * 64];
} parity_t;

struct fifo_bank {
  fifo_bank_cfg_t cfg;
  parity_t *parity; /* NULL without PARITY */
  fifo_bank_regs_t r;
};

static uint8_t state_parity(const fifo_bank_t *self) {
  return (uint8_t)(bits_odd(self->r.full_q) | bits_odd(self->r.empty_q) << 1 |
                   self->parity->shown << 2);
}

static void reset(fifo_bank_t *self) {
  fifo_bank_regs_t *r = &self->r;
  memset(r->head_q, 0, sizeof r->head_q);
  memset(r->tail_q, 0, sizeof r->tail_q);
  r->full_q = 0;
  r->empty_q = bits_mask(self->cfg.QUEUES);
  if (!self->parity) return;
  self->parity->head = self->parity->tail = 0;
  self->parity->shown = 0;
  self->parity->state = state_parity(self);
}

int fifo_bank_create(fifo_bank_t **self, const fifo_bank_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (fifo_bank_check(cfg, err)) return -1;
  fifo_bank_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "fifo_bank: out of memory");
  made->cfg = *cfg;
  if (cfg->PARITY && !(made->parity = module_alloc(sizeof *made->parity))) {
    fifo_bank_destroy(made);
    return mrpb_fail(err, "fifo_bank: out of memory");
  }
  reset(made);
  *self = made;
  return 0;
}

/* The queue that is dequeued from. */
static inline uint64_t source(const fifo_bank_in_t *in) {
  return in->deq_same_i ? in->enq_queue_i : in->deq_queue_i;
}

static inline bool enq_ready(const fifo_bank_t *self, const fifo_bank_in_t *in) {
  return in->enq_queue_i < self->cfg.QUEUES && !(self->r.full_q >> in->enq_queue_i & 1);
}

static inline bool deq_ready(const fifo_bank_t *self, const fifo_bank_in_t *in) {
  uint64_t d = source(in);
  return d < self->cfg.QUEUES && !(self->r.empty_q >> d & 1);
}

static inline uint8_t inc(uint8_t pointer, uint32_t depth) {
  return pointer + 1u == depth ? 0 : (uint8_t)(pointer + 1);
}

void fifo_bank_levels(const fifo_bank_t *self, uint64_t *full, uint64_t *empty) {
  *full = self->r.full_q;
  *empty = self->r.empty_q;
}

void fifo_bank_comb(const fifo_bank_t *self, const fifo_bank_in_t *in, fifo_bank_out_t *out) {
  out->full_o = self->r.full_q;
  out->empty_o = self->r.empty_q;
  out->enq_ready_o = enq_ready(self, in);
  out->deq_ready_o = deq_ready(self, in);
  const bool hidden = self->parity && !self->parity->shown;
  out->deq_data_o = hidden ? 0 : self->r.u_mem.rdata_q;
  out->error_o = 0; /* bits of a C model do not change by themselves */
}

static void put_bit(uint64_t *set, uint64_t at, bool value) {
  *set = (*set & ~(UINT64_C(1) << at)) | (uint64_t)value << at;
}

/* The pointers and the word of an enqueue and a dequeue; call it before they change. */
static void parity_edge(fifo_bank_t *self, const fifo_bank_in_t *in) {
  const fifo_bank_regs_t *r = &self->r;
  parity_t *p = self->parity;
  const uint64_t e = in->enq_queue_i, d = source(in);
  if (in->deq_valid_i && deq_ready(self, in)) {
    p->rcode = p->code[d * self->cfg.DEPTH + r->head_q[d]];
    put_bit(&p->head, d, bits_odd(inc(r->head_q[d], self->cfg.DEPTH)));
    p->shown = 1;
  }
  if (in->enq_valid_i && enq_ready(self, in)) {
    p->code[e * self->cfg.DEPTH + r->tail_q[e]] = bits_odd(in->enq_data_i);
    put_bit(&p->tail, e, bits_odd(inc(r->tail_q[e], self->cfg.DEPTH)));
  }
}

static inline void levels_edge(fifo_bank_regs_t *r, bool enq, uint64_t e, bool deq, uint64_t d) {
  if (enq && deq && e == d) return; /* as many entries as before */
  if (enq) {
    r->empty_q &= ~(UINT64_C(1) << e);
    r->full_q |= (uint64_t)(r->tail_q[e] == r->head_q[e]) << e;
  }
  if (deq) {
    r->full_q &= ~(UINT64_C(1) << d);
    r->empty_q |= (uint64_t)(r->head_q[d] == r->tail_q[d]) << d;
  }
}

void fifo_bank_edge(fifo_bank_t *self, const fifo_bank_in_t *in) {
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  if (self->parity) parity_edge(self, in);
  fifo_bank_regs_t *r = &self->r;
  uint32_t depth = self->cfg.DEPTH;
  uint64_t e = in->enq_queue_i, d = source(in);
  bool enq = in->enq_valid_i && enq_ready(self, in);
  bool deq = in->deq_valid_i && deq_ready(self, in);
  if (deq) {
    r->u_mem.rdata_q = r->u_mem.mem_q[d * depth + r->head_q[d]];
    r->head_q[d] = inc(r->head_q[d], depth);
  }
  if (enq) {
    r->u_mem.mem_q[e * depth + r->tail_q[e]] = in->enq_data_i;
    r->tail_q[e] = inc(r->tail_q[e], depth);
  }
  levels_edge(r, enq, e, deq, d);
  if (self->parity) self->parity->state = state_parity(self);
}

const fifo_bank_regs_t *fifo_bank_regs(const fifo_bank_t *self) {
  return &self->r;
}

void fifo_bank_destroy(fifo_bank_t *self) {
  if (self) free(self->parity);
  free(self);
}

static void fifo_bank_copy(fifo_bank_t *to, const fifo_bank_t *from) {
  parity_t *const own = to->parity;
  *to = *from;
  to->parity = own;
  if (own) *own = *from->parity;
}

static void fast_levels(const void *self, const uint64_t *in, uint64_t *out) {
  fifo_bank_out_t *o = (fifo_bank_out_t *)(void *)out;
  (void)in;
  fifo_bank_levels(self, &o->full_o, &o->empty_o);
}

static const module_fast_t fast[] = {
    {.name = "fifo_bank_levels", .view = fast_levels, .outputs = "full_o empty_o"},
};

#define STEM fifo_bank
#define COMPOSITE
#define FAST fast
#define PORTS_FILE "ports/fifo_bank.ports.h"
#include "ports/define.h"
