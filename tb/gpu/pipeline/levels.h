/* SPDX-License-Identifier: Apache-2.0 */
/* Part `levels`: the occupancy of an SM's tables over time (sm_occupancy_t). */
#ifndef SM_LEVELS_H
#define SM_LEVELS_H

#include "gpu/pipeline/sm.h"

/* The last two exist only with an MRPB. */
enum { SM_LEVEL_MSHR, SM_LEVEL_MISS_QUEUE, SM_LEVEL_MRPB, SM_LEVEL_PRT, SM_LEVELS };

/* For one table: entries in use since cycle `since` of the SM, counted up to that cycle, and the
 * most so far. used <= max always. */
typedef struct {
  uint64_t since;
  uint32_t used, max;
} sm_level_t;

typedef struct {
  sm_level_t level[SM_LEVELS];
} sm_levels_t;

/* Samples the tables at the end of a cycle, before the cycle number advances. */
void sm_levels_look(sm_t *sm);
/* The miss queue alone, which holds `used` at the end of the SM's cycle number `cycles`: for cycles in
 * which part `later` has kept sm_levels_look from it. */
void sm_levels_miss_queue(sm_t *sm, uint64_t cycles, unsigned used);
/* Counts up to the current cycle. */
void sm_levels_finish(sm_t *sm);

#endif
