/* SPDX-License-Identifier: Apache-2.0 */
#include "axi_port.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* PARITY: a bit for the three valid bits together, and one for each other register. */
typedef struct {
  uint8_t valid, read, write, beat;
} parity_t;

struct axi_port {
  axi_port_cfg_t cfg;
  uint8_t beat_w;    /* bits of a beat's number */
  uint8_t request_w; /* bits of a request without its write bit */
  parity_t parity;
  axi_port_regs_t r;
};

/* The fields of a request. */
typedef struct {
  uint64_t id, line, first, last;
} request_t;

static inline request_t fields(const axi_port_t *self, uint64_t word) {
  const unsigned beat_w = self->beat_w, line_at = 2 * beat_w, id_at = line_at + self->cfg.ADDR_W;
  return (request_t){.id = bits(word >> id_at, self->cfg.ID_W),
                     .line = bits(word >> line_at, self->cfg.ADDR_W),
                     .first = bits(word >> beat_w, beat_w),
                     .last = bits(word, beat_w)};
}

static inline uint64_t address(const axi_port_t *self, const request_t *q) {
  const uint64_t words = self->cfg.WORDS, bus = self->cfg.BUS_WORDS;
  return bits(4 * (q->line * words + q->first * bus), self->cfg.ADDR_W + bits_clog2(4 * words));
}

static inline uint64_t length(const axi_port_t *self, const request_t *q) {
  return bits(q->last - q->first, self->beat_w);
}

static void reset(axi_port_t *self) {
  self->r.read_valid_q = self->r.aw_valid_q = self->r.w_valid_q = 0;
  self->parity.valid = 0;
}

int axi_port_create(axi_port_t **self, const axi_port_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (axi_port_check(cfg, err)) return -1;
  axi_port_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "axi_port: out of memory");
  made->cfg = *cfg;
  made->beat_w = (uint8_t)bits_index_w((cfg->WORDS + cfg->BUS_WORDS - 1) / cfg->BUS_WORDS);
  made->request_w = (uint8_t)(cfg->ID_W + cfg->ADDR_W + 2u * made->beat_w);
  reset(made);
  *self = made;
  return 0;
}

/* What happens in a cycle. */
typedef struct {
  bool write;      /* the request that is offered is a write */
  bool last_taken; /* the last beat of write_q is taken */
  bool ready;
} cycle_t;

static inline cycle_t look(const axi_port_t *self, const axi_port_in_t *in) {
  const axi_port_regs_t *r = &self->r;
  cycle_t c = {.write = in->req_data_i >> self->request_w & 1};
  c.last_taken = r->w_valid_q && in->w_ready_i && r->beat_q == bits(r->write_q, self->beat_w);
  const bool address_done = !r->aw_valid_q || in->aw_ready_i;
  const bool beats_done = !r->w_valid_q || c.last_taken;
  c.ready = c.write ? address_done && beats_done : !r->read_valid_q;
  return c;
}

static void comb_addresses(const axi_port_t *self, const axi_port_in_t *in, bool write,
                           axi_port_out_t *out) {
  const axi_port_regs_t *r = &self->r;
  out->ar_valid_o = r->read_valid_q || (in->req_valid_i && !write);
  if (out->ar_valid_o) {
    const request_t q = fields(self, r->read_valid_q ? r->read_q : in->req_data_i);
    out->ar_id_o = q.id;
    out->ar_addr_o = address(self, &q);
    out->ar_len_o = length(self, &q);
  }
  out->aw_valid_o = r->aw_valid_q;
  if (out->aw_valid_o) {
    const request_t q = fields(self, r->write_q);
    out->aw_addr_o = address(self, &q);
    out->aw_len_o = length(self, &q);
  }
}

void axi_port_comb(const axi_port_t *self, const axi_port_in_t *in, axi_port_out_t *out) {
  const axi_port_regs_t *r = &self->r;
  const unsigned entry_w = bits_index_w(self->cfg.STORES);
  const cycle_t c = look(self, in);
  memset(out, 0, sizeof *out);
  comb_addresses(self, in, c.write, out);
  out->w_valid_o = r->w_valid_q;
  if (out->w_valid_o) {
    const request_t q = fields(self, r->write_q);
    memcpy(out->w_data_o, in->beat_data_i, sizeof out->w_data_o);
    memcpy(out->w_strb_o, in->beat_strobe_i, sizeof out->w_strb_o);
    out->w_last_o = r->beat_q == q.last;
    out->beat_entry_o = bits(q.id, entry_w);
    out->beat_number_o = r->beat_q;
  }
  out->free_valid_o = out->w_last_o && in->w_ready_i;
  out->free_entry_o = out->free_valid_o ? out->beat_entry_o : 0;
  out->req_ready_o = c.ready;
  out->idle_o = !r->read_valid_q && !r->aw_valid_q && !r->w_valid_q;
  out->error_o = 0; /* bits of a C model do not change by themselves */
}

/* The bits of what was written: read_q, write_q, beat_q. */
static void parity_edge(axi_port_t *self, bool read, bool write, bool beat) {
  const axi_port_regs_t *r = &self->r;
  parity_t *p = &self->parity;
  p->valid = r->read_valid_q ^ r->aw_valid_q ^ r->w_valid_q;
  if (read) p->read = bits_odd(r->read_q);
  if (write) p->write = bits_odd(r->write_q);
  if (beat) p->beat = bits_odd(r->beat_q);
}

void axi_port_edge(axi_port_t *self, const axi_port_in_t *in) {
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  axi_port_regs_t *r = &self->r;
  const cycle_t c = look(self, in);
  const uint64_t request = bits(in->req_data_i, self->request_w);
  const bool read = in->req_valid_i && !c.write && !r->read_valid_q;
  const bool write = in->req_valid_i && c.write && c.ready;
  const bool keep = read && !in->ar_ready_i, step = r->w_valid_q && in->w_ready_i;
  if (keep) r->read_q = request;
  if (write) r->write_q = request;
  if (write)
    r->beat_q = (uint8_t)fields(self, request).first;
  else if (step)
    r->beat_q = (uint8_t)bits(r->beat_q + 1u, self->beat_w);
  r->read_valid_q = (read || r->read_valid_q) && !in->ar_ready_i;
  r->aw_valid_q = write || (r->aw_valid_q && !in->aw_ready_i);
  r->w_valid_q = write || (r->w_valid_q && !c.last_taken);
  if (self->cfg.PARITY) parity_edge(self, keep, write, write || step);
}

const axi_port_regs_t *axi_port_regs(const axi_port_t *self) {
  return &self->r;
}

void axi_port_destroy(axi_port_t *self) {
  free(self);
}

#define STEM axi_port
#define PORTS_FILE "ports/axi_port.ports.h"
#include "ports/define.h"
