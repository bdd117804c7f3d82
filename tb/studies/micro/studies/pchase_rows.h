/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a cache or TLB that the P-chase has looked at. */
#ifndef MICRO_STUDY_PCHASE_ROWS_H
#define MICRO_STUDY_PCHASE_ROWS_H

#include "studies/micro/deduce/cache.h"
#include "studies/micro/study.h"

/* What the configuration says of a cache. */
typedef struct {
  const char *name; /* "L1D" */
  uint32_t sets, ways, extra, replacement;
  uint64_t line, sector;
  bool numbers; /* bits of the address may number the sets: */
  uint64_t bits;
  uint64_t front; /* lines of the cache in front of it */
  bool unseen;    /* a miss costs no more than a hit */
} pchase_known_t;

/* "L1D hit" and so on. */
void pchase_row(study_t *s, const char *cache, const char *what, const char *unit, double deduced,
                double configured, micro_rule_t rule, const char *note);
void pchase_row_value(study_t *s, const char *cache, const char *what, const char *unit,
                      micro_value_t deduced, double configured, micro_rule_t rule,
                      const char *note);
/* All that says how it is built; `doubt`: why none of it is decided, NULL: it is. */
int pchase_rows_of_cache(study_t *s, const pchase_known_t *k, const deduce_cache_t *d,
                         const char *doubt, mrpb_err_t *err);
/* A cache that is not there, or larger than what can be read. */
void pchase_row_of_none(study_t *s, const pchase_known_t *k, uint64_t reach);
/* Rows that contradict each other are not decided. */
void pchase_rows_agree(study_t *s);
/* It could not be looked at. */
void pchase_row_of_failure(study_t *s, const pchase_known_t *k, const char *why);

#endif
