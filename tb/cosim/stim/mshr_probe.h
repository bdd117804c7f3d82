/* SPDX-License-Identifier: Apache-2.0 */
/* mshr: the states of an entry, the events that can happen to it, and a stimulus that aims at
 * events that eight entries have not seen yet: (entry x state x event), docs/verify/coverage.md. */
#ifndef COSIM_MSHR_PROBE_H
#define COSIM_MSHR_PROBE_H

#include "mshr.h"
#include "prng.h"

/* An entry in use waits for its line, is filled and waits to drain, or drains; each with one read,
 * some reads, or MERGES reads. */
typedef enum {
  MSHR_PROBE_FREE,
  MSHR_PROBE_WAITS,
  MSHR_PROBE_READY = MSHR_PROBE_WAITS + 3,
  MSHR_PROBE_DRAINS = MSHR_PROBE_READY + 3,
  MSHR_PROBE_STATES = MSHR_PROBE_DRAINS + 3
} mshr_probe_state_t;

typedef enum {
  MSHR_PROBE_ALLOCATE,
  MSHR_PROBE_MERGE,
  MSHR_PROBE_REFUSED,
  MSHR_PROBE_FILL,
  MSHR_PROBE_BAD_FILL,
  MSHR_PROBE_TAKE,
  MSHR_PROBE_RESET,
  MSHR_PROBE_TAKE_BAD_FILL,
  MSHR_PROBE_TAKE_MERGE,
  MSHR_PROBE_ALL_THREE,
  MSHR_PROBE_EVENTS
} mshr_probe_event_t;

enum { MSHR_PROBE_HOT = 8 };

typedef struct {
  mshr_cfg_t cfg;
  prng_t rng;
  uint32_t base;                         /* the first probed entry */
  uint16_t done[128][MSHR_PROBE_STATES]; /* one bit per event */
} mshr_probe_t;

static inline bool mshr_probe_bit(const uint32_t *map, uint64_t e) {
  return map[e / 32] >> e % 32 & 1;
}

static inline mshr_probe_state_t mshr_probe_state(const mshr_regs_t *r, uint32_t merges,
                                                  uint32_t e) {
  if (!mshr_probe_bit(r->valid_q, e)) return MSHR_PROBE_FREE;
  const unsigned reads = r->len_q[e] == merges ? 2 : r->len_q[e] > 1;
  return (mshr_probe_bit(r->drain_q, e)   ? MSHR_PROBE_DRAINS
          : mshr_probe_bit(r->ready_q, e) ? MSHR_PROBE_READY
                                          : MSHR_PROBE_WAITS) +
         reads;
}

void mshr_probe_start(mshr_probe_t *p, const mshr_cfg_t *cfg, uint64_t seed);
/* Moves on to the next eight entries. Returns the number of cycles that they may take. */
uint32_t mshr_probe_turn(mshr_probe_t *p);
/* Changes the inputs of a cycle. req_addr_i must already hold a line that is unlikely to be in the
 * table. */
void mshr_probe_next(mshr_probe_t *p, const mshr_regs_t *r, mshr_in_t *i);
/* mshr_probe_wants_reset: whether the draining entry has not met a reset in its present state.
 * mshr_probe_reset: records that it has. */
bool mshr_probe_wants_reset(const mshr_probe_t *p, const mshr_regs_t *r);
void mshr_probe_reset(mshr_probe_t *p, const mshr_regs_t *r);

#endif
