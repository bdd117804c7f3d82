/* SPDX-License-Identifier: Apache-2.0 */
/* Constant and instruction cache of an SM (L1C, L1I): read only, LRU, allocate on fill, as in
 * GPGPU-Sim 3.2.0's TeslaC2050: 2 MSHR entries of 32 reads, a miss queue of 4. Order of a cycle,
 * each step at most once: take, fill, send, access for the L1C; fill, access, send, take for the
 * L1I. Not modelled: data. */
#ifndef ROCACHE_H
#define ROCACHE_H

#include "err.h"
#include "parts/packet.h"

enum {
  ROCACHE_CONST_LOG2 = 6, /* lines of the L1C */
  ROCACHE_INST_LOG2 = 7,  /* lines of the L1I */
  ROCACHE_MSHRS = 2,
  ROCACHE_MERGES = 32,
  ROCACHE_MISS_QUEUE = 4
};

typedef enum { ROCACHE_HIT, ROCACHE_MISS, ROCACHE_REFUSED } rocache_answer_t;

typedef struct rocache rocache_t;

/* Lines have 1 << `line_log2` bytes. Returns 0, or -1 and a message in err; *out is NULL then. */
int rocache_create(rocache_t **out, uint32_t sets, uint32_t ways, unsigned line_log2,
                   packet_pool_t *pool, mrpb_err_t *err);
void rocache_destroy(rocache_t *c);

/* Reads a line at SM cycle `now` for `reader`. A refused access changes nothing. */
rocache_answer_t rocache_access(rocache_t *c, uint64_t addr, uint16_t reader, uint64_t now);

/* rocache_ready: true if a read that missed has its data; rocache_take takes it. */
bool rocache_ready(const rocache_t *c);
uint16_t rocache_take(rocache_t *c);

/* The reply to the request of `entry`. */
void rocache_fill(rocache_t *c, uint32_t entry, uint64_t now);

/* rocache_to_send: the oldest request that has not left, NULL if none; rocache_sent: it has
 * left. */
packet_t *rocache_to_send(const rocache_t *c);
packet_t *rocache_sent(rocache_t *c);

/* MSHR entries in use. */
unsigned rocache_outstanding(const rocache_t *c);

#endif
