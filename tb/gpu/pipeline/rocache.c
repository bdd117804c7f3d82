/* SPDX-License-Identifier: Apache-2.0 */
/* Read-only cache: see rocache.h. The request carries the number of its MSHR entry. */
#include "gpu/pipeline/rocache.h"

#include "parts/small_cache.h"

#include <stdlib.h>

typedef struct {
  uint64_t addr;       /* of the line */
  uint8_t head, count; /* waiting reads, a ring; count 0: free */
  uint16_t reader[ROCACHE_MERGES];
} entry_t;

struct rocache {
  small_cache_t lines;
  unsigned line_log2;
  packet_pool_t *pool;
  packet_queue_t queue;
  entry_t entry[ROCACHE_MSHRS];
  uint8_t ready[ROCACHE_MSHRS]; /* filled entries, in the order of their fills */
  unsigned n_ready;
};

int rocache_create(rocache_t **out, uint32_t sets, uint32_t ways, unsigned line_log2,
                   packet_pool_t *pool, mrpb_err_t *err) {
  rocache_t *c = calloc(1, sizeof *c);
  *out = NULL;
  if (!c) return mrpb_fail(err, "read-only cache: out of memory");
  c->pool = pool;
  c->line_log2 = line_log2;
  packet_queue_init(&c->queue, ROCACHE_MISS_QUEUE);
  if (small_cache_create(&c->lines, sets, ways, line_log2, err) != 0) {
    rocache_destroy(c);
    return -1;
  }
  *out = c;
  return 0;
}

void rocache_destroy(rocache_t *c) {
  if (!c) return;
  for (packet_t *p; (p = packet_queue_pop(&c->queue));) packet_free(c->pool, p);
  small_cache_destroy(&c->lines);
  free(c);
}

static entry_t *find_entry(rocache_t *c, uint64_t addr) {
  for (unsigned i = 0; i < ROCACHE_MSHRS; i++)
    if (c->entry[i].count > 0 && c->entry[i].addr == addr) return &c->entry[i];
  return NULL;
}

static entry_t *free_entry(rocache_t *c) {
  for (unsigned i = 0; i < ROCACHE_MSHRS; i++)
    if (c->entry[i].count == 0) return &c->entry[i];
  return NULL;
}

/* Opens a new entry and makes its request; NULL if there is no room. */
static entry_t *open_entry(rocache_t *c, uint64_t addr, uint64_t now) {
  entry_t *e = free_entry(c);
  packet_t *p = e ? packet_alloc(c->pool) : NULL;
  if (!p) return NULL;
  e->addr = addr;
  e->head = 0;
  p->addr = addr;
  p->kind = PACKET_READ;
  p->bytes = 1u << c->line_log2;
  p->entry = (uint32_t)(e - c->entry);
  p->t_created = now;
  packet_queue_push(&c->queue, p);
  return e;
}

rocache_answer_t rocache_access(rocache_t *c, uint64_t addr, uint16_t reader, uint64_t now) {
  addr &= UINT64_MAX << c->line_log2;
  if (small_cache_find(&c->lines, addr, now)) return ROCACHE_HIT;
  if (packet_queue_full(&c->queue)) return ROCACHE_REFUSED;
  entry_t *e = find_entry(c, addr);
  if (e && e->count == ROCACHE_MERGES) return ROCACHE_REFUSED;
  if (!e) e = open_entry(c, addr, now);
  if (!e) return ROCACHE_REFUSED;
  e->reader[(e->head + e->count++) % ROCACHE_MERGES] = reader;
  return ROCACHE_MISS;
}

bool rocache_ready(const rocache_t *c) {
  return c->n_ready > 0;
}

uint16_t rocache_take(rocache_t *c) {
  entry_t *e = &c->entry[c->ready[0]];
  uint16_t reader = e->reader[e->head];
  e->head = (uint8_t)((e->head + 1) % ROCACHE_MERGES);
  if (--e->count == 0) {
    c->n_ready--;
    for (unsigned i = 0; i < c->n_ready; i++) c->ready[i] = c->ready[i + 1];
  }
  return reader;
}

void rocache_fill(rocache_t *c, uint32_t entry, uint64_t now) {
  small_cache_put(&c->lines, c->entry[entry].addr, now);
  c->ready[c->n_ready++] = (uint8_t)entry;
}

packet_t *rocache_to_send(const rocache_t *c) {
  return c->queue.head;
}

packet_t *rocache_sent(rocache_t *c) {
  return packet_queue_pop(&c->queue);
}

unsigned rocache_outstanding(const rocache_t *c) {
  unsigned n = 0;
  for (unsigned i = 0; i < ROCACHE_MSHRS; i++) n += c->entry[i].count > 0;
  return n;
}
