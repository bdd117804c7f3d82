/* SPDX-License-Identifier: Apache-2.0 */
/* The C model of stream_table. Page: stream_table.md. */
#include "stream_table.h"

#include <stdbool.h>
#include <stdlib.h>

struct stream_table {
  stream_table_cfg_t cfg;
  stream_table_regs_t r;
};

static void reset(stream_table_t *self) {
  self->r.victim_q = 0;
  self->r.valid_q = 0;
  self->r.pf_valid_q = 0;
}

int stream_table_create(stream_table_t **self, const stream_table_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (stream_table_check(cfg, err) != 0) return -1;
  stream_table_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "stream_table: out of memory");
  made->cfg = *cfg;
  reset(made);
  *self = made;
  return 0;
}

/* The lowest stream whose last line and `ahead` more are this line; ENTRIES if there is none. */
static uint32_t find(const stream_table_t *self, uint64_t line, uint64_t ahead) {
  for (uint32_t e = 0; e < self->cfg.ENTRIES; e++)
    if ((self->r.valid_q >> e & 1) && bits(self->r.line_q[e] + ahead, self->cfg.ADDR_W) == line)
      return e;
  return self->cfg.ENTRIES;
}

static bool asks(const stream_table_t *self, const stream_table_in_t *in) {
  const uint32_t e = find(self, in->acc_line_i, 1);
  return in->srst_ni && in->acc_valid_i && !in->flush_i && e < self->cfg.ENTRIES &&
         self->r.trust_q[e] == self->cfg.TRUST;
}

void stream_table_comb(const stream_table_t *self, const stream_table_in_t *in,
                       stream_table_out_t *out) {
  const uint32_t n = self->cfg.ENTRIES;
  out->hit_o = find(self, in->acc_line_i, 1) < n;
  out->repeat_o = !out->hit_o && find(self, in->acc_line_i, 0) < n;
  out->drop_o = asks(self, in) && self->r.pf_valid_q && !in->pf_ready_i;
  out->pf_valid_o = self->r.pf_valid_q;
  out->pf_line_o = self->r.pf_line_q;
}

static void follow(stream_table_t *self, uint64_t line) {
  const uint32_t n = self->cfg.ENTRIES, e = find(self, line, 1);
  if (e < n) {
    self->r.line_q[e] = line;
    if (self->r.trust_q[e] != self->cfg.TRUST) self->r.trust_q[e]++;
    return;
  }
  if (find(self, line, 0) < n) return;
  const uint8_t victim = self->r.victim_q;
  self->r.valid_q |= (uint16_t)(1u << victim);
  self->r.line_q[victim] = line;
  self->r.trust_q[victim] = 0;
  self->r.victim_q = (uint8_t)(victim + 1u == n ? 0 : victim + 1);
}

void stream_table_edge(stream_table_t *self, const stream_table_in_t *in) {
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  const bool ask = asks(self, in);
  if (in->pf_ready_i) self->r.pf_valid_q = 0;
  if (ask && !self->r.pf_valid_q) {
    self->r.pf_valid_q = 1;
    self->r.pf_line_q = bits(in->acc_line_i + self->cfg.DISTANCE, self->cfg.ADDR_W);
  }
  if (in->flush_i) {
    self->r.valid_q = 0;
    self->r.victim_q = 0;
  } else if (in->acc_valid_i) {
    follow(self, in->acc_line_i);
  }
}

const stream_table_regs_t *stream_table_regs(const stream_table_t *self) {
  return &self->r;
}

void stream_table_destroy(stream_table_t *self) {
  free(self);
}

#define STEM stream_table
#define PORTS_FILE "ports/stream_table.ports.h"
#include "ports/define.h"
