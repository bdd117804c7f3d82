/* SPDX-License-Identifier: Apache-2.0 */
#include "order_check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WARPS = 64, BLOCK_COUNT_W = 13 };

struct order_check {
  order_check_cfg_t cfg;
  uint32_t ring; /* DEPTH + 1 */
  order_check_regs_t r;
};

static void reset(order_check_t *self) {
  order_check_regs_t *r = &self->r;
  memset(r->head_q, 0, sizeof r->head_q);
  memset(r->len_q, 0, sizeof r->len_q);
  memset(r->block_q, 0, sizeof r->block_q);
}

int order_check_create(order_check_t **self, const order_check_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (order_check_check(cfg, err)) return -1;
  order_check_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "order_check: out of memory");
  made->cfg = *cfg;
  made->ring = cfg->DEPTH + 1;
  reset(made);
  *self = made;
  return 0;
}

/* The counter that a block ID maps to. */
static inline uint64_t counter_of(const order_check_t *self, uint64_t block) {
  return block < self->cfg.BLOCKS ? block : self->cfg.BLOCKS - 1;
}

static inline uint64_t item(const order_check_t *self, bool write, uint64_t data) {
  return (uint64_t)write << self->cfg.DATA_W | data;
}

void order_check_comb(const order_check_t *self, const order_check_in_t *in,
                      order_check_out_t *out) {
  const order_check_regs_t *r = &self->r;
  memset(out, 0, sizeof *out);
  uint64_t w = in->out_warp_i % WARPS;
  if (in->out_valid_i)
    out->order_err_o = r->len_q[w] == 0 || r->list_q[w * self->ring + r->head_q[w]] !=
                                               item(self, in->out_write_i, in->out_data_i);
  if (!in->in_valid_i) return;
  if (in->in_kind_i >= MRPB_KIND_BARRIER) {
    uint64_t b = counter_of(self, in->in_block_i);
    bool leaves = in->out_valid_i && r->block_q[b] > 0 && counter_of(self, in->out_block_i) == b;
    out->barrier_err_o = r->block_q[b] != (leaves ? 1 : 0);
  } else {
    uint64_t v = in->in_warp_i % WARPS;
    out->overflow_err_o = r->len_q[v] == self->ring && !(in->out_valid_i && v == w);
  }
}

void order_check_edge(order_check_t *self, const order_check_in_t *in) {
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  order_check_regs_t *r = &self->r;
  uint32_t ring = self->ring;
  if (in->out_valid_i) {
    uint64_t w = in->out_warp_i % WARPS, b = counter_of(self, in->out_block_i);
    if (r->len_q[w] > 0) {
      r->head_q[w] = r->head_q[w] + 1u == ring ? 0 : (uint8_t)(r->head_q[w] + 1);
      r->len_q[w]--;
    }
    if (r->block_q[b] > 0) r->block_q[b]--;
  }
  if (in->in_valid_i && in->in_kind_i < MRPB_KIND_BARRIER) {
    uint64_t v = in->in_warp_i % WARPS, b = counter_of(self, in->in_block_i);
    if (r->len_q[v] < ring) {
      uint32_t tail = (uint32_t)r->head_q[v] + r->len_q[v];
      if (tail >= ring) tail -= ring;
      r->list_q[v * ring + tail] = item(self, in->in_kind_i & 1, in->in_data_i);
      r->len_q[v]++;
    }
    r->block_q[b] = (uint16_t)bits(r->block_q[b] + 1u, BLOCK_COUNT_W);
  }
}

const order_check_regs_t *order_check_regs(const order_check_t *self) {
  return &self->r;
}

void order_check_destroy(order_check_t *self) {
  free(self);
}

#define STEM order_check
#define PORTS_FILE "ports/order_check.ports.h"
#include "ports/define.h"
