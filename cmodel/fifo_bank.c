#include "fifo_bank.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct fifo_bank {
  fifo_bank_cfg_t cfg;
  uint64_t full, empty; /* bit q: len_q[q] == DEPTH, == 0; kept along with len_q */
  fifo_bank_regs_t r;
};

static void reset(fifo_bank_t *self) {
  fifo_bank_regs_t *r = &self->r;
  memset(r->head_q, 0, sizeof r->head_q);
  memset(r->tail_q, 0, sizeof r->tail_q);
  memset(r->len_q, 0, sizeof r->len_q);
  self->full = 0;
  self->empty = bits_mask(self->cfg.QUEUES);
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

static inline bool enq_ready(const fifo_bank_t *self, const fifo_bank_in_t *in) {
  return in->enq_queue_i < self->cfg.QUEUES && !(self->full >> in->enq_queue_i & 1);
}

static inline bool deq_ready(const fifo_bank_t *self, const fifo_bank_in_t *in, bool enq) {
  return in->deq_queue_i < self->cfg.QUEUES &&
         (!(self->empty >> in->deq_queue_i & 1) || (enq && in->enq_queue_i == in->deq_queue_i));
}

static inline uint8_t inc(uint8_t pointer, uint32_t depth) {
  return pointer + 1u == depth ? 0 : (uint8_t)(pointer + 1);
}

void fifo_bank_levels(const fifo_bank_t *self, uint64_t *full, uint64_t *empty) {
  *full = self->full;
  *empty = self->empty;
}

void fifo_bank_comb(const fifo_bank_t *self, const fifo_bank_in_t *in, fifo_bank_out_t *out) {
  bool ready = enq_ready(self, in), enq = ready && in->enq_valid_i;
  uint64_t d = in->deq_queue_i;
  out->full_o = self->full;
  out->empty_o = self->empty;
  out->enq_ready_o = ready;
  out->deq_ready_o = deq_ready(self, in, enq);
  if (!out->deq_ready_o)
    out->deq_data_o = 0;
  else if (self->empty >> d & 1)
    out->deq_data_o = in->enq_data_i;
  else
    out->deq_data_o = self->r.mem_q[d * self->cfg.DEPTH + self->r.head_q[d]];
}

void fifo_bank_edge(fifo_bank_t *self, const fifo_bank_in_t *in) {
  if (!in->rst_ni) {
    reset(self);
    return;
  }
  fifo_bank_regs_t *r = &self->r;
  uint32_t depth = self->cfg.DEPTH;
  uint64_t e = in->enq_queue_i, d = in->deq_queue_i;
  bool enq = in->enq_valid_i && enq_ready(self, in);
  bool deq = in->deq_valid_i && deq_ready(self, in, enq);
  if (enq) {
    r->mem_q[e * depth + r->tail_q[e]] = in->enq_data_i;
    r->tail_q[e] = inc(r->tail_q[e], depth);
  }
  if (deq) r->head_q[d] = inc(r->head_q[d], depth);
  if (enq) {
    uint64_t bit = UINT64_C(1) << e;
    self->empty &= ~bit;
    if (++r->len_q[e] == depth) self->full |= bit;
  }
  if (deq) {
    uint64_t bit = UINT64_C(1) << d;
    self->full &= ~bit;
    if (--r->len_q[d] == 0) self->empty |= bit;
  }
}

const fifo_bank_regs_t *fifo_bank_regs(const fifo_bank_t *self) {
  return &self->r;
}

void fifo_bank_destroy(fifo_bank_t *self) {
  free(self);
}

#define STEM fifo_bank
#define PORTS_FILE "ports/fifo_bank.ports.h"
#include "ports/define.h"
