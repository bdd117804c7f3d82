/* SPDX-License-Identifier: Apache-2.0 */
/* One memory partition's L2 slice: fixed (ROP) delay, four queues, write-back write-allocate cache
 * with MSHRs. Called once per L2 cycle; delays and LRU stamps count SM cycles, as in the reference.
 * Timing: a request popped from the interconnect in SM cycle t reaches the icnt-L2 queue at
 * t + rop_latency and the tags one L2 cycle later; a hit's reply enters the L2-icnt queue in the
 * cycle of its access. Follows GPGPU-Sim 3.2.0 (l2cache.cc, gpu-cache.cc). Not modelled: texture
 * and constant requests that skip the delay, L2 flush, a disabled or texture-only L2. */
#ifndef L2_H
#define L2_H

#include "config/config.h"
#include "gpu/check/check.h"
#include "err.h"
#include "parts/requests.h"

/* The keys of keys.def whose part is L2, with their ranges and defaults, followed by the fields
 * that no key sets. */
typedef struct {
#define PART_L2(field, to, ...) uint32_t to;
#include "config/each_key.h"
  uint32_t line_bytes; /* 32 .. 128, power of two; 128 */
} l2_cfg_t;

typedef enum {
  L2_FAIL_ASSOC, /* every way of the set waits for a fill */
  L2_FAIL_MISSQ, /* miss queue too full */
  L2_FAIL_MERGE, /* the block's MSHR entry already lists mshr_merges requests */
  L2_FAIL_MSHR,  /* no free MSHR entry */
  L2_FAIL_REASONS
} l2_fail_t;

typedef struct {
  uint64_t reads, read_hits, read_misses,
      read_merges; /* accepted accesses; merges are among the misses */
  uint64_t writes, write_hits, write_misses, write_merges;
  uint64_t write_backs;           /* modified lines evicted */
  uint64_t fail[L2_FAIL_REASONS]; /* refused accesses, one per cycle while the head waits */
  uint64_t stall_icnt;            /* cycles in which a request waited for the L2-icnt queue */
  uint64_t stall_dram;            /* cycles in which a request waited for the L2-DRAM queue */
  uint64_t stuck_lines; /* lines reserved by a merge into a draining entry: no fill will come */
  uint64_t mshr_max;
} l2_stats_t;

typedef struct l2 l2_t;

void l2_defaults(l2_cfg_t *cfg);
/* The defaults, overridden by the keys of `c`. */
l2_cfg_t l2_configured(const config_t *c);
int l2_check(const l2_cfg_t *cfg, mrpb_err_t *err);
/* `partition` is the slice's number. `map` gives the location of write-back addresses. `pool`
 * supplies the write-allocate reads and write-backs, and must outlive the slice. */
int l2_create(l2_t **out, const l2_cfg_t *cfg, uint32_t partition, const packet_map_t *map,
              packet_pool_t *pool, mrpb_err_t *err);
void l2_destroy(l2_t *l2);

/* From now on packets carry data (docs/check.md). */
void l2_set_check(l2_t *l2, check_t *check);
/* Follows the requests that packets carry; NULL: nobody does. */
void l2_set_requests(l2_t *l2, requests_t *requests);
/* Ordering hazards to allow (gpu/check/hazard.h): none unless called. */
void l2_set_hazards(l2_t *l2, uint32_t hazards);

/* True if the slice takes a request from the interconnect in this cycle (icnt-L2 queue not full).
 * Checked once per L2 cycle, before l2_cycle. */
bool l2_accepts(const l2_t *l2);
/* A request from the interconnect enters the fixed delay at SM cycle `now`; a texture read bypasses
 * the delay. */
void l2_push(l2_t *l2, packet_t *p, uint64_t now);

/* One L2 cycle at SM cycle `now` (non-decreasing). */
void l2_cycle(l2_t *l2, uint64_t now);

/* Oldest reply, NULL if none; l2_reply_pop removes it. */
packet_t *l2_reply_top(const l2_t *l2);
packet_t *l2_reply_pop(l2_t *l2);

/* The queues shared with the DRAM channel: to_dram is popped, from_dram pushed in DRAM cycles. */
packet_queue_t *l2_to_dram(l2_t *l2);
packet_queue_t *l2_from_dram(l2_t *l2);

/* First SM cycle at which l2_cycle would have an effect if nothing is pushed from outside:
 * UINT64_MAX if never, `now` if there is work at once. Cycles before it may be skipped. */
uint64_t l2_next_event(const l2_t *l2, uint64_t now);
/* The SM cycle before which the latest request that waits its fixed delay is not looked at; 0 if none
 * waits. */
uint64_t l2_delayed_until(const l2_t *l2);
/* Requests inside the slice, its queues included. */
uint32_t l2_in_flight(const l2_t *l2);
/* Requests inside that an SM waits for: without the fetches and write-backs of the slice itself. */
uint32_t l2_from_sms(const l2_t *l2);

const l2_stats_t *l2_stats(const l2_t *l2);

typedef enum { L2_INVALID, L2_RESERVED, L2_VALID, L2_MODIFIED } l2_state_t;
/* State of the line that holds partition address `local`, L2_INVALID if none does. For tests and
 * traces. */
l2_state_t l2_line_state(const l2_t *l2, uint64_t local);

#endif
