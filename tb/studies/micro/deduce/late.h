/* SPDX-License-Identifier: Apache-2.0 */
/* Detects reads that are occasionally late, whatever their line: a DRAM that is being refreshed
 * answers only afterwards. Reading the same lines several times shows them. */
#ifndef MICRO_LATE_H
#define MICRO_LATE_H

#include <stddef.h>
#include <stdint.h>

enum { LATE_WALKS = 9 };

typedef struct {
  double share;  /* late reads, as a share of all; 0: fewer than one in two hundred */
  uint32_t most; /* most cycles by which reads are late, evenly from 0 on; 0: no read is */
  uint32_t seen; /* cycles; less is not lateness but the usual spread of one line */
  size_t still;  /* reads of all walks that are later than `most` by a quarter */
  uint32_t last; /* cycles of the latest read */
} late_t;

/* latency[w * lines + i] is line i in walk w of LATE_WALKS. Fills in *late, and in line[] the
 * latency of each line when it is not late: the lower quartile. */
void late_find(const uint32_t *latency, size_t lines, uint32_t *line, late_t *late);

#endif
