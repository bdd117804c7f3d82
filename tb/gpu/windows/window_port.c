/* SPDX-License-Identifier: Apache-2.0 */
/* See window_port.h. */
#include "gpu/windows/window_port.h"

#include <stdlib.h>

enum {
  PACKETS = 64, /* of the pool at first */
  READS =
      4 /* requests without data that an SM may send in a cycle, besides one with a line of data */
};

static window_port_t *port_of(gpu_memory_t *m) {
  return (window_port_t *)(void *)m;
}
static const window_port_t *port_read(const gpu_memory_t *m) {
  return (const window_port_t *)(const void *)m;
}

static bool fits(const window_port_t *p, uint32_t held, uint32_t flits) {
  return held + flits <= p->injection.room;
}

/* The SM asks only what window_port_knows has been asked before; otherwise the run is begun again. */
static bool room(const gpu_memory_t *m, unsigned sm, memory_request_t kind, uint32_t bytes) {
  const window_port_t *p = port_read(m);
  if (!p->apart) return gpu_memory_room(p->memory, sm, kind, bytes);
  if (kind == MEMORY_ATOMIC) return false; /* no launch that runs apart has one */
  const uint32_t flits = icnt_checked_flits(p->icnt, kind == MEMORY_WRITE, bytes);
  const bool fit = fits(p, p->most, flits);
  if (fit != fits(p, p->least, flits)) *p->unknown = true;
  return fit;
}

static void push(gpu_memory_t *m, packet_t *packet) {
  window_port_t *p = port_of(m);
  if (!p->apart) {
    p->memory->cls->push(p->memory, packet);
    return;
  }
  if (p->n_out == WINDOW_REQUESTS) {
    p->broken = true;
    return;
  }
  const uint32_t flits = icnt_flits_of(p->icnt, packet_is_write(packet), packet->bytes);
  p->out[p->n_out++] = (window_packet_t){packet, p->at};
  p->least += flits;
  p->most += flits;
}

static packet_t *pop(gpu_memory_t *m, unsigned sm) {
  window_port_t *p = port_of(m);
  if (!p->apart) return p->memory->cls->pop(p->memory, sm);
  if (window_port_next(m) > p->at) return NULL;
  if (window_port_next(m) < p->at) p->broken = true; /* it should have been taken before */
  return p->in->reply[p->taken++].packet;
}

static void touches(gpu_memory_t *m, uint64_t line, uint32_t words, bool write) {
  touched_add(&port_of(m)->touched, line, words, write);
}

static const gpu_memory_class_t port_class = {
    .room = room, .push = push, .pop = pop, .touches = touches};

int window_port_create(window_port_t **out, gpu_memory_t *memory, unsigned sm, mrpb_err_t *err) {
  window_port_t *p = calloc(1, sizeof *p);
  *out = NULL;
  if (!p) return mrpb_fail(err, "gpu: out of memory");
  p->base = *memory;
  p->base.cls = &port_class;
  p->base.pool = packet_pool_create(PACKETS);
  p->memory = memory;
  p->unknown = &p->broken;
  p->in = &p->replies[0];
  p->coming = &p->replies[1];
  p->icnt = flits_icnt(flits_of(memory));
  p->sm = sm;
  if (!p->base.pool) {
    free(p);
    return mrpb_fail(err, "gpu: out of memory");
  }
  *out = p;
  return 0;
}

void window_port_destroy(window_port_t *p) {
  if (!p) return;
  packet_pool_destroy(p->base.pool);
  touched_free(&p->touched);
  free(p);
}

void window_port_renew(window_port_t *p) {
  p->injection = icnt_injection(p->icnt, p->sm);
  p->least = p->injection.held;
  for (unsigned i = p->next_out; i < p->n_out; i++) { /* of this cycle */
    const packet_t *sent = p->out[i].packet;
    p->least += icnt_flits_of(p->icnt, packet_is_write(sent), sent->bytes);
  }
  p->most = p->least;
  p->port_most = p->injection.port;
}

void window_port_begin(window_port_t *p, uint64_t from, const uint32_t *edges) {
  p->apart = p->base.looks = true;
  p->from = p->at = from;
  p->edges = edges;
  p->edges_seen = 0;
  p->taken = p->n_out = p->next_out = 0;
  p->touched.n = 0;
  window_replies_t *replies = p->in;
  p->in = p->coming;
  p->coming = replies;
  p->coming->n = 0;
  p->coming->room = 1; /* none comes where nobody has asked */
  window_port_renew(p);
}

void window_port_end(window_port_t *p) {
  p->apart = p->base.looks = false;
}

/* A reply that waits in the SM keeps those behind it waiting, too. By then the cluster FIFO may hold
 * one more than at first. */
void window_port_reply(window_port_t *p, packet_t *reply, uint64_t at) {
  window_replies_t *c = p->coming;
  if (!c->wait && !sm_surely_takes(reply)) c->wait = true, c->room--;
  if (c->wait) c->room--;
  c->reply[c->n++] = (window_packet_t){reply, at};
}

bool window_port_can_take(const window_port_t *p) {
  return p->coming->room > 0;
}

void window_port_expect(window_port_t *p, const sm_t *sm) {
  p->coming->n = 0;
  p->coming->room = (int)sm_reply_room(sm, &p->coming->wait);
}

/* At the end of the window the cluster FIFO holds all that came if they wait; else at most one more than
 * at the beginning. */
bool window_port_looks_ahead(window_port_t *p) {
  const window_replies_t *now = p->in;
  p->coming->n = 0;
  p->coming->room = now->wait ? now->room : now->room - 1;
  p->coming->wait = now->wait;
  return p->coming->room > 0;
}

void window_port_send(window_port_t *p, uint64_t at) {
  for (; p->next_out < p->n_out && p->out[p->next_out].at == at; p->next_out++)
    p->memory->cls->push(p->memory, p->out[p->next_out].packet);
}

/* The interconnect takes a flit into the port buffer at each edge: for `least` always, for `most` only
 * while what it took there in this window has room. */
bool window_port_go(gpu_memory_t *own, uint64_t at) {
  window_port_t *p = port_of(own);
  const uint32_t edges = p->edges[at - p->from], n = edges - p->edges_seen;
  const uint32_t places = p->injection.port_room - p->port_most;
  const uint32_t least = p->least < n ? p->least : n, most = p->most < n ? p->most : n;
  const uint32_t moved = most < places ? most : places;
  p->at = at;
  p->edges_seen = edges;
  p->least -= least;
  p->most -= moved;
  p->port_most += moved;
  return window_port_next(own) == at;
}

/* Each of them is sent for certain, or for certain not. */
bool window_port_knows(const gpu_memory_t *own, const sm_sends_t *sends, unsigned n) {
  const window_port_t *p = port_read(own);
  uint32_t sent = 0;
  for (unsigned i = 0; i < n && p->least != p->most; i++) {
    const bool write = sends[i].kind == MEMORY_WRITE;
    const uint32_t looks_for = icnt_checked_flits(p->icnt, write, sends[i].bytes);
    if (fits(p, p->most + sent, looks_for))
      sent += icnt_flits_of(p->icnt, write, sends[i].bytes);
    else if (fits(p, p->least, looks_for))
      return false;
  }
  return true;
}

uint64_t window_port_next(const gpu_memory_t *own) {
  const window_port_t *p = port_read(own);
  return p->taken < p->in->n ? p->in->reply[p->taken].at : UINT64_MAX;
}
