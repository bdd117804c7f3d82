/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to a memory that answers with replies: which events each reply brings, and which data of
 * the SM's caches come with it. */
#include "base/grow.h"
#include "gpu/inorder/inorder_state.h"

#include <stdlib.h>

/* A waiter stands in the list of each request that it awaits: by element waiter * CORE_SECTORS +
 * slot. Number 0 is none, of requests, waiters and elements. */

int request_create(core_t *c, mrpb_err_t *err) {
  core_requests_t *q = &c->requests;
  if (c->all->ports) return 0;
  q->tex = calloc(c->tex.places + 1, sizeof *q->tex);
  q->inst = calloc(c->inst1.places + 1, sizeof *q->inst);
  if (!q->tex || !q->inst) return mrpb_fail(err, "cores: out of memory");
  return 0;
}

void request_destroy(core_t *c) {
  core_requests_t *q = &c->requests;
  for (packet_t *p; (p = packet_queue_pop(&q->out));) packet_free(c->all->memory->pool, p);
  free(q->request);
  free(q->waiter);
  free(q->tex);
  free(q->inst);
}

static void out_of_memory(const core_t *c) {
  mrpb_fail(c->all->err, "cores: out of memory");
  c->all->failed = true;
}

/* ---- packets ----------------------------------------------------------------- */

bool request_room(const core_t *c, memory_request_t kind, uint32_t bytes) {
  return c->requests.out.count == 0 && gpu_memory_room(c->all->memory, c->id, kind, bytes);
}

static memory_request_t kind_of(const packet_t *p) {
  return packet_is_write(p) ? MEMORY_WRITE : p->atomic ? MEMORY_ATOMIC : MEMORY_READ;
}

static void send(core_t *c, memory_request_t kind, uint64_t addr, uint32_t bytes, uint32_t id) {
  packet_t *p = packet_alloc(c->all->memory->pool);
  if (!p) {
    out_of_memory(c);
    return;
  }
  p->addr = addr;
  p->bytes = bytes < CORE_LINE ? bytes : CORE_LINE;
  p->kind = kind == MEMORY_WRITE ? PACKET_WRITE : PACKET_READ;
  p->atomic = kind == MEMORY_ATOMIC;
  p->t_created = c->all->now;
  p->tag = (uint64_t)c->number << 32 | id;
  if (request_room(c, kind, p->bytes)) {
    gpu_memory_send(c->all->memory, c->id, p);
    return;
  }
  packet_queue_push(&c->requests.out, p);
  core_soon(c, c->all->now + 1);
}

void request_step(core_t *c) {
  packet_queue_t *out = &c->requests.out;
  while (out->count && gpu_memory_room(c->all->memory, c->id, kind_of(out->head), out->head->bytes))
    gpu_memory_send(c->all->memory, c->id, packet_queue_pop(out));
  if (out->count) core_soon(c, c->all->now + 1);
}

void request_write(core_t *c, uint64_t addr, uint32_t bytes) {
  send(c, MEMORY_WRITE, addr, bytes, 0);
}

/* ---- requests ---------------------------------------------------------------- */

static uint32_t new_request(core_t *c) {
  core_requests_t *q = &c->requests;
  if (!q->free) {
    const size_t before = q->n_requests ? q->n_requests : 1;
    core_request_t *more = grow(q->request, before + 1, &q->n_requests, sizeof *more);
    if (!more) return 0;
    q->request = more;
    for (size_t i = q->n_requests; i-- > before;) {
      more[i].next_free = q->free;
      q->free = (uint32_t)i;
    }
  }
  const uint32_t id = q->free;
  q->free = q->request[id].next_free;
  q->request[id] = (core_request_t){.first = 0};
  return id;
}

uint32_t request_read(core_t *c, memory_request_t kind, uint64_t addr, uint32_t bytes) {
  const uint32_t id = c->requests.last = new_request(c);
  if (id)
    send(c, kind, addr, bytes, id);
  else
    out_of_memory(c);
  return id;
}

void request_fills(core_t *c, request_of_t of, uint32_t place) {
  core_requests_t *q = &c->requests;
  core_request_t *r = &q->request[q->last];
  if (!q->last) return;
  r->of = of;
  r->place = place;
  if (of == REQUEST_TEXTURE) q->tex[place] = q->last;
  if (of == REQUEST_INSTRUCTION) q->inst[place] = q->last;
}

/* ---- what awaits them ---------------------------------------------------------- */

static uint32_t new_waiter(core_requests_t *q) {
  if (!q->free_waiter) {
    const size_t before = q->n_waiters ? q->n_waiters : 1;
    core_waiter_t *more = grow(q->waiter, before + 1, &q->n_waiters, sizeof *more);
    if (!more) return 0;
    q->waiter = more;
    for (size_t i = q->n_waiters; i-- > before;) {
      more[i].next[0] = q->free_waiter;
      q->free_waiter = (uint32_t)i;
    }
  }
  const uint32_t w = q->free_waiter;
  q->free_waiter = q->waiter[w].next[0];
  return w;
}

void request_await(core_t *c, const uint32_t *ids, unsigned n, const event_t *event) {
  core_requests_t *q = &c->requests;
  const uint32_t w = new_waiter(q);
  if (!w || !q->request) {
    out_of_memory(c);
    return;
  }
  q->waiter[w] = (core_waiter_t){.event = *event, .left = (uint8_t)n};
  for (unsigned i = 0; i < n; i++) {
    core_request_t *r = &q->request[ids[i]];
    q->waiter[w].next[i] = r->first;
    r->first = w * CORE_SECTORS + i;
  }
}

void request_event(core_t *c, uint64_t at, event_kind_t kind, uint32_t id, uint32_t lanes) {
  const event_t event = {.kind = kind, .id = id, .lanes = lanes};
  if (at != NEVER)
    core_event(c, at, kind, id, lanes);
  else if (c->requests.last)
    request_await(c, &c->requests.last, 1, &event);
}

static void fill(core_t *c, const core_request_t *r, uint32_t id) {
  core_requests_t *q = &c->requests;
  if (r->of == REQUEST_LINE) {
    dcache_arrived(c, r->place, id);
  } else if (r->of == REQUEST_TEXTURE && q->tex[r->place] == id) {
    q->tex[r->place] = 0;
    c->tex.when[r->place] = c->all->now;
  } else if (r->of == REQUEST_INSTRUCTION && q->inst[r->place] == id) {
    q->inst[r->place] = 0;
    c->inst1.when[r->place] = c->all->now;
  }
}

void request_answered(core_t *c, uint32_t id) {
  core_requests_t *q = &c->requests;
  const uint64_t now = c->all->now;
  if (!id) return; /* a write */
  fill(c, &q->request[id], id);
  for (uint32_t e = q->request[id].first, next; e; e = next) {
    core_waiter_t *w = &q->waiter[e / CORE_SECTORS];
    const event_t *v = &w->event;
    next = w->next[e % CORE_SECTORS];
    if (--w->left > 0) continue;
    core_event(c, v->at > now ? v->at : now, v->kind, v->id, v->lanes);
    w->next[0] = q->free_waiter;
    q->free_waiter = e / CORE_SECTORS;
  }
  q->request[id].next_free = q->free;
  q->free = id;
}
