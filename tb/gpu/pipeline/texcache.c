/* SPDX-License-Identifier: Apache-2.0 */
/* Texture cache: see texcache.h. The reference's reorder buffer has as many entries as the fragment
 * FIFO and is filled and emptied with it, so here it is a flag in the fragment. */
#include "gpu/pipeline/texcache.h"

#include "parts/small_cache.h"

#include <stdlib.h>

typedef struct {
  uint16_t reader;
  bool here; /* its line has arrived, or was present */
} fragment_t;

struct texcache {
  small_cache_t lines;
  packet_pool_t *pool;
  packet_queue_t requests;
  fragment_t fragment[TEXCACHE_FRAGMENTS];
  unsigned head, count;
  uint16_t result[TEXCACHE_RESULTS];
  unsigned n_results;
};

int texcache_create(texcache_t **out, uint32_t sets, uint32_t ways, packet_pool_t *pool,
                    mrpb_err_t *err) {
  texcache_t *t = calloc(1, sizeof *t);
  *out = NULL;
  if (!t) return mrpb_fail(err, "texture cache: out of memory");
  t->pool = pool;
  packet_queue_init(&t->requests, TEXCACHE_REQUESTS);
  if (small_cache_create(&t->lines, sets, ways, TEXCACHE_LINE_LOG2, err) != 0) {
    texcache_destroy(t);
    return -1;
  }
  *out = t;
  return 0;
}

void texcache_destroy(texcache_t *t) {
  if (!t) return;
  for (packet_t *p; (p = packet_queue_pop(&t->requests));) packet_free(t->pool, p);
  small_cache_destroy(&t->lines);
  free(t);
}

texcache_answer_t texcache_access(texcache_t *t, uint64_t addr, uint16_t reader, uint64_t now) {
  if (t->count == TEXCACHE_FRAGMENTS || packet_queue_full(&t->requests)) return TEXCACHE_REFUSED;
  unsigned at = (t->head + t->count) % TEXCACHE_FRAGMENTS;
  bool hit = small_cache_find(&t->lines, addr, now);
  if (!hit) {
    packet_t *p = packet_alloc(t->pool);
    if (!p) return TEXCACHE_REFUSED;
    p->addr = addr & ~(uint64_t)((1u << TEXCACHE_LINE_LOG2) - 1);
    p->kind = PACKET_READ;
    p->bytes = 1u << TEXCACHE_LINE_LOG2;
    p->texture = true;
    p->entry = at;
    p->t_created = now;
    packet_queue_push(&t->requests, p);
    small_cache_put(&t->lines, addr, now);
  }
  t->fragment[at] = (fragment_t){reader, hit};
  t->count++;
  return hit ? TEXCACHE_HIT : TEXCACHE_MISS;
}

bool texcache_ready(const texcache_t *t) {
  return t->n_results > 0;
}

uint16_t texcache_take(texcache_t *t) {
  uint16_t reader = t->result[0];
  t->n_results--;
  for (unsigned i = 0; i < t->n_results; i++) t->result[i] = t->result[i + 1];
  return reader;
}

void texcache_fill(texcache_t *t, uint32_t entry) {
  t->fragment[entry].here = true;
}

packet_t *texcache_to_send(const texcache_t *t) {
  return t->requests.head;
}

packet_t *texcache_sent(texcache_t *t) {
  return packet_queue_pop(&t->requests);
}

bool texcache_move(texcache_t *t) {
  if (t->count == 0 || t->n_results == TEXCACHE_RESULTS || !t->fragment[t->head].here) return false;
  t->result[t->n_results++] = t->fragment[t->head].reader;
  t->head = (t->head + 1) % TEXCACHE_FRAGMENTS;
  t->count--;
  return true;
}

unsigned texcache_outstanding(const texcache_t *t) {
  return t->count + t->n_results;
}
