/* SPDX-License-Identifier: Apache-2.0 */
/* Part `levels`: how full the tables of an SM have been (sm_occupancy_t). */
#ifndef SM_LEVELS_H
#define SM_LEVELS_H

#include "gpu/sm/sm.h"

/* The last two with an MRPB only. */
enum { SM_LEVEL_MSHR, SM_LEVEL_MISS_QUEUE, SM_LEVEL_MRPB, SM_LEVEL_PRT, SM_LEVELS };

/* Of a table: entries in use since cycle `since` of the SM's, counted as far as that; the most so
 * far. used <= max always. */
typedef struct {
  uint64_t since;
  uint32_t used, max;
} sm_level_t;

typedef struct {
  sm_level_t level[SM_LEVELS];
} sm_levels_t;

/* What the tables hold at the end of a cycle, before its number counts. */
void sm_levels_look(sm_t *sm);
/* Counts up to the present cycle. */
void sm_levels_finish(sm_t *sm);

#endif
