/* SPDX-License-Identifier: Apache-2.0 */
/* The SM's port to the memory: see port.h. */
#include "gpu/pipeline/sm_state.h"

void sm_port_init(sm_port_t *p, const sm_setup_t *setup) {
  p->memory = setup->memory;
  p->id = setup->id;
  packet_queue_init(&p->cluster, setup->cfg->cluster_fifo);
  packet_queue_init(&p->response, setup->cfg->response_fifo);
}

void sm_port_destroy(sm_port_t *p) {
  for (packet_t *r; (r = packet_queue_pop(&p->cluster));) packet_free(p->memory->pool, r);
  for (packet_t *r; (r = packet_queue_pop(&p->response));) packet_free(p->memory->pool, r);
}

bool sm_receive(sm_t *sm) {
  sm_port_t *p = &sm->port;
  packet_t *r = p->cluster.head;
  uint64_t now = sm_run_until(&sm->run);
  if (r && (r->flags & SM_FETCH)) {
    sm_fetch_fill(sm, packet_queue_pop(&p->cluster), now);
  } else if (r && !packet_queue_full(&p->response)) {
    r = packet_queue_pop(&p->cluster);
    if (r->kind == PACKET_READ && !(r->flags & SM_SIDE)) {
      sm->stats.read_replies++;
      sm->stats.read_latency_sum += now - r->t_created;
    }
    packet_queue_push(&p->response, r);
  }
  if (!packet_queue_full(&p->cluster) && !sm_jitter(sm, JITTER_ICNT, now) &&
      (r = p->memory->cls->pop(p->memory, p->id)))
    packet_queue_push(&p->cluster, r);
  return p->cluster.count > 0;
}

/* The data of a read that does not wait for a place in the L1D must wait for the write-back register.
 * The reply to a line that was written back may come when no block is left, and the SM stands. */
bool sm_surely_takes(const packet_t *reply) {
  if (reply->kind == PACKET_WRITE) return reply->tag != L1D_WRITE_BACK;
  return !(reply->flags & (SM_BYPASS | SM_UNCACHED));
}

static bool all_taken(const packet_queue_t *q) {
  for (const packet_t *r = q->head; r; r = r->next)
    if (!sm_surely_takes(r)) return false;
  return true;
}

unsigned sm_reply_room(const sm_t *sm, bool *waits) {
  const sm_port_t *p = &sm->port;
  *waits = sm_warps_blocks(&sm->warps) == 0 || !all_taken(&p->response) || !all_taken(&p->cluster);
  return p->cluster.cap - p->cluster.count;
}

void sm_port_send(sm_t *sm, packet_t *r, unsigned flags) {
  sm_port_t *p = &sm->port;
  r->flags = (uint16_t)flags;
  gpu_memory_send(p->memory, p->id, r);
  sm_run_moved(&sm->run);
}

void sm_port_done(sm_t *sm, packet_t *reply) {
  if (sm->check) check_drop(sm->check, reply);
  packet_free(sm->port.memory->pool, reply);
}
