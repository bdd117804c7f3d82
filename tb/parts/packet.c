/* SPDX-License-Identifier: Apache-2.0 */
/* Pool of memory requests: blocks of packets and one free list. */
#include "packet.h"

#include <stdlib.h>

enum { LINE = 64 }; /* the host's cache line; a packet takes two */

typedef struct block {
  struct block *next;
  _Alignas(LINE) packet_t packets[];
} block_t;

struct packet_pool {
  block_t *blocks;
  packet_t *free;
  uint32_t grow; /* packets in the next block */
  uint32_t total, in_flight;
  bool failed;
};

static bool add_block(packet_pool_t *pool) {
  block_t *b = aligned_alloc(LINE, sizeof *b + pool->grow * sizeof b->packets[0]);
  if (!b) return false;
  b->next = pool->blocks;
  pool->blocks = b;
  pool->total += pool->grow;
  for (uint32_t i = pool->grow; i-- > 0;) {
    b->packets[i].next = pool->free;
    pool->free = &b->packets[i];
  }
  return true;
}

packet_pool_t *packet_pool_create(uint32_t n) {
  packet_pool_t *pool = calloc(1, sizeof *pool);
  if (!pool) return NULL;
  pool->grow = n ? n : 1;
  if (!add_block(pool)) {
    free(pool);
    return NULL;
  }
  return pool;
}

void packet_pool_destroy(packet_pool_t *pool) {
  if (!pool) return;
  while (pool->blocks) {
    block_t *b = pool->blocks;
    pool->blocks = b->next;
    free(b);
  }
  free(pool);
}

packet_t *packet_alloc(packet_pool_t *pool) {
  if (!pool->free && !add_block(pool)) {
    pool->failed = true;
    return NULL;
  }
  packet_t *p = pool->free;
  pool->free = p->next;
  *p = (packet_t){0};
  pool->in_flight++;
  return p;
}

void packet_free(packet_pool_t *pool, packet_t *p) {
  p->next = pool->free;
  pool->free = p;
  pool->in_flight--;
}

bool packet_pool_reserve(packet_pool_t *pool, uint32_t n) {
  while (pool->total - pool->in_flight < n) {
    if (add_block(pool)) continue;
    pool->failed = true;
    return false;
  }
  return true;
}

bool packet_pool_failed(const packet_pool_t *pool) {
  return pool->failed;
}

uint32_t packet_pool_in_flight(const packet_pool_t *pool) {
  return pool->in_flight;
}
