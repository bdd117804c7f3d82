/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_control.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct l1_control {
  l1_control_cfg_t cfg;
  l1_control_regs_t r;
  /* A bit for both valid bits, and for the request of D and of A. Only the Verilog with PARITY has
   * them. */
  uint8_t state_parity, d_parity, a_parity;
};

/* What is done with the request in A, or with the presented one. */
typedef enum {
  NOTHING,
  REFUSE_WAYS,
  REFUSE_OTHER,
  HIT_LINE,
  MERGE,
  FETCH,
  STORE,
  BYPASS
} decision_t;

static uint8_t parity_of_state(const l1_control_regs_t *r) {
  return bits_odd_words((uint32_t[]){r->d_valid_q, r->a_valid_q}, 2);
}

static uint8_t parity_of_d(const l1_control_regs_t *r) {
  return bits_odd_words((uint32_t[]){r->d_write_q, bits_odd(r->d_line_q), r->d_entry_q,
                                     r->d_number_q, r->d_sectors_q},
                        5);
}

static uint8_t parity_of_a(const l1_control_regs_t *r) {
  return bits_odd_words((uint32_t[]){r->a_write_q, bits_odd(r->a_line_q), r->a_entry_q,
                                     r->a_number_q, r->a_sectors_q},
                        5);
}

static void parity(l1_control_t *self) {
  self->state_parity = parity_of_state(&self->r);
  self->d_parity = parity_of_d(&self->r);
  self->a_parity = parity_of_a(&self->r);
}

int l1_control_create(l1_control_t **self, const l1_control_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (l1_control_check(cfg, err)) return -1;
  l1_control_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "l1_control: out of memory");
  made->cfg = *cfg;
  *self = made;
  return 0;
}

static decision_t decide_store(const l1_control_in_t *in) {
  const bool wait = in->pending_i || in->mshr_store_hit_i || in->bypass_store_hit_i;
  return wait || !in->miss_ready_i || !in->flight_ready_i ? REFUSE_OTHER : STORE;
}

static decision_t decide_load(const l1_control_t *self, const l1_control_in_t *in) {
  const bool covered = (self->r.a_sectors_q & ~in->have_i) == 0;
  if (in->hit_i && covered) return in->read_ready_i ? HIT_LINE : REFUSE_OTHER;
  if (in->pending_i) return covered && in->mshr_ready_i && in->mshr_merge_i ? MERGE : REFUSE_OTHER;
  if (in->full_i) return REFUSE_WAYS;
  const bool wait = in->find_i || in->read_find_i || in->mshr_merge_i;
  return wait || !in->mshr_ready_i || !in->miss_ready_i ? REFUSE_OTHER : FETCH;
}

static bool bypass_ready(const l1_control_t *self, const l1_control_in_t *in) {
  return !self->r.a_valid_q && in->req_valid_i && !in->req_write_i && in->bypass_ready_i &&
         !in->find_i && in->miss_ready_i;
}

static decision_t decide(const l1_control_t *self, const l1_control_in_t *in) {
  if (self->r.a_valid_q) return self->r.a_write_q ? decide_store(in) : decide_load(self, in);
  return in->byp_valid_i && bypass_ready(self, in) ? BYPASS : NOTHING;
}

static bool refuses(decision_t d) {
  return d == REFUSE_WAYS || d == REFUSE_OTHER;
}

static void set_decision(decision_t d, const l1_control_in_t *in, l1_control_out_t *out) {
  out->answer_o = d == REFUSE_WAYS ? 1 : d == REFUSE_OTHER ? 2 : 0;
  out->touch_o = out->read_valid_o = d == HIT_LINE;
  out->reserve_o = d == FETCH;
  out->evict_o = d == STORE && in->hit_i;
  out->mshr_valid_o = d == MERGE || d == FETCH;
  out->bypass_valid_o = d == BYPASS;
  out->send_valid_o = d == STORE;
  out->miss_valid_o = d == FETCH || d == STORE || d == BYPASS;
  out->start_valid_o = d == FETCH || d == BYPASS;
  out->event_o = (uint64_t)(d == HIT_LINE) | (uint64_t)(d == FETCH) << 1 |
                 (uint64_t)(d == MERGE) << 2 | (uint64_t)(d == BYPASS) << 3 |
                 (uint64_t)(d == STORE) << 4 | (uint64_t)(d == REFUSE_WAYS) << 5 |
                 (uint64_t)(d == REFUSE_OTHER) << 6 | out->evict_o << 7;
}

/* The values that are the same whatever is decided. */
static void set_values(const l1_control_t *self, const l1_control_in_t *in, l1_control_out_t *out) {
  const l1_control_regs_t *r = &self->r;
  const l1_control_cfg_t *c = &self->cfg;
  const unsigned place_w = bits_index_w(c->LINES + c->BYPASSES);
  out->look_valid_o = in->req_valid_i;
  out->look_line_o = out->bypass_line_o = in->req_line_i;
  out->bypass_data_o = in->req_number_i << c->ENTRY_W | in->req_entry_i;
  out->mshr_line_o = r->a_line_q;
  out->mshr_data_o = (uint64_t)r->a_number_q << c->ENTRY_W | r->a_entry_q;
  out->reserve_sectors_o = in->have_i | (c->FETCH ? bits_mask(c->SECTORS) : r->a_sectors_q);
  out->send_entry_o = bits(r->a_entry_q, bits_index_w(c->STORES));
  out->read_data_o = out->mshr_data_o << place_w | in->place_i;
  out->find_line_o = r->a_valid_q ? r->a_line_q : in->req_line_i;
}

/* The bits of an entry in an id: those of the widest of the three kinds of entries. */
static unsigned slot_w(const l1_control_cfg_t *c) {
  return (unsigned)__builtin_popcountll(bits_mask(bits_index_w(c->MSHRS)) |
                                        bits_mask(bits_index_w(c->BYPASSES)) |
                                        bits_mask(bits_index_w(c->STORES)));
}

/* What a fetch or a store is: of A, or of the presented load while A is empty. */
static void set_miss(const l1_control_t *self, const l1_control_in_t *in, l1_control_out_t *out) {
  const l1_control_regs_t *r = &self->r;
  const l1_control_cfg_t *c = &self->cfg;
  const unsigned beat_w = bits_index_w(c->BEATS), place_w = bits_index_w(c->LINES + c->BYPASSES);
  const unsigned entry_w = slot_w(c);
  const bool a = r->a_valid_q, write = a && r->a_write_q;
  uint64_t sectors = in->req_sectors_i, first = 0, last = 0;
  if (write) sectors = r->a_sectors_q;
  if (a && !write) sectors = (c->FETCH ? bits_mask(c->SECTORS) : r->a_sectors_q) & ~in->have_i;
  if (sectors) {
    const unsigned low = (unsigned)__builtin_ctzll(sectors);
    const unsigned high = 63 - (unsigned)__builtin_clzll(sectors);
    first = low * c->BEATS / c->SECTORS;
    last = ((high + 1) * c->BEATS + c->SECTORS - 1) / c->SECTORS - 1;
  }
  out->start_id_o = write ? out->send_entry_o
                    : a   ? in->mshr_entry_i
                          : UINT64_C(1) << entry_w | in->bypass_entry_i;
  out->start_place_o = a ? in->place_i : bits(c->LINES + in->bypass_entry_i, place_w);
  out->start_beat_o = first;
  uint64_t word = (uint64_t)write << (entry_w + 1) | out->start_id_o;
  word = word << c->ADDR_W | (a ? r->a_line_q : in->req_line_i);
  out->miss_data_o = (word << beat_w | first) << beat_w | last;
}

void l1_control_comb(const l1_control_t *self, const l1_control_in_t *in, l1_control_out_t *out) {
  const l1_control_regs_t *r = &self->r;
  set_values(self, in, out);
  set_decision(decide(self, in), in, out);
  set_miss(self, in, out);
  out->byp_ready_o = bypass_ready(self, in);
  out->clear_o = out->flush_done_o =
      in->flush_i && in->idle_i && !r->a_valid_q && !r->d_valid_q && !in->req_valid_i;
  out->error_o = 0; /* bits of a C model do not change by themselves */
}

void l1_control_edge(l1_control_t *self, const l1_control_in_t *in) {
  l1_control_regs_t *r = &self->r;
  if (!in->srst_ni) {
    memset(r, 0, sizeof *r);
    parity(self);
    return;
  }
  const decision_t d = decide(self, in);
  if (r->d_valid_q) {
    r->a_write_q = r->d_write_q;
    r->a_line_q = r->d_line_q;
    r->a_entry_q = r->d_entry_q;
    r->a_number_q = r->d_number_q;
    r->a_sectors_q = r->d_sectors_q;
  }
  if (in->req_valid_i) {
    r->d_write_q = (uint8_t)in->req_write_i;
    r->d_line_q = in->req_line_i;
    r->d_entry_q = (uint16_t)in->req_entry_i;
    r->d_number_q = (uint8_t)in->req_number_i;
    r->d_sectors_q = (uint32_t)in->req_sectors_i;
  }
  r->a_valid_q = r->d_valid_q && !refuses(d);
  r->d_valid_q = in->req_valid_i && d != BYPASS && !refuses(d);
  parity(self);
}

const l1_control_regs_t *l1_control_regs(const l1_control_t *self) {
  return &self->r;
}

void l1_control_destroy(l1_control_t *self) {
  free(self);
}

#define STEM l1_control
#define PORTS_FILE "ports/l1_control.ports.h"
#include "ports/define.h"
