/* SPDX-License-Identifier: Apache-2.0 */
/* The shortest case that breaks the same clause. */
#ifndef CONFORM_SHRINK_H
#define CONFORM_SHRINK_H

#include "verify/conform/play.h"

typedef struct {
  size_t cycles_before, before, left; /* transactions */
  uint64_t tried;
  bool bounded; /* the time was over */
} conform_shrink_t;

/* A transaction is a cycle's read, fill, refusal of answers or of requests, or the beginning of a reset after the first. */
size_t conform_shrink_count(const conform_setup_t *setup, const conform_case_t *c);

/* `c` breaks `clause` in its last cycle; it gets the shortest case found within `seconds` of processor time. -1
 * without memory. */
int conform_shrink(const conform_setup_t *setup, conform_case_t *c, unsigned clause,
                   unsigned seconds, bool (*stop)(void), conform_shrink_t *result);

#endif
