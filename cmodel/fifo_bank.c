/* SPDX-License-Identifier: Apache-2.0 */
#include "fifo_bank.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct fifo_bank {
  fifo_bank_cfg_t cfg;
  fifo_bank_regs_t r;
};

static void reset(fifo_bank_t *self) {
  fifo_bank_regs_t *r = &self->r;
  memset(r->head_q, 0, sizeof r->head_q);
  memset(r->tail_q, 0, sizeof r->tail_q);
  r->full_q = 0;
  r->empty_q = bits_mask(self->cfg.QUEUES);
}

int fifo_bank_create(fifo_bank_t **self, const fifo_bank_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (fifo_bank_check(cfg, err)) return -1;
  fifo_bank_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "fifo_bank: out of memory");
  made->cfg = *cfg;
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
  out->deq_data_o = self->r.u_mem.rdata_q;
}

void fifo_bank_edge(fifo_bank_t *self, const fifo_bank_in_t *in) {
  if (!in->srst_ni) {
    reset(self);
    return;
  }
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

const fifo_bank_regs_t *fifo_bank_regs(const fifo_bank_t *self) {
  return &self->r;
}

void fifo_bank_destroy(fifo_bank_t *self) {
  free(self);
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
#define FAST fast
#define PORTS_FILE "ports/fifo_bank.ports.h"
#include "ports/define.h"
