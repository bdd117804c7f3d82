/* SPDX-License-Identifier: Apache-2.0 */
/* The scoreboard's limit: loads of one warp that may await data at once. docs/micro/thread_latency.md */
#ifndef MICRO_STUDY_SCOREBOARD_H
#define MICRO_STUDY_SCOREBOARD_H

#include "studies/micro/study.h"

enum { SCOREBOARD_LOADS = 64 /* that are tried */ };

typedef struct {
  uint32_t warp_loads;   /* that a curve may ask of a warp without waiting for the scoreboard */
  micro_value_t at_once; /* what the scoreboard lets a warp have */
} scoreboard_t;

int scoreboard_find(const study_t *s, scoreboard_t *found, mrpb_err_t *err);

#endif
