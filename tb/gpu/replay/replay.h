/* SPDX-License-Identifier: Apache-2.0 */
/* Replay of recorded L1D events, one per line: cycle, event, fields.
 *   A warp address size R|W probe result reason miss-queue MSHRs
 *                             an access, and both occupancies before it
 *   S R|W address occupancy   one entry leaves the miss queue
 *   F block                   a fill
 *   D warp address            one merged access leaves a ready MSHR entry
 * The events drive the L1D model (tags, MSHR table, miss queue) in cycles of the MSHR table's
 * clock, in the LDST unit's order D, F, S, A. Every probe, result, refusal reason and occupancy is
 * compared. */
#ifndef REPLAY_H
#define REPLAY_H

#include "config/config.h"
#include "err.h"
#include "parts/unit.h"

typedef enum {
  REPLAY_EQUAL,
  REPLAY_DIFFERENT, /* file:line and both values are in `err` */
  REPLAY_BAD_INPUT,
  REPLAY_INTERRUPTED
} replay_end_t;

typedef struct {
  uint64_t accesses, refused, sends, fills, drains;
  uint64_t cycles; /* cycles in which the MSHR table was clocked */
} replay_stats_t;

/* Sizes come from `cfg`; `choice` (NULL: C) selects the implementation of the MSHR table; `stop`
 * (may be NULL) is polled now and then. */
replay_end_t replay_run(const char *path, const config_t *cfg, const unit_choice_t *choice,
                        bool (*stop)(void), replay_stats_t *stats, mrpb_err_t *err);

#endif
