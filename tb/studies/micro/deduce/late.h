/* SPDX-License-Identifier: Apache-2.0 */
/* Reads that now and then come late, whatever the line: a DRAM that is being refreshed answers when it has
 * done. Told by reading the same lines several times. */
#ifndef MICRO_LATE_H
#define MICRO_LATE_H

#include <stddef.h>
#include <stdint.h>

enum { LATE_WALKS = 9 };

typedef struct {
  double share;  /* of all reads, that are late; 0: fewer than one of two hundred, if any */
  uint32_t most; /* by so much at most, evenly from 0 on; 0: none is */
  uint32_t seen; /* what is less is no lateness, but what reads of one line differ by */
  size_t still;  /* reads of all walks that are later than that by a quarter */
  uint32_t last; /* the latest of all: cycles */
} late_t;

/* latency[w * lines + i]: of line i in walk w of LATE_WALKS. *late, and of each line what it takes when it is
 * not late: the lower quartile. */
void late_find(const uint32_t *latency, size_t lines, uint32_t *line, late_t *late);

#endif
