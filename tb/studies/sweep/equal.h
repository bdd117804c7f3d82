/* SPDX-License-Identifier: Apache-2.0 */
/* Which runs are provably the same run: equal.def. Internal to tb/studies/sweep. */
#ifndef SWEEP_EQUAL_H
#define SWEEP_EQUAL_H

#include "studies/sweep/sweep.h"

enum {
#define EQUAL(key, stat, margin, none, why) EQUAL_##key,
#include "studies/sweep/equal.def"
#undef EQUAL
  EQUAL_RULES
};

/* What a result says about its limits. */
typedef struct {
  uint64_t cycles;
  uint64_t peak[EQUAL_RULES]; /* UINT64_MAX: the result does not say */
} equal_peaks_t;

/* The key of rule `i`, as the configuration numbers it. */
unsigned equal_key(unsigned i);
/* Whether key `k` has a rule. */
bool equal_is_key(unsigned k);
/* The size that key `k` gives; no limit is the largest. */
uint64_t equal_size(const config_t *cfg, unsigned k);

/* Takes the cycles and the peaks from a result. */
void equal_look(const json_t *result, equal_peaks_t *peaks);
/* Whether a run of `of` with these peaks proves that the run of `other` is the same: they differ
 * only in keys that have a rule, and none of these binds in either. */
bool equal_proven(const config_t *of, const equal_peaks_t *peaks, const config_t *other);
/* The result with the configuration replaced, as text that the caller frees; NULL if out of
 * memory or no result. */
char *equal_with(const char *result, const config_t *cfg, uint64_t hash);
/* Whether two results are the same. */
bool equal_results(const char *a, const char *b);

#endif
