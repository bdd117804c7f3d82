/* SPDX-License-Identifier: Apache-2.0 */
/* Interconnect: configuration, and buffers at the nodes. */
#include "gpu/icnt/icnt_state.h"

#include "bits.h"

#include <stdlib.h>

/* A set of partitions is one word. */
enum {
#define PART_ICNT(field, to, min, max, deflt, has) MOST_##to = max,
#include "config/each_key.h"
};
_Static_assert((int)MOST_partitions <= (int)SET_WORD, "ports");

void icnt_defaults(icnt_cfg_t *cfg) {
  *cfg = (icnt_cfg_t){
#define PART_ICNT(field, to, min, max, deflt, has) .to = deflt,
#include "config/each_key.h"
      .sms = 14, .header_bytes = 8, .max_data_bytes = 128, .double_drain = 1};
}

icnt_cfg_t icnt_configured(const config_t *c) {
  icnt_cfg_t cfg;
  icnt_defaults(&cfg);
  cfg.sms = c->sms;
#define PART_ICNT(field, to, ...) cfg.to = c->field;
#include "config/each_key.h"
  cfg.sms = c->sms;
  return cfg;
}

static int range(const char *name, uint32_t v, uint32_t min, uint32_t max, mrpb_err_t *err) {
  if (v >= min && v <= max) return 0;
  return mrpb_fail(err, "icnt: %s = %u is not %u to %u", name, v, min, max);
}

static uint32_t packet_flits(const icnt_cfg_t *cfg, uint32_t total_bytes) {
  unsigned log2 = cfg->flit_bytes == 32 ? 5 : cfg->flit_bytes == 16 ? 4 : 6;
  return (total_bytes + cfg->flit_bytes - 1) >> log2;
}

uint32_t icnt_flits(const icnt_cfg_t *cfg, uint32_t bytes) {
  return packet_flits(cfg, bytes + cfg->header_bytes);
}

int icnt_check(const icnt_cfg_t *c, mrpb_err_t *err) {
#define PART_ICNT(field, to, min, max, deflt, has) range(#to, c->to, min, max, err) ||
  if (
#include "config/each_key.h"
      range("sms", c->sms, 1, MAX_PORTS, err) ||
      range("header_bytes", c->header_bytes, 1, 16, err) ||
      range("max_data_bytes", c->max_data_bytes, 32, 128, err) ||
      range("double_drain", c->double_drain, 0, 1, err) || range("by_flit", c->by_flit, 0, 1, err))
    return -1;
  if (c->flit_bytes != 16 && c->flit_bytes != 32 && c->flit_bytes != 64)
    return mrpb_fail(err, "icnt: flit_bytes = %u is not 16, 32 or 64", c->flit_bytes);
  uint32_t largest = icnt_flits(c, c->max_data_bytes);
  if (c->inject_flits < largest || c->boundary_flits < largest)
    return mrpb_fail(err,
                     "icnt: a packet of %u + %u bytes has %u flits of %u bytes; inject_flits = %u "
                     "and boundary_flits = %u must hold it",
                     c->header_bytes, c->max_data_bytes, largest, c->flit_bytes, c->inject_flits,
                     c->boundary_flits);
  return 0;
}

int icnt_create(icnt_t **out, const icnt_cfg_t *cfg, mrpb_err_t *err) {
  *out = NULL;
  if (icnt_check(cfg, err)) return -1;
  icnt_t *ic = calloc(1, sizeof *ic);
  if (!ic) return mrpb_fail(err, "icnt: out of memory");
  ic->cfg = *cfg;
  ic->words = set_words(cfg->sms);
  /* Every packet in the two buffers has at least one flit in them; another may hold the output. */
  uint32_t ring = 1u << bits_clog2(cfg->eject_flits + cfg->boundary_flits + 1);
  ic->ring_mask = ring - 1;
  ic->rings = calloc((size_t)ring * (cfg->sms + cfg->partitions), sizeof *ic->rings);
  if (!ic->rings) {
    free(ic);
    return mrpb_fail(err, "icnt: out of memory");
  }
  packet_t **next = ic->rings;
  for (int d = 0; d < ICNT_DIRECTIONS; d++) {
    crossbar_t *x = &ic->net[d];
    x->n_in = d == ICNT_REQUEST ? cfg->sms : cfg->partitions;
    x->n_out = d == ICNT_REQUEST ? cfg->partitions : cfg->sms;
    for (uint32_t i = 0; i < x->n_in; i++) {
      packet_queue_init(&x->in[i].q, 0);
      x->in[i].out = NO_PORT;
    }
    for (uint32_t o = 0; o < x->n_out; o++, next += ring) x->out[o].ring = next;
  }
  *out = ic;
  return 0;
}

void icnt_destroy(icnt_t *ic) {
  if (!ic) return;
  free(ic->rings);
  free(ic);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static sender_t settled(const icnt_t *ic, const crossbar_t *x, uint32_t port) {
  sender_t s = x->in[port];
  icnt_settle(&s, x->cycles, ic->cfg.vc_flits);
  return s;
}

/* What was in the injection buffer earlier is at least what is in it now. */
static bool room(const icnt_t *ic, const crossbar_t *x, uint32_t port, uint32_t total_bytes) {
  const uint32_t flits = packet_flits(&ic->cfg, total_bytes), most = ic->cfg.inject_flits;
  return x->in[port].inject_flits + flits <= most ||
         settled(ic, x, port).inject_flits + flits <= most;
}

static bool request_with_data(const packet_t *p) {
  return packet_is_write(p) || p->atomic;
}

static void count_packet(icnt_t *ic, crossbar_t *x, packet_t *p, bool with_data) {
  p->flits = icnt_flits(&ic->cfg, with_data ? p->bytes : 0);
  p->t_inject = x->time;
  x->stats.packets++;
  x->stats.flits += p->flits;
  x->stats.bytes += ic->cfg.header_bytes + (with_data ? p->bytes : 0);
  if (packet_is_write(p))
    x->stats.write_packets++;
  else
    x->stats.read_packets++;
  x->in_flight++;
}

static void push(icnt_t *ic, icnt_direction_t d, uint32_t port, packet_t *p, bool with_data) {
  crossbar_t *x = &ic->net[d];
  sender_t *s = &x->in[port];
  count_packet(ic, x, p, with_data);
  icnt_settle(s, x->cycles, ic->cfg.vc_flits);
  s->inject_flits += p->flits;
  packet_queue_push(&s->q, p);
  if (s->q.count == 1) icnt_ask(x, port, d == ICNT_REPLY);
}

/* The boundary buffer releases a packet only as a whole. */
static packet_t *pop(icnt_t *ic, icnt_direction_t d, uint32_t port) {
  crossbar_t *x = &ic->net[d];
  receiver_t *r = &x->out[port];
  if (!r->complete) return NULL;
  packet_t *p = r->ring[r->head];
  r->head = (r->head + 1) & ic->ring_mask;
  r->boundary_flits -= p->flits;
  if (--r->complete == 0) icnt_word(x, port)->waiting &= ~icnt_bit(port);
  x->in_flight--;
  return p;
}

static uint32_t checked_bytes(const icnt_cfg_t *c, bool is_write, uint32_t bytes) {
  if (!is_write) return c->header_bytes;
  return c->write_room_bug ? bytes : bytes + c->header_bytes;
}

bool icnt_request_room(const icnt_t *ic, uint32_t sm, bool is_write, uint32_t bytes) {
  return room(ic, &ic->net[ICNT_REQUEST], sm, checked_bytes(&ic->cfg, is_write, bytes));
}

uint32_t icnt_checked_flits(const icnt_t *ic, bool is_write, uint32_t bytes) {
  return packet_flits(&ic->cfg, checked_bytes(&ic->cfg, is_write, bytes));
}

uint32_t icnt_flits_of(const icnt_t *ic, bool is_write, uint32_t bytes) {
  return icnt_flits(&ic->cfg, is_write ? bytes : 0);
}

icnt_injection_t icnt_injection(const icnt_t *ic, uint32_t sm) {
  const sender_t s = settled(ic, &ic->net[ICNT_REQUEST], sm);
  return (icnt_injection_t){s.inject_flits, ic->cfg.inject_flits, s.vc_flits, ic->cfg.vc_flits};
}

bool icnt_atomic_room(const icnt_t *ic, uint32_t sm, uint32_t bytes) {
  return room(ic, &ic->net[ICNT_REQUEST], sm, bytes + ic->cfg.header_bytes);
}

void icnt_request_push(icnt_t *ic, packet_t *p) {
  push(ic, ICNT_REQUEST, p->sm, p, request_with_data(p));
}

packet_t *icnt_request_pop(icnt_t *ic, uint32_t partition) {
  return pop(ic, ICNT_REQUEST, partition);
}

bool icnt_reply_room(const icnt_t *ic, const packet_t *p) {
  uint32_t total = ic->cfg.header_bytes + (packet_is_write(p) ? 0 : p->bytes);
  return room(ic, &ic->net[ICNT_REPLY], p->partition, total);
}

void icnt_reply_push(icnt_t *ic, packet_t *p) {
  push(ic, ICNT_REPLY, p->partition, p, !packet_is_write(p));
}

packet_t *icnt_reply_pop(icnt_t *ic, uint32_t sm) {
  return pop(ic, ICNT_REPLY, sm);
}

/* ---- without the crossbars ------------------------------------------------------------------- */

static void count_latency(crossbar_t *x, uint64_t from) {
  const uint64_t latency = x->time - from;
  x->stats.delivered++;
  x->stats.latency_sum += latency;
  if (latency > x->stats.latency_max) x->stats.latency_max = latency;
}

packet_t *icnt_injected(const icnt_t *ic, uint32_t sm) {
  return ic->net[ICNT_REQUEST].in[sm].q.head;
}

packet_t *icnt_injected_pop(icnt_t *ic, uint32_t sm) {
  crossbar_t *x = &ic->net[ICNT_REQUEST];
  sender_t *s = &x->in[sm];
  packet_t *p = packet_queue_pop(&s->q);
  s->inject_flits -= p->flits;
  count_latency(x, p->t_inject);
  x->in_flight--;
  return p;
}

bool icnt_deliver_room(const icnt_t *ic, const packet_t *p) {
  const uint32_t flits = icnt_flits(&ic->cfg, packet_is_write(p) ? 0 : p->bytes);
  return ic->net[ICNT_REPLY].out[p->sm].boundary_flits + flits <= ic->cfg.boundary_flits;
}

void icnt_deliver(icnt_t *ic, packet_t *p) {
  crossbar_t *x = &ic->net[ICNT_REPLY];
  receiver_t *r = &x->out[p->sm];
  count_packet(ic, x, p, !packet_is_write(p));
  count_latency(x, p->t_inject);
  r->ring[r->tail] = p;
  r->tail = r->entering = (r->tail + 1) & ic->ring_mask;
  r->boundary_flits += p->flits;
  r->complete++;
  icnt_word(x, p->sm)->waiting |= icnt_bit(p->sm);
}

/* ---- state ----------------------------------------------------------------------------------- */

void icnt_skip(icnt_t *ic, uint64_t n) {
  for (unsigned d = 0; d < ICNT_DIRECTIONS; d++) ic->net[d].time += n;
}

set_t icnt_replies_waiting(const icnt_t *ic) {
  const icnt_word_t *at = ic->net[ICNT_REPLY].at;
  return (set_t){{at[0].waiting, at[1].waiting, at[2].waiting, at[3].waiting}};
}

bool icnt_any_reply_waiting(const icnt_t *ic) {
  uint64_t any = 0;
  for (unsigned w = 0; w < ic->words; w++) any |= ic->net[ICNT_REPLY].at[w].waiting;
  return any != 0;
}

uint32_t icnt_requests_waiting(const icnt_t *ic) {
  return (uint32_t)ic->net[ICNT_REQUEST].at[0].waiting;
}

uint32_t icnt_in_flight(const icnt_t *ic) {
  return icnt_requests(ic) + ic->net[ICNT_REPLY].in_flight;
}

uint32_t icnt_requests(const icnt_t *ic) {
  return ic->net[ICNT_REQUEST].in_flight;
}

const icnt_stats_t *icnt_stats(const icnt_t *ic, icnt_direction_t d) {
  return &ic->net[d].stats;
}
