/* SPDX-License-Identifier: Apache-2.0 */
/* Texture cache of an SM (L1T) after Igehy et al., "Prefetching in a texture cache architecture"
 * (1998), as in GPGPU-Sim 3.2.0: lines of 128 bytes, LRU. An access, hit or miss, replaces its line
 * at once and waits in the fragment FIFO (128) until it is the oldest and its line has arrived.
 * Request FIFO of 4, result FIFO of 2. One cycle does each of these at most once, in this order:
 * take, fill, send, move, access. Not modelled: data, filtering, 2-D layout. */
#ifndef TEXCACHE_H
#define TEXCACHE_H

#include "err.h"
#include "parts/packet.h"

enum {
  TEXCACHE_LINE_LOG2 = 7,
  TEXCACHE_FRAGMENTS = 128,
  TEXCACHE_REQUESTS = 4,
  TEXCACHE_RESULTS = 2
};

typedef enum { TEXCACHE_HIT, TEXCACHE_MISS, TEXCACHE_REFUSED } texcache_answer_t;

typedef struct texcache texcache_t;

/* Returns 0, or -1 and a message in err; *out is NULL then. */
int texcache_create(texcache_t **out, uint32_t sets, uint32_t ways, packet_pool_t *pool,
                    mrpb_err_t *err);
void texcache_destroy(texcache_t *t);

/* Reads a line at SM cycle `now` for `reader`; hit or miss, the data come through texcache_take. A
 * refused access changes nothing. */
texcache_answer_t texcache_access(texcache_t *t, uint64_t addr, uint16_t reader, uint64_t now);

/* texcache_ready: true if a result waits; texcache_take takes it. */
bool texcache_ready(const texcache_t *t);
uint16_t texcache_take(texcache_t *t);

/* The reply to the request that carried `entry`. */
void texcache_fill(texcache_t *t, uint32_t entry);

/* texcache_to_send: the oldest request that has not left, NULL if none; texcache_sent: it has
 * left. */
packet_t *texcache_to_send(const texcache_t *t);
packet_t *texcache_sent(texcache_t *t);

/* Moves the oldest fragment to the result FIFO if possible; true if it did. */
bool texcache_move(texcache_t *t);

/* Fragments and results inside. */
unsigned texcache_outstanding(const texcache_t *t);

#endif
