/* SPDX-License-Identifier: Apache-2.0 */
/* The rows on a cache or TLB that the P-chase has measured. */
#ifndef MICRO_STUDY_PCHASE_ROWS_H
#define MICRO_STUDY_PCHASE_ROWS_H

#include "studies/micro/deduce/cache.h"
#include "studies/micro/study.h"

/* The cache as it is configured. */
typedef struct {
  const char *name; /* "L1D" */
  uint32_t sets, ways, extra, replacement;
  uint64_t line, sector;
  bool numbers; /* address bits may number the sets: */
  uint64_t bits;
  uint64_t front; /* lines of the cache in front of it */
  bool unseen;    /* a miss costs no more than a hit */
} pchase_known_t;

/* Adds all rows on the cache's structure. `doubt` says why none of them is decided; NULL: they
 * are. The next rows are of this cache, too (study_of). */
void pchase_rows_of_cache(study_t *s, const pchase_known_t *k, const deduce_cache_t *d,
                          const char *doubt);
/* The cache does not exist, or is larger than what can be read. */
void pchase_row_of_none(study_t *s, const pchase_known_t *k, uint64_t reach);
/* Marks rows that contradict each other as undecided. */
void pchase_rows_agree(study_t *s);
/* The cache could not be measured. */
void pchase_row_of_failure(study_t *s, const pchase_known_t *k, const char *why);

#endif
