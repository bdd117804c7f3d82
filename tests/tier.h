/* SPDX-License-Identifier: Apache-2.0 */
/* For loop tests with many similar cases: `make test` runs one of every `step` cases, including the
 * first; `make test-long` runs all. tests/tier.sh does the same for scripts. A test adds
 * tier_cases(n, step) of its n cases, and run k is the case tier_case(k, step). */
#ifndef TIER_H
#define TIER_H

#include <stdlib.h>

static inline int tier_case(int run, int step) {
  const char *whole = getenv("TEST_LONG");
  return whole && *whole ? run : run * step;
}

static inline int tier_cases(int cases, int step) {
  const int each = tier_case(1, step);
  return (cases + each - 1) / each;
}

#endif
