/* SPDX-License-Identifier: Apache-2.0 */
/* Interconnect: configuration, buffers at the nodes, and one cycle of both crossbars. */
#include "gpu/icnt/icnt.h"

#include "bits.h"
#include "parts/jitter.h"

#include <stdlib.h>

enum { MAX_PORTS = 32, NO_PORT = MAX_PORTS };

/* A sender: its injection buffer, followed by the input buffer of its crossbar port. Flits keep
 * their order, so counts and the packet list describe both buffers. */
typedef struct {
  packet_queue_t q; /* packets with flits that have not passed the crossbar */
  uint32_t
      inject_flits;   /* those of them in the injection buffer; may exceed it by write_room_bug */
  uint32_t vc_flits;  /* those in the input buffer */
  uint32_t head_left; /* flits of the oldest packet not yet forwarded */
  bool head_new;      /* that is all of its flits */
  uint32_t out;       /* output held by the oldest packet, NO_PORT if none */
} sender_t;

/* A receiver: ejection buffer, then clock boundary buffer. `ring` lists the packets of both in the
 * order of arrival of their heads. */
typedef struct {
  packet_t **ring;
  uint32_t head, entering,
      tail;          /* oldest, first not complete in the boundary buffer, next free; masked */
  uint32_t to_enter; /* flits of `entering` outside the boundary buffer, 0 if all are outside */
  uint32_t eject_flits, boundary_flits, complete;
  uint32_t grant;   /* sender with priority at the next arbitration */
  uint32_t holder;  /* sender whose packet holds this output */
  uint32_t credits; /* free places of the ejection buffer that are not yet reported */
} receiver_t;

typedef struct {
  uint32_t n_in, n_out;
  /* Sets of senders: flits in the injection buffer; input buffer full. */
  uint32_t injecting, full;
  /* Sets of receivers: requested by a packet without an output; held; held by a packet with flits
   * in the input buffer; credits full; flits in the ejection buffer; no room behind it; credits to
   * report; a complete packet. */
  uint32_t wanted, held, sending, no_credit, ejecting, no_room, owing, waiting;
  uint32_t want[MAX_PORTS]; /* by receiver: the senders that request it */
  sender_t in[MAX_PORTS];
  receiver_t out[MAX_PORTS];
  icnt_stats_t stats;
} crossbar_t;

struct icnt {
  icnt_cfg_t cfg;
  uint64_t time;
  uint32_t ring_mask;
  uint32_t in_flight;
  crossbar_t net[ICNT_DIRECTIONS];
  packet_t **rings;
};

/* The array sizes here must cover the limits of the keys. */
enum {
#define PART_ICNT(field, to, min, max, deflt, has) MOST_##to = max,
#include "config/each_key.h"
};
_Static_assert((int)MOST_partitions <= (int)MAX_PORTS, "ports");

void icnt_defaults(icnt_cfg_t *cfg) {
  *cfg = (icnt_cfg_t){
#define PART_ICNT(field, to, min, max, deflt, has) .to = deflt,
#include "config/each_key.h"
      .sms = 14, .header_bytes = 8, .max_data_bytes = 128, .double_drain = 1};
}

icnt_cfg_t icnt_configured(const config_t *c) {
  icnt_cfg_t cfg;
  icnt_defaults(&cfg);
#define PART_ICNT(field, to, ...) cfg.to = c->field;
#include "config/each_key.h"
  cfg.sms = c->sms;
  return cfg;
}

static int range(const char *name, uint32_t v, uint32_t min, uint32_t max, mrpb_err_t *err) {
  if (v >= min && v <= max) return 0;
  return mrpb_fail(err, "icnt: %s = %u is not %u to %u", name, v, min, max);
}

static uint32_t flits_of(const icnt_cfg_t *cfg, uint32_t total_bytes) {
  unsigned log2 = cfg->flit_bytes == 32 ? 5 : cfg->flit_bytes == 16 ? 4 : 6;
  return (total_bytes + cfg->flit_bytes - 1) >> log2;
}

uint32_t icnt_flits(const icnt_cfg_t *cfg, uint32_t bytes) {
  return flits_of(cfg, bytes + cfg->header_bytes);
}

int icnt_check(const icnt_cfg_t *c, mrpb_err_t *err) {
#define PART_ICNT(field, to, min, max, deflt, has) range(#to, c->to, min, max, err) ||
  if (
#include "config/each_key.h"
      range("sms", c->sms, 1, MAX_PORTS, err) ||
      range("header_bytes", c->header_bytes, 1, 16, err) ||
      range("max_data_bytes", c->max_data_bytes, 32, 128, err) ||
      range("double_drain", c->double_drain, 0, 1, err))
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
  /* Every packet in the two buffers has at least one flit in them. */
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

static bool room(const icnt_t *ic, const sender_t *s, uint32_t total_bytes) {
  return s->inject_flits + flits_of(&ic->cfg, total_bytes) <= ic->cfg.inject_flits;
}

static void count_packet(icnt_t *ic, crossbar_t *x, packet_t *p, bool with_data) {
  p->flits = icnt_flits(&ic->cfg, with_data ? p->bytes : 0);
  p->t_inject = ic->time;
  x->stats.packets++;
  x->stats.flits += p->flits;
  x->stats.bytes += ic->cfg.header_bytes + (with_data ? p->bytes : 0);
  if (packet_is_write(p))
    x->stats.write_packets++;
  else
    x->stats.read_packets++;
  ic->in_flight++;
}

static void push(icnt_t *ic, icnt_direction_t d, uint32_t port, packet_t *p, bool with_data) {
  crossbar_t *x = &ic->net[d];
  sender_t *s = &x->in[port];
  count_packet(ic, x, p, with_data);
  if (s->q.count == 0) {
    s->head_left = p->flits;
    s->head_new = true;
  }
  packet_queue_push(&s->q, p);
  s->inject_flits += p->flits;
  x->injecting |= 1u << port;
}

/* The boundary buffer releases a packet only as a whole. */
static packet_t *pop(icnt_t *ic, icnt_direction_t d, uint32_t port) {
  crossbar_t *x = &ic->net[d];
  receiver_t *r = &x->out[port];
  if (!r->complete) return NULL;
  packet_t *p = r->ring[r->head];
  r->head = (r->head + 1) & ic->ring_mask;
  r->boundary_flits -= p->flits;
  x->no_room &= ~(1u << port);
  if (--r->complete == 0) x->waiting &= ~(1u << port);
  ic->in_flight--;
  return p;
}

bool icnt_request_room(const icnt_t *ic, uint32_t sm, bool is_write, uint32_t bytes) {
  const icnt_cfg_t *c = &ic->cfg;
  uint32_t total = !is_write           ? c->header_bytes
                   : c->write_room_bug ? bytes
                                       : bytes + c->header_bytes;
  return room(ic, &ic->net[ICNT_REQUEST].in[sm], total);
}

bool icnt_atomic_room(const icnt_t *ic, uint32_t sm, uint32_t bytes) {
  return room(ic, &ic->net[ICNT_REQUEST].in[sm], bytes + ic->cfg.header_bytes);
}

void icnt_request_push(icnt_t *ic, packet_t *p) {
  push(ic, ICNT_REQUEST, p->sm, p, packet_is_write(p) || p->atomic);
}

packet_t *icnt_request_pop(icnt_t *ic, uint32_t partition) {
  return pop(ic, ICNT_REQUEST, partition);
}

bool icnt_reply_room(const icnt_t *ic, const packet_t *p) {
  uint32_t total = ic->cfg.header_bytes + (packet_is_write(p) ? 0 : p->bytes);
  return room(ic, &ic->net[ICNT_REPLY].in[p->partition], total);
}

void icnt_reply_push(icnt_t *ic, packet_t *p) {
  push(ic, ICNT_REPLY, p->partition, p, !packet_is_write(p));
}

packet_t *icnt_reply_pop(icnt_t *ic, uint32_t sm) {
  return pop(ic, ICNT_REPLY, sm);
}

/* ---- without the crossbars ------------------------------------------------------------------- */

static void count_latency(const icnt_t *ic, crossbar_t *x, uint64_t from) {
  const uint64_t latency = ic->time - from;
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
  if (s->inject_flits == 0) x->injecting &= ~(1u << sm);
  count_latency(ic, x, p->t_inject);
  ic->in_flight--;
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
  count_latency(ic, x, p->t_inject);
  r->ring[r->tail] = p;
  r->tail = r->entering = (r->tail + 1) & ic->ring_mask;
  r->boundary_flits += p->flits;
  r->complete++;
  x->waiting |= 1u << p->sm;
}

/* ---- one cycle ------------------------------------------------------------------------------- */

/* The oldest packet of sender `i`, whose head has arrived, requests its output. */
static inline void ask(crossbar_t *x, uint32_t i, bool to_sms) {
  const packet_t *p = x->in[i].q.head;
  uint32_t o = to_sms ? p->sm : p->partition;
  x->want[o] |= 1u << i;
  x->wanted |= 1u << o;
}

/* Moves one flit per sender from injection buffer to input buffer. The input buffer's credits
 * return within a cycle, so the sender knows its true occupancy. */
static inline void inject(crossbar_t *x, uint32_t vc_cap, bool to_sms) {
  uint32_t sending = 0;
  for (uint32_t m = x->injecting & ~x->full; m; m &= m - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(m), bit = m & -m;
    sender_t *s = &x->in[i];
    uint32_t flits = ++s->vc_flits;
    if (--s->inject_flits == 0) x->injecting &= ~bit;
    if (flits == vc_cap) x->full |= bit;
    if (s->out != NO_PORT)
      sending |= 1u << s->out;
    else if (flits == 1)
      ask(x, i, to_sms);
  }
  x->sending |= sending;
}

/* Each free output takes the first requester from its grant pointer on, and the pointer moves past
 * the winner: one iteration of iSLIP in which every sender requests only one output. */
static inline void arbitrate(crossbar_t *x) {
  for (uint32_t m = x->wanted & ~x->held; m; m &= m - 1) {
    uint32_t o = (uint32_t)__builtin_ctz(m), bit = m & -m;
    receiver_t *r = &x->out[o];
    uint32_t from = x->want[o] & (UINT32_MAX << r->grant);
    uint32_t winner = (uint32_t)__builtin_ctz(from ? from : x->want[o]);
    r->grant = winner + 1 == x->n_in ? 0 : winner + 1;
    x->held |= bit;
    r->holder = winner;
    x->in[winner].out = o;
    x->sending |= bit;
    x->want[o] &= ~(1u << winner);
    if (!x->want[o]) x->wanted &= ~bit;
  }
}

/* The tail of a packet frees its output. The head of the next packet, if it has arrived, requests
 * another output from the next cycle on. */
static inline void end_packet(crossbar_t *x, uint32_t i, bool to_sms) {
  sender_t *s = &x->in[i];
  x->held &= ~(1u << s->out);
  x->sending &= ~(1u << s->out);
  s->out = NO_PORT;
  packet_queue_pop(&s->q);
  if (!s->q.count) return;
  s->head_left = s->q.head->flits;
  s->head_new = true;
  if (s->vc_flits) ask(x, i, to_sms);
}

/* Returns those of the outputs that are stalled in this cycle. */
static __attribute__((noinline)) uint32_t stalled(const icnt_t *ic, uint32_t outputs, bool to_sms) {
  const jitter_t j = {ic->cfg.jitter, ic->cfg.jitter_seed};
  uint32_t still = 0;
  for (uint32_t m = outputs; m; m &= m - 1)
    if (jitter_stalls(j, (uint32_t)__builtin_ctz(m) + (to_sms ? MAX_PORTS : 0), ic->time))
      still |= m & -m;
  return still;
}

/* Every packet that holds an output sends one flit if there is a credit. */
static inline void forward(icnt_t *ic, crossbar_t *x, bool to_sms) {
  const uint32_t eject_cap = ic->cfg.eject_flits;
  uint32_t outputs = x->sending & ~x->no_credit;
  if (ic->cfg.jitter) outputs &= ~stalled(ic, outputs, to_sms);
  uint32_t sent = 0;
  for (uint32_t m = outputs; m; m &= m - 1, x->stats.flits_moved++) {
    uint32_t o = (uint32_t)__builtin_ctz(m), bit = m & -m;
    receiver_t *r = &x->out[o];
    sender_t *s = &x->in[r->holder];
    sent |= 1u << r->holder;
    if (s->head_new) {
      r->ring[r->tail] = s->q.head;
      r->tail = (r->tail + 1) & ic->ring_mask;
      s->head_new = false;
    }
    if (++r->eject_flits + r->credits == eject_cap) x->no_credit |= bit;
    if (--s->vc_flits == 0) x->sending &= ~bit;
    if (--s->head_left == 0) end_packet(x, r->holder, to_sms);
  }
  x->ejecting |= outputs;
  x->full &= ~sent;
}

/* The packet that enters the boundary buffer is complete there. */
static void complete(const icnt_t *ic, crossbar_t *x, receiver_t *r) {
  uint64_t latency = ic->time + 1 - r->ring[r->entering]->t_inject;
  r->entering = (r->entering + 1) & ic->ring_mask;
  r->complete++;
  x->waiting |= 1u << (r - x->out);
  x->stats.delivered++;
  x->stats.latency_sum += latency;
  if (latency > x->stats.latency_max) x->stats.latency_max = latency;
}

/* Moves one flit per receiver from ejection to boundary buffer, if there is one and room for it. */
static __attribute__((noinline)) void move(const icnt_t *ic, crossbar_t *x, uint32_t moving) {
  const uint32_t cap = ic->cfg.boundary_flits;
  for (uint32_t m = moving; m; m &= m - 1) {
    uint32_t bit = m & -m;
    receiver_t *r = &x->out[__builtin_ctz(m)];
    r->credits++;
    if (--r->eject_flits == 0) x->ejecting &= ~bit;
    if (++r->boundary_flits >= cap) x->no_room |= bit;
    if (r->to_enter == 0) r->to_enter = r->ring[r->entering]->flits;
    if (--r->to_enter == 0) complete(ic, x, r);
  }
  x->owing |= moving;
}

static inline void drain(const icnt_t *ic, crossbar_t *x) {
  const uint32_t moving = x->ejecting & ~x->no_room;
  if (moving) move(ic, x, moving);
}

/* Returns one credit per receiver: the crossbar has it in the next cycle. */
static inline void send_credits(crossbar_t *x) {
  x->no_credit &= ~x->owing;
  for (uint32_t m = x->owing; m; m &= m - 1)
    if (--x->out[__builtin_ctz(m)].credits == 0) x->owing &= ~(m & -m);
}

/* Without work a cycle has no effect on this network. */
static inline uint32_t work(const crossbar_t *x) {
  return x->injecting | x->wanted | x->sending | x->ejecting | x->owing;
}

static __attribute__((noinline)) void step(icnt_t *ic, icnt_direction_t d) {
  crossbar_t *x = &ic->net[d];
  bool to_sms = d == ICNT_REPLY;
  inject(x, ic->cfg.vc_flits, to_sms);
  arbitrate(x);
  forward(ic, x, to_sms);
  drain(ic, x);
  send_credits(x);
}

/* The release's two networks share the ejection buffers, and each drains one flit per cycle from
 * every node. The request network comes first. */
void icnt_cycle(icnt_t *ic) {
  if (work(&ic->net[ICNT_REQUEST])) step(ic, ICNT_REQUEST);
  if (ic->cfg.double_drain) drain(ic, &ic->net[ICNT_REPLY]);
  if (work(&ic->net[ICNT_REPLY])) step(ic, ICNT_REPLY);
  if (ic->cfg.double_drain) drain(ic, &ic->net[ICNT_REQUEST]);
  ic->time++;
}

/* ---- state ----------------------------------------------------------------------------------- */

bool icnt_idle(const icnt_t *ic) {
  return !(work(&ic->net[ICNT_REQUEST]) | work(&ic->net[ICNT_REPLY]));
}

void icnt_skip(icnt_t *ic, uint64_t n) {
  ic->time += n;
}

bool icnt_reply_waiting(const icnt_t *ic, uint32_t sm) {
  return ic->net[ICNT_REPLY].waiting >> sm & 1;
}

bool icnt_request_waiting(const icnt_t *ic, uint32_t partition) {
  return ic->net[ICNT_REQUEST].waiting >> partition & 1;
}

set_t icnt_replies_waiting(const icnt_t *ic) {
  return (set_t){{ic->net[ICNT_REPLY].waiting}};
}

uint32_t icnt_requests_waiting(const icnt_t *ic) {
  return ic->net[ICNT_REQUEST].waiting;
}

uint32_t icnt_in_flight(const icnt_t *ic) {
  return ic->in_flight;
}

uint64_t icnt_time(const icnt_t *ic) {
  return ic->time;
}

const icnt_stats_t *icnt_stats(const icnt_t *ic, icnt_direction_t d) {
  return &ic->net[d].stats;
}
