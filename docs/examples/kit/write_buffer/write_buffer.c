/* SPDX-License-Identifier: Apache-2.0 */
/* The C model of write_buffer. Page: write_buffer.md. */
#include "write_buffer.h"

#include <stdbool.h>
#include <stdlib.h>

struct write_buffer {
  write_buffer_cfg_t cfg;
  write_buffer_regs_t r;
};

static void reset(write_buffer_t *self) {
  self->r.head_q = 0;
  self->r.tail_q = 0;
  self->r.valid_q = 0;
}

int write_buffer_create(write_buffer_t **self, const write_buffer_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (write_buffer_check(cfg, err) != 0) return -1;
  write_buffer_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "write_buffer: out of memory");
  made->cfg = *cfg;
  reset(made);
  *self = made;
  return 0;
}

static bool holds(const write_buffer_t *self, uint32_t e, uint64_t addr) {
  return (self->r.valid_q >> e & 1) && self->r.addr_q[e] == addr;
}

/* The waiting place of this line, ENTRIES if there is none. */
static uint32_t waiting(const write_buffer_t *self, uint64_t addr) {
  for (uint32_t e = 0; e < self->cfg.ENTRIES; e++)
    if (e != self->r.head_q && holds(self, e, addr)) return e;
  return self->cfg.ENTRIES;
}

static bool full(const write_buffer_t *self) {
  return self->r.valid_q == bits_mask(self->cfg.ENTRIES);
}

/* Bits(m) of the page. */
static uint64_t spread(uint64_t mask) {
  uint64_t all = 0;
  for (unsigned b = 0; b < 8; b++)
    if (mask >> b & 1) all |= UINT64_C(0xff) << 8 * b;
  return all;
}

void write_buffer_comb(const write_buffer_t *self, const write_buffer_in_t *in,
                       write_buffer_out_t *out) {
  const uint32_t n = self->cfg.ENTRIES, head = self->r.head_q, w = waiting(self, in->rd_addr_i);
  out->wr_merge_o = waiting(self, in->wr_addr_i) < n;
  out->wr_ready_o = out->wr_merge_o || !full(self);
  out->out_valid_o = self->r.valid_q != 0;
  out->out_addr_o = self->r.addr_q[head];
  out->out_mask_o = self->r.mask_q[head];
  out->out_data_o = self->r.data_q[head];
  const bool oldest = holds(self, head, in->rd_addr_i);
  const uint64_t old_mask = oldest ? self->r.mask_q[head] : 0;
  const uint64_t new_mask = w < n ? self->r.mask_q[w] : 0;
  const uint64_t old_data = oldest ? self->r.data_q[head] : 0;
  out->rd_mask_o = old_mask | new_mask;
  out->rd_data_o = (old_data & ~spread(new_mask)) | (w < n ? self->r.data_q[w] : 0);
}

static uint8_t next(const write_buffer_t *self, uint8_t place) {
  return (uint8_t)(place + 1u == self->cfg.ENTRIES ? 0 : place + 1);
}

static void put(write_buffer_t *self, const write_buffer_in_t *in) {
  const uint32_t w = waiting(self, in->wr_addr_i);
  const uint64_t all = spread(in->wr_mask_i);
  if (w < self->cfg.ENTRIES) {
    self->r.mask_q[w] |= (uint8_t)in->wr_mask_i;
    self->r.data_q[w] = (self->r.data_q[w] & ~all) | (in->wr_data_i & all);
    return;
  }
  if (full(self)) return;
  const uint8_t tail = self->r.tail_q;
  self->r.addr_q[tail] = in->wr_addr_i;
  self->r.mask_q[tail] = (uint8_t)in->wr_mask_i;
  self->r.data_q[tail] = in->wr_data_i & all;
  self->r.valid_q |= (uint16_t)(1u << tail);
  self->r.tail_q = next(self, tail);
}

void write_buffer_edge(write_buffer_t *self, const write_buffer_in_t *in) {
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  const bool leave = in->out_ready_i && self->r.valid_q != 0;
  if (in->wr_valid_i) put(self, in);
  if (!leave) return;
  self->r.valid_q &= (uint16_t) ~(1u << self->r.head_q);
  self->r.head_q = next(self, self->r.head_q);
}

const write_buffer_regs_t *write_buffer_regs(const write_buffer_t *self) {
  return &self->r;
}

void write_buffer_destroy(write_buffer_t *self) {
  free(self);
}

#define STEM write_buffer
#define PORTS_FILE "ports/write_buffer.ports.h"
#include "ports/define.h"
