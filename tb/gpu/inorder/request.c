/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to the memory. Ports say at once when data arrive. For a memory that answers with replies:
 * which events each reply brings, and which data of the SM's caches come with it. */
#include "base/grow.h"
#include "gpu/inorder/checked.h"
#include "gpu/inorder/dcache.h"
#include "gpu/inorder/inorder_state.h"
#include "gpu/inorder/request.h"

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
  if (c->all->ports) return true;
  return c->requests.out.count == 0 && gpu_memory_room(c->all->memory, c->id, kind, bytes);
}

static memory_request_t kind_of(const packet_t *p) {
  return packet_is_write(p) ? MEMORY_WRITE : p->atomic ? MEMORY_ATOMIC : MEMORY_READ;
}

static void leave(core_t *c, packet_t *p) {
  if (c->all->requests) requests_passes(c->all->requests, p, REQUESTS_SENT);
  gpu_memory_send(c->all->memory, c->id, p);
}

static void send(core_t *c, const packet_t *what, uint32_t id) {
  packet_t *p = packet_alloc(c->all->memory->pool);
  if (!p) {
    out_of_memory(c);
    return;
  }
  *p = *what;
  p->t_created = c->all->now;
  p->tag = (uint64_t)c->number << 32 | id;
  c->all->sent[kind_of(p)]++;
  if (c->all->requests) requests_carries_next(c->all->requests, c->id, p);
  if (request_room(c, kind_of(p), p->bytes)) {
    leave(c, p);
    return;
  }
  packet_queue_push(&c->requests.out, p);
  core_soon(c, c->all->now + 1);
}

void request_step(core_t *c) {
  packet_queue_t *out = &c->requests.out;
  while (out->count && gpu_memory_room(c->all->memory, c->id, kind_of(out->head), out->head->bytes))
    leave(c, packet_queue_pop(out));
  if (out->count) core_soon(c, c->all->now + 1);
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

/* A request that has a number, for its reply. */
static void ask(core_t *c, const packet_t *p) {
  const uint32_t id = c->requests.last = new_request(c);
  if (id)
    send(c, p, id);
  else
    out_of_memory(c);
}

void request_read(core_t *c, uint64_t addr, uint32_t bytes) {
  const packet_t p = {
      .kind = PACKET_READ, .addr = addr, .bytes = bytes < CORE_LINE ? bytes : CORE_LINE};
  ask(c, &p);
}

/* Ports are told by their caller. */
static void tell(core_t *c, const core_inst_t *x, unsigned k, unsigned sectors) {
  packet_t p = {.kind = x->load == CORE_NONE && !x->atomic ? PACKET_WRITE : PACKET_READ,
                .addr = x->line[k].addr,
                .bytes = request_bytes(sectors),
                .atomic = x->atomic};
  if (c->check) core_check_ask(c, x, k, sectors, &p);
  if (c->all->ports) return;
  if (p.kind == PACKET_WRITE)
    send(c, &p, 0);
  else
    ask(c, &p);
}

uint64_t request_line(core_t *c, const core_inst_t *x, unsigned k, unsigned sectors,
                      uint64_t counted) {
  const inorder_t *d = c->all;
  const uint64_t addr = x->line[k].addr;
  tell(c, x, k, sectors);
  if (!d->ports) return NEVER;
  const uint64_t at =
      ports_read(d->ports, c->id, addr, sectors, counted, d->cfg.l2_latency, x->cached, x->atomic);
  if (x->atomic) (void)ports_changed(d->ports, addr, sectors, at);
  return at > d->now ? at : d->now + 1;
}

uint64_t request_store(core_t *c, const core_inst_t *x, unsigned k) {
  ports_t *ports = c->all->ports;
  const uint64_t addr = x->line[k].addr;
  tell(c, x, k, x->sectors[k]);
  if (!ports) return 0;
  if (x->atomic && c->all->cfg.l2_atomic) return ports_reduce(ports, c->id, addr, x->sectors[k]);
  return ports_write(ports, c->id, addr, x->sectors[k], x->whole);
}

stack_part_t request_from(const core_t *c) {
  return c->all->ports && ports_far(c->all->ports) ? STACK_DRAM : STACK_L2;
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

void request_await(core_t *c, const uint32_t *ids, const uint8_t *sectors, unsigned n,
                   const event_t *event) {
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
    q->waiter[w].sectors[i] = sectors ? sectors[i] : CORE_ALL_SECTORS;
    r->first = w * CORE_SECTORS + i;
  }
}

void request_event(core_t *c, uint64_t at, event_kind_t kind, uint32_t id, uint32_t lanes) {
  const event_t event = {.kind = kind, .id = id, .lanes = lanes};
  if (at != NEVER)
    core_event(c, at, kind, id, lanes);
  else if (c->requests.last)
    request_await(c, &c->requests.last, NULL, 1, &event);
}

void request_lanes(core_t *c, const core_inst_t *x, unsigned k, uint64_t at, uint32_t place,
                   unsigned sectors, uint64_t least) {
  const event_t reply = {
      .at = least, .kind = EVENT_REPLY, .id = x->entry, .lanes = x->line[k].lanes};
  uint32_t requests[CORE_SECTORS] = {c->requests.last};
  uint8_t from[CORE_SECTORS] = {CORE_ALL_SECTORS};
  unsigned n = 1;
  if (at != NEVER) {
    core_event(c, at > c->all->now ? at : c->all->now + 1, EVENT_REPLY, x->entry, reply.lanes);
    return;
  }
  if (place != L1D_NONE) n = dcache_awaits(c, place, sectors, requests, from);
  request_await(c, requests, from, n, &reply);
}

static void fill(core_t *c, const core_request_t *r, const packet_t *p) {
  core_requests_t *q = &c->requests;
  const uint32_t id = (uint32_t)p->tag;
  if (r->of == REQUEST_LINE) {
    const unsigned sectors = dcache_arrived(c, r->place, id);
    if (c->check) core_check_bring_line(c, r->place, p, sectors);
  } else if (r->of == REQUEST_TEXTURE && q->tex[r->place] == id) {
    q->tex[r->place] = 0;
    c->tex.when[r->place] = c->all->now;
  } else if (r->of == REQUEST_INSTRUCTION && q->inst[r->place] == id) {
    q->inst[r->place] = 0;
    c->inst1.when[r->place] = c->all->now;
  }
}

void request_answered(core_t *c, const packet_t *p) {
  core_requests_t *q = &c->requests;
  const uint32_t id = (uint32_t)p->tag;
  const uint64_t now = c->all->now;
  if (!id) return; /* a write */
  fill(c, &q->request[id], p);
  for (uint32_t e = q->request[id].first, next; e; e = next) {
    core_waiter_t *w = &q->waiter[e / CORE_SECTORS];
    const event_t *v = &w->event;
    next = w->next[e % CORE_SECTORS];
    if (c->check)
      core_check_bring(c, v, p, w->sectors[e % CORE_SECTORS], q->request[id].of == REQUEST_LINE);
    if (--w->left > 0) continue;
    core_event(c, v->at > now ? v->at : now, v->kind, v->id, v->lanes);
    w->next[0] = q->free_waiter;
    q->free_waiter = e / CORE_SECTORS;
  }
  q->request[id].next_free = q->free;
  q->free = id;
}
