/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for the shortest case that breaks the same clause. */
#ifndef CONFORM_SHRINK_H
#define CONFORM_SHRINK_H

#include "verify/conform/play.h"

typedef struct {
  size_t cycles_before, before, left; /* transactions */
  uint64_t tried;
  bool bounded; /* the time ran out before the search was complete */
} conform_shrink_t;

/* The number of transactions of a case. A transaction is a cycle's read, a fill, a stall of answers
 * or of requests in a cycle, or a reset after the first. */
size_t conform_shrink_count(const conform_setup_t *setup, const conform_case_t *c);

/* `c` breaks `clause` in its last cycle. It becomes the shortest case found within `seconds` of
 * processor time. Returns 0, or -1 if out of memory. */
int conform_shrink(const conform_setup_t *setup, conform_case_t *c, unsigned clause,
                   unsigned seconds, bool (*stop)(void), conform_shrink_t *result);

#endif
