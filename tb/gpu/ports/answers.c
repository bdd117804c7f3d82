/* SPDX-License-Identifier: Apache-2.0 */
/* The memory with ports as any memory (gpu/memories/memory.h): requests, and replies when their time
 * has come. For cores that wait for replies. */
#include "gpu/ports/ports_state.h"

static ports_t *cast(gpu_memory_t *m) {
  return (ports_t *)(void *)m;
}
static const ports_t *to_read(const gpu_memory_t *m) {
  return (const ports_t *)(const void *)m;
}

/* Its queues have no limit. */
static bool room(const gpu_memory_t *m, unsigned sm, memory_request_t kind, uint32_t bytes) {
  (void)m, (void)sm, (void)kind, (void)bytes;
  return true;
}

/* Replies are in the order of their times; of the same time, in the order of their requests. */
static void put(packet_queue_t *q, packet_t *p) {
  if (!q->count || q->tail->ready <= p->ready) {
    packet_queue_push(q, p);
    return;
  }
  packet_t **link = &q->head;
  while ((*link)->ready <= p->ready) link = &(*link)->next;
  p->next = *link;
  *link = p;
  q->count++;
}

/* The sectors that a packet is about, a bit each. */
static unsigned sectors_of(const packet_t *r) {
  const unsigned first = (unsigned)(r->addr % PORTS_LINE / PORTS_SECTOR);
  const unsigned n = (r->bytes + PORTS_SECTOR - 1) / PORTS_SECTOR;
  return ((1u << n) - 1) << first & ((1u << PORTS_LINE / PORTS_SECTOR) - 1);
}

/* A write is acknowledged when the L2 has taken it, at the earliest after its latency. */
static uint64_t answered(ports_t *p, const packet_t *r) {
  const uint64_t now = *p->base.now, latency = p->cfg.l2_latency;
  const unsigned sectors = sectors_of(r);
  if (packet_is_write(r)) {
    const uint64_t taken = ports_write(p, r->sm, r->addr, sectors, r->bytes % PORTS_SECTOR == 0);
    return taken > now + latency ? taken : now + latency;
  }
  const uint64_t at =
      ports_read(p, r->sm, r->addr, sectors, now, (uint32_t)latency, false, r->atomic);
  if (r->atomic) (void)ports_changed(p, r->addr, sectors, at);
  return at;
}

static void push(gpu_memory_t *m, packet_t *r) {
  ports_t *p = cast(m);
  const uint64_t at = answered(p, r);
  if (p->check) check_at_once(p->check, r);
  r->ready = at > *m->now ? at : *m->now + 1;
  r->reply = true;
  put(&p->sm[r->sm].replies, r);
  set_add(&p->replying, r->sm);
}

static set_t waiting(const gpu_memory_t *m) {
  const ports_t *p = to_read(m);
  set_t due = {{0}};
  SET_EACH(i, w, set_words(p->cfg.sms), p->replying.word[w])
  if (p->sm[i].replies.head->ready <= *m->now) set_add(&due, i);
  return due;
}

static packet_t *pop(gpu_memory_t *m, unsigned sm) {
  ports_t *p = cast(m);
  packet_queue_t *q = &p->sm[sm].replies;
  if (!q->count || q->head->ready > *m->now) return NULL;
  if (q->count == 1) set_remove(&p->replying, sm);
  return packet_queue_pop(q);
}

static bool busy(const gpu_memory_t *m) {
  return !set_empty(&to_read(m)->replying);
}

static void start(gpu_memory_t *m) {
  cast(m)->launches++;
}

/* It has no hazards of its own. */
static void set_check(gpu_memory_t *m, check_t *check, uint32_t hazards) {
  (void)hazards;
  cast(m)->check = check;
}

static void count(const gpu_memory_t *m, memory_stats_t *s) {
  const ports_stats_t *n = ports_stats(to_read(m));
  s->l2.reads = n->l2_hits + n->dram;
  s->l2.read_hits = n->l2_hits;
  s->bytes = (memory_bytes_t){.asked = n->asked_bytes,
                              .l2_read = n->read_bytes,
                              .l2_hit = n->hit_bytes,
                              .l2_written = n->write_bytes,
                              .dram_read = n->dram_bytes,
                              .dram_written = n->back_bytes};
  s->l2.read_misses = n->dram;
  s->l2.writes = n->writes;
  s->l2.write_backs = n->write_backs;
  s->dram.read_requests = n->dram;
  s->dram.write_requests = n->write_backs;
}

static void dump(const gpu_memory_t *m, FILE *out) {
  const ports_t *p = to_read(m);
  SET_EACH(i, w, set_words(p->cfg.sms), p->replying.word[w])
  fprintf(out, "ports: %u replies on their way to SM %u\n", p->sm[i].replies.count, i);
}

const gpu_memory_class_t ports_class = {.destroy = ports_destroy,
                                        .room = room,
                                        .push = push,
                                        .waiting = waiting,
                                        .pop = pop,
                                        .busy = busy,
                                        .start = start,
                                        .set_check = set_check,
                                        .count = count,
                                        .dump = dump};

unsigned ports_replies(const ports_t *p, unsigned sm) {
  return p->sm[sm].replies.count;
}

ports_t *ports_of(gpu_memory_t *m) {
  return m->cls == &ports_class ? cast(m) : NULL;
}
