/* SPDX-License-Identifier: Apache-2.0 */
#include "reg_fifo.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* PARITY: a bit for each register, and for each word. */
typedef struct {
  uint8_t state;
  uint64_t data; /* bit p: of place p */
} parity_t;

struct reg_fifo {
  reg_fifo_cfg_t cfg;
  uint32_t stride; /* words of data_q per entry */
  parity_t parity; /* 0 without PARITY */
  reg_fifo_regs_t r;
};

static void reset(reg_fifo_t *self) {
  self->r.head_q = 0;
  self->r.tail_q = 0;
  self->r.count_q = 0;
  self->r.held_q = 0;
  self->parity.state = 0;
}

int reg_fifo_create(reg_fifo_t **self, const reg_fifo_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (reg_fifo_check(cfg, err)) return -1;
  reg_fifo_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "reg_fifo: out of memory");
  made->cfg = *cfg;
  made->stride = (cfg->DATA_W + 31) / 32;
  reset(made);
  *self = made;
  return 0;
}

static inline bool in_ready(const reg_fifo_t *self) {
  return self->r.count_q < self->cfg.DEPTH;
}

static inline bool out_valid(const reg_fifo_t *self) {
  return self->r.count_q > 0;
}

/* The low bits of the entry at a place, as many as the key has. */
static inline uint64_t key(const reg_fifo_t *self, uint32_t place) {
  const uint32_t *entry = &self->r.data_q[place * self->stride];
  const uint64_t high = self->stride > 1 ? entry[1] : 0;
  return bits(entry[0] | high << 32, self->cfg.FIND_W);
}

static bool find(const reg_fifo_t *self, uint64_t wanted) {
  if (self->cfg.FIND_W == 0) return false;
  bool found = false;
  for (uint32_t p = 0; p < self->cfg.DEPTH; p++)
    found |= (self->r.held_q >> p & 1) && key(self, p) == wanted;
  return found;
}

void reg_fifo_comb(const reg_fifo_t *self, const reg_fifo_in_t *in, reg_fifo_out_t *out) {
  const uint32_t *oldest = &self->r.data_q[self->r.head_q * self->stride];
  const bool valid = out_valid(self);
  out->in_ready_o = in_ready(self);
  out->out_valid_o = valid;
  memset(out->out_data_o, 0, sizeof out->out_data_o);
  for (uint32_t w = 0; valid && w < self->stride; w++)
    out->out_data_o[w / 2] |= (uint64_t)oldest[w] << w % 2 * 32;
  out->find_o = find(self, in->find_i);
  out->count_o = self->r.count_q;
  out->error_o = 0; /* bits of a C model do not change by themselves */
}

static inline uint8_t inc(const reg_fifo_t *self, uint8_t place) {
  return place + 1u == self->cfg.DEPTH ? 0 : (uint8_t)(place + 1);
}

static uint8_t state_parity(const reg_fifo_t *self) {
  const reg_fifo_regs_t *r = &self->r;
  return (uint8_t)(bits_odd(r->head_q) | bits_odd(r->tail_q) << 1 | bits_odd(r->count_q) << 2 |
                   bits_odd(r->held_q) << 3);
}

static bool entry_parity(const reg_fifo_t *self, uint32_t place) {
  return bits_odd_words(&self->r.data_q[place * self->stride], self->stride);
}

static void come(reg_fifo_t *self, const reg_fifo_in_t *in) {
  reg_fifo_regs_t *r = &self->r;
  const uint64_t bit = UINT64_C(1) << r->tail_q;
  uint32_t *entry = &r->data_q[r->tail_q * self->stride];
  for (uint32_t w = 0; w < self->stride; w++)
    entry[w] = (uint32_t)(in->in_data_i[w / 2] >> w % 2 * 32);
  if (self->cfg.PARITY)
    self->parity.data =
        entry_parity(self, r->tail_q) ? self->parity.data | bit : self->parity.data & ~bit;
  r->held_q |= bit;
  r->tail_q = inc(self, r->tail_q);
}

void reg_fifo_edge(reg_fifo_t *self, const reg_fifo_in_t *in) {
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  reg_fifo_regs_t *r = &self->r;
  const bool comes = in->in_valid_i && in_ready(self);
  const bool leaves = in->out_ready_i && out_valid(self);
  if (comes) come(self, in);
  if (leaves) {
    r->held_q &= ~(UINT64_C(1) << r->head_q);
    r->head_q = inc(self, r->head_q);
  }
  r->count_q = (uint8_t)(r->count_q + comes - leaves);
  if (self->cfg.PARITY) self->parity.state = state_parity(self);
}

const reg_fifo_regs_t *reg_fifo_regs(const reg_fifo_t *self) {
  return &self->r;
}

void reg_fifo_destroy(reg_fifo_t *self) {
  free(self);
}

#define STEM reg_fifo
#define PORTS_FILE "ports/reg_fifo.ports.h"
#include "ports/define.h"
