/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for the shortest case that breaks the same clause. */
#ifndef CONTRACT_SHRINK_H
#define CONTRACT_SHRINK_H

#include "verify/contract/play.h"

typedef struct {
  size_t cycles_before, before, left; /* transactions */
  uint64_t tried;
  bool bounded; /* the time ran out before the search was complete */
} contract_shrink_t;

/* `c` breaks `clause` in its last cycle. It becomes the shortest case found within `seconds` of
 * processor time. Returns 0, or -1 if out of memory. */
int contract_shrink(const contract_setup_t *setup, contract_case_t *c, unsigned clause,
                    unsigned seconds, bool (*stop)(void), contract_shrink_t *result);

#endif
