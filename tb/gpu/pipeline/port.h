/* SPDX-License-Identifier: Apache-2.0 */
/* Part `port`: between the SM and the memory. Replies come through the cluster FIFO, and
 * those for the LDST unit then through its response FIFO. All parts send their requests through
 * this one. */
#ifndef SM_PORT_H
#define SM_PORT_H

#include "gpu/memories/memory.h"
#include "gpu/pipeline/run.h"
#include "gpu/pipeline/sm.h"

/* packet_t.flags: the part that owns it; the L1D's packets have none. */
enum { SM_BYPASS = 1, SM_SIDE = 2, SM_FETCH = 4, SM_UNCACHED = 8 };

/* Packets in the two FIFOs are replies that have left the memory. */
typedef struct {
  packet_queue_t cluster, response;
  gpu_memory_t *memory;
  unsigned id; /* of the SM */
} sm_port_t;

void sm_port_init(sm_port_t *p, const sm_setup_t *setup);
void sm_port_destroy(sm_port_t *p);

static inline packet_pool_t *sm_port_pool(const sm_port_t *p) {
  return p->memory->pool;
}

/* sm_port_read_room, sm_port_atomic_room: true if there is room for a read or an atomic.
 * sm_port_has_room: the same for request `r`. sm_port_send: `r` leaves for the address that it
 * has. */
static inline bool sm_port_read_room(const sm_port_t *p, uint32_t bytes) {
  return gpu_memory_room(p->memory, p->id, MEMORY_READ, bytes);
}
static inline bool sm_port_atomic_room(const sm_port_t *p, uint32_t bytes) {
  return gpu_memory_room(p->memory, p->id, MEMORY_ATOMIC, bytes);
}
static inline bool sm_port_has_room(const sm_port_t *p, const packet_t *r) {
  return gpu_memory_room(p->memory, p->id, gpu_memory_kind(r), r->bytes);
}
void sm_port_send(sm_t *sm, packet_t *r, unsigned flags);
/* sm_port_looks: the memory is to be told the words of global memory that an instruction reads or
 * writes. sm_port_touches: these (gpu_memory_class_t.touches). */
static inline bool sm_port_looks(const sm_port_t *p) {
  return p->memory->looks;
}
static inline void sm_port_touches(const sm_port_t *p, uint64_t line, uint32_t words, bool write) {
  p->memory->cls->touches(p->memory, line, words, write);
}

/* sm_port_reply: the oldest reply for the LDST unit, NULL if there is none; sm_port_take takes it.
 * Each reply taken must be ended later by sm_port_done. */
static inline packet_t *sm_port_reply(const sm_port_t *p) {
  return p->response.head;
}
static inline packet_t *sm_port_take(sm_port_t *p) {
  return packet_queue_pop(&p->response);
}
void sm_port_done(sm_t *sm, packet_t *reply);

static inline unsigned sm_port_response_fifo(const sm_port_t *p) {
  return p->response.count;
}
static inline unsigned sm_port_replies(const sm_port_t *p) {
  return p->cluster.count + p->response.count;
}
static inline uint64_t sm_port_next(const sm_port_t *p, uint64_t from) {
  return sm_port_replies(p) > 0 ? from : SM_ON_INPUT;
}

#endif
