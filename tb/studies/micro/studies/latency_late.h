/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of study latency about late reads. */
#ifndef MICRO_LATENCY_LATE_H
#define MICRO_LATENCY_LATE_H

#include "studies/micro/deduce/late.h"
#include "studies/micro/study.h"

/* The configured values. */
typedef struct {
  uint32_t far, spread, late, share;
} distances_t;

/* Rows for reads that are late, whatever their line. Reads that are hardly late, or hardly ever
 * late, are not seen. */
void latency_late_rows(study_t *s, const char *what, const late_t *late, size_t reads,
                       const distances_t *c);

#endif
