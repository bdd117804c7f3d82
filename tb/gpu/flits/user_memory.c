/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to an external memory, and its replies: see user_memory.h. */
#include "gpu/flits/user_memory.h"

#include "base/grow.h"

#include <inttypes.h>

#define NONE UINT32_MAX
enum { MAX_SMS = SET_MEMBERS };

/* A slot for a request that waits for its reply. The upper half of an id counts how often its slot
 * was used before, so that no id repeats. */
typedef struct {
  packet_t *packet; /* NULL if free */
  uint32_t used, next;
} waiting_t;

struct user_memory {
  mrpb_gpu_memory_t memory;
  icnt_t *icnt;
  unsigned sms;
  waiting_t *list;
  size_t room;
  uint32_t free;
  uint32_t offered; /* slot of the request that `accept` looks at; NONE: it has been answered */
  uint32_t in_flight;
  packet_queue_t done[MAX_SMS];
  mrpb_err_t fault;
};

int user_memory_create(user_memory_t **out, const mrpb_gpu_memory_t *memory, icnt_t *icnt,
                       unsigned sms, mrpb_err_t *err) {
  *out = NULL;
  if (!memory->accept) return mrpb_fail(err, "memory: accept is NULL; legal: a function");
  user_memory_t *m = calloc(1, sizeof *m);
  if (!m) return mrpb_fail(err, "memory: out of memory");
  m->memory = *memory;
  m->icnt = icnt;
  m->sms = sms;
  m->free = m->offered = NONE;
  for (unsigned i = 0; i < MAX_SMS; i++) packet_queue_init(&m->done[i], 0);
  *out = m;
  return 0;
}

void user_memory_destroy(user_memory_t *m) {
  if (!m) return;
  free(m->list);
  free(m);
}

static bool reserve(user_memory_t *m) {
  if (m->free != NONE) return true;
  const size_t before = m->room;
  waiting_t *more = grow(m->list, before + 1, &m->room, sizeof *more);
  if (!more || m->room >= NONE) {
    mrpb_fail(&m->fault, "memory: out of memory");
    return false;
  }
  m->list = more;
  for (size_t i = m->room; i-- > before;) {
    more[i] = (waiting_t){.next = m->free};
    m->free = (uint32_t)i;
  }
  return true;
}

static void give_back(user_memory_t *m, uint32_t i) {
  m->list[i].packet = NULL;
  m->list[i].used++;
  m->list[i].next = m->free;
  m->free = i;
}

/* The request gets its slot before it is offered, because the answer may come before `accept`
 * returns. */
static void offer(user_memory_t *m, unsigned sm) {
  packet_t *p = icnt_injected(m->icnt, sm);
  if (!p || !reserve(m)) return;
  const uint32_t i = m->free;
  const mrpb_gpu_request_t r = {.id = (uint64_t)m->list[i].used << 32 | i,
                                .address = p->addr,
                                .bytes = p->bytes,
                                .sm = sm,
                                .is_write = packet_is_write(p)};
  m->free = m->list[i].next;
  m->list[i].packet = p;
  m->offered = i;
  const bool accepted = m->memory.accept(m->memory.ctx, &r);
  const bool answered = m->offered == NONE;
  m->offered = NONE;
  if (answered && !accepted)
    mrpb_fail(&m->fault,
              "memory: request %" PRIu64 " is both refused and answered; legal: one of them", r.id);
  if (accepted || answered) {
    (void)icnt_injected_pop(m->icnt, sm);
    m->in_flight++;
  }
  if (answered) packet_queue_push(&m->done[sm], p);
  if (answered || !accepted) give_back(m, i);
}

static void deliver(user_memory_t *m, unsigned sm) {
  packet_t *p = m->done[sm].head;
  if (!p || !icnt_deliver_room(m->icnt, p)) return;
  icnt_deliver(m->icnt, packet_queue_pop(&m->done[sm]));
  m->in_flight--;
}

void user_memory_cycle(user_memory_t *m, uint64_t cycle) {
  if (m->memory.tick) m->memory.tick(m->memory.ctx, cycle);
  for (unsigned i = 0; i < m->sms; i++) {
    offer(m, i);
    deliver(m, i);
  }
}

int user_memory_reply(user_memory_t *m, uint64_t id, mrpb_err_t *err) {
  const uint32_t i = (uint32_t)id;
  waiting_t *w = i < m->room ? &m->list[i] : NULL;
  if (!w || !w->packet || w->used != id >> 32)
    return mrpb_fail(err, "memory: reply to request %" PRIu64 "; legal: one that waits for it", id);
  w->packet->reply = true;
  if (i == m->offered) { /* still in the SM's buffer */
    m->offered = NONE;
    w->used++;
    return 0;
  }
  packet_queue_push(&m->done[w->packet->sm], w->packet);
  give_back(m, i);
  return 0;
}

uint32_t user_memory_in_flight(const user_memory_t *m) {
  return m->in_flight;
}

const mrpb_err_t *user_memory_fault(const user_memory_t *m) {
  return m->fault.text[0] ? &m->fault : NULL;
}
