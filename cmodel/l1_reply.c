/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_reply.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct l1_reply {
  l1_reply_cfg_t cfg;
  l1_reply_regs_t r;
  /* A bit for valid_q, started_q and last_q, and one for entry_q and number_q. Only the Verilog
   * with PARITY has them. */
  uint8_t state_parity, request_parity;
};

enum { READ, MSHR, BYPASS, SOURCES };

/* What the cycle does: the source whose turn it is (SOURCES: none is valid), and its request. */
typedef struct {
  bool start, done, take;
  unsigned source;
  uint64_t request, place; /* {number, entry}, and its line */
} turn_t;

static uint8_t parity_of_state(const l1_reply_regs_t *r) {
  return bits_odd_words((uint32_t[]){r->valid_q, r->started_q, r->last_q}, 3);
}

static uint8_t parity_of_request(const l1_reply_regs_t *r) {
  return bits_odd_words((uint32_t[]){r->entry_q, r->number_q}, 2);
}

static void parity(l1_reply_t *self) {
  self->state_parity = parity_of_state(&self->r);
  self->request_parity = parity_of_request(&self->r);
}

static void reset(l1_reply_t *self) {
  memset(&self->r, 0, sizeof self->r);
  self->r.last_q = BYPASS;
  parity(self);
}

int l1_reply_create(l1_reply_t **self, const l1_reply_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (l1_reply_check(cfg, err)) return -1;
  l1_reply_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "l1_reply: out of memory");
  made->cfg = *cfg;
  reset(made);
  *self = made;
  return 0;
}

static inline unsigned place_w(const l1_reply_t *self) {
  return bits_index_w(self->cfg.LINES + self->cfg.BYPASSES);
}

static turn_t decide(const l1_reply_t *self, const l1_reply_in_t *in) {
  const l1_reply_regs_t *r = &self->r;
  const bool valid[SOURCES] = {in->read_valid_i, in->mshr_valid_i, in->bypass_valid_i};
  turn_t t = {.source = SOURCES};
  t.start = r->valid_q && !r->started_q && in->out_ready_i;
  t.done = r->valid_q && in->line_done_i && (r->started_q || t.start);
  /* From the last in turn to the first: the first that is valid stays. */
  for (unsigned n = SOURCES; n-- > 0;) {
    const unsigned source = (r->last_q + 1u + n) % SOURCES;
    if (valid[source]) t.source = source;
  }
  t.take = t.source != SOURCES && (!r->valid_q || t.done);
  switch (t.source) {
  case READ:
    t.place = bits(in->read_data_i, place_w(self));
    t.request = in->read_data_i >> place_w(self);
    break;
  case MSHR:
    t.place = in->mshr_place_i;
    t.request = in->mshr_data_i;
    break;
  case BYPASS:
    t.place = bits(self->cfg.LINES + in->bypass_entry_i, place_w(self));
    t.request = in->bypass_data_i;
    break;
  default:
    break;
  }
  return t;
}

void l1_reply_comb(const l1_reply_t *self, const l1_reply_in_t *in, l1_reply_out_t *out) {
  const l1_reply_regs_t *r = &self->r;
  const turn_t t = decide(self, in);
  out->read_ready_o = t.take && t.source == READ;
  out->mshr_ready_o = t.take && t.source == MSHR;
  out->bypass_ready_o = t.take && t.source == BYPASS;
  out->data_read_o = t.take;
  out->data_place_o = t.place;
  out->release_valid_o = out->mshr_ready_o && in->mshr_last_i;
  out->release_place_o = bits(in->mshr_place_i, bits_index_w(self->cfg.LINES));
  out->out_valid_o = r->valid_q && !r->started_q;
  out->entry_o = out->out_valid_o ? r->entry_q : 0;
  out->number_o = out->out_valid_o ? r->number_q : 0;
  out->idle_o = !r->valid_q;
  out->error_o = 0; /* bits of a C model do not change by themselves */
}

void l1_reply_edge(l1_reply_t *self, const l1_reply_in_t *in) {
  l1_reply_regs_t *r = &self->r;
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  const turn_t t = decide(self, in);
  if (t.take) {
    r->valid_q = 1;
    r->started_q = 0;
    r->entry_q = (uint16_t)bits(t.request, self->cfg.ENTRY_W);
    r->number_q = (uint8_t)(t.request >> self->cfg.ENTRY_W);
    r->last_q = (uint8_t)t.source;
  } else if (t.done) {
    r->valid_q = r->started_q = 0;
  } else if (t.start) {
    r->started_q = 1;
  }
  parity(self);
}

const l1_reply_regs_t *l1_reply_regs(const l1_reply_t *self) {
  return &self->r;
}

void l1_reply_destroy(l1_reply_t *self) {
  free(self);
}

#define STEM l1_reply
#define PORTS_FILE "ports/l1_reply.ports.h"
#include "ports/define.h"
