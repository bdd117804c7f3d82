/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the study of instructions: instructions.c, instructions_fetch.c,
 * instructions_bandwidth.c. */
#ifndef MICRO_STUDY_INSTRUCTIONS_H
#define MICRO_STUDY_INSTRUCTIONS_H

#include "studies/micro/study.h"

/* What was found; 0: not seen. */
typedef struct {
  uint64_t l1, l1_sets, l1_ways, l2, l3; /* sizes in bytes; lines of CODE_LINE bytes */
} instructions_t;

void instructions_fetch(study_t *s, const instructions_t *found);
void instructions_bandwidth(study_t *s, const instructions_t *found);

#endif
