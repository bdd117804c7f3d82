/* SPDX-License-Identifier: Apache-2.0 */
/* State of an L2 slice and its cache, shared by l2.c (queues, order of a cycle) and l2_cache.c
 * (tags, MSHR table) only. */
#ifndef L2_STATE_H
#define L2_STATE_H

#include "gpu/l2/l2.h"

enum { NO_ENTRY = UINT16_MAX };
#define NO_BLOCK UINT64_MAX

/* One block with waiting requests: a ring of at most mshr_merges packets. */
typedef struct {
  uint64_t block;
  uint32_t first, count;
  bool filled;
  bool atomic;         /* a request changes the line: it becomes modified when it arrives */
  uint32_t next;       /* next in its hash bucket, or in the free list */
  uint32_t next_ready; /* next in the list of filled entries */
} l2_mshr_t;

struct l2 {
  /* Members that every cycle reads come first. */
  packet_queue_t rop, icnt_l2, miss_queue, l2_dram, dram_l2, l2_icnt;
  uint32_t ready_head, ready_tail; /* filled MSHR entries */
  uint32_t from_sms;
  uint32_t waiting; /* requests in the table but in no queue: merges, and filled primaries */
  bool stalled;     /* the head of icnt_l2 was refused and nothing has changed since */
  l2_fail_t stall_reason;
  l2_stats_t stats;

  l2_cfg_t cfg;
  uint32_t partition;
  packet_map_t map;
  packet_pool_t *pool;
  uint32_t line_log2;
  uint32_t hazards;
  check_t *check;       /* NULL: packets carry no data */
  requests_t *requests; /* NULL: nobody follows them */

  /* Lines, in set-major order. */
  uint64_t *tag;     /* block number; NO_BLOCK: L2_INVALID */
  uint64_t *used_at; /* SM cycle of the last allocation or hit */
  uint8_t *state;
  uint32_t *invalid_ways; /* by set */

  /* MSHR table, hashed by block. */
  l2_mshr_t *mshr;
  packet_t **slots; /* mshr_merges per entry */
  uint32_t *bucket;
  uint32_t bucket_mask;
  uint32_t mshr_free; /* head of the free list */
  uint32_t mshr_used;
};

typedef enum { L2_HIT, L2_MISS_PRIMARY, L2_MISS_MERGED, L2_REFUSED } l2_result_t;

/* Looks up the head of icnt_l2 in the cache. A miss removes it from icnt_l2; L2_REFUSED sets
 * stall_reason. */
l2_result_t l2_access(l2_t *l2, packet_t *p, uint64_t now);

/* The line of a returned read becomes valid and its MSHR entry ready. */
void l2_fill(l2_t *l2, packet_t *p);

/* Returns the oldest request of the oldest ready entry and frees the entry with its last request.
 * Call it only if there is a ready entry. */
packet_t *l2_next_ready(l2_t *l2);

#endif
