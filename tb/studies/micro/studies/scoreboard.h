/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the scoreboard's limit: how many loads of one warp may await data at once.
 * docs/micro/thread_latency.md */
#ifndef MICRO_STUDY_SCOREBOARD_H
#define MICRO_STUDY_SCOREBOARD_H

#include "studies/micro/study.h"

enum { SCOREBOARD_LOADS = 64 /* loads that are tried */ };

typedef struct {
  uint32_t warp_loads;   /* per warp, that a curve may use without waiting for the scoreboard */
  micro_value_t at_once; /* loads that the scoreboard allows a warp */
} scoreboard_t;

scoreboard_t scoreboard_find(const study_t *s);

#endif
