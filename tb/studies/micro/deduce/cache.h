/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of a cache or TLB from latencies alone (Mei et al., paper 003, sections 3.2 and 4).
 * Nothing is assumed of sizes, of the mapping or of the replacement: whether a set of lines fits is
 * seen from a pass without a miss, and two lines share a set if each alone fits beside what fills
 * the cache and both together do not. */
#ifndef DEDUCE_CACHE_H
#define DEDUCE_CACHE_H

#include "studies/micro/deduce/chase.h"

enum { DEDUCE_CACHE_SHARES = 64 };
#define DEDUCE_CACHE_NO_SET UINT32_MAX

typedef enum {
  DEDUCE_CACHE_UNKNOWN, /* cannot be seen: see deduce_cache() */
  DEDUCE_CACHE_DIRECT,  /* one way: nothing to choose */
  DEDUCE_CACHE_LRU,
  DEDUCE_CACHE_FIFO,
  DEDUCE_CACHE_OTHER,
} deduce_cache_policy_t;

typedef struct {
  bool found;          /* false: no misses within the limit; nothing else is known */
  uint32_t hit, miss;  /* cycles: the least that was seen of each */
  uint32_t threshold;  /* more cycles are a miss */
  uint64_t capacity;   /* bytes: the largest footprint without misses */
  uint64_t line, fill; /* bytes: what is allocated, and what one miss brings in (a sector) */
  uint64_t lines;      /* that can be held at once, as far as is known */
  bool complete;       /* every line's set is known; false: the budget or the limit was short */
  uint32_t sets;       /* known ones */
  uint32_t *ways;      /* of each, in the order of overflow */
  uint32_t *set_of;    /* the set of each line from base on; DEDUCE_CACHE_NO_SET: unknown */
  uint64_t n_set_of;
  uint64_t period;       /* lines after which the sets repeat */
  uint64_t address_bits; /* bits of the address that matter for the set, as far as the capacity
                          * reaches */
  bool selects;          /* these bits as they are number the sets: 2^bits sets */
  deduce_cache_policy_t policy;
  unsigned repeats;  /* passes over one set after which its misses repeat; 0: they never do */
  unsigned n_shares; /* DEDUCE_CACHE_OTHER: ways of the set that was watched... */
  double share[DEDUCE_CACHE_SHARES]; /* ... and how often each was replaced, largest first */
  uint64_t victims;                  /* that were counted for it */
  uint64_t accesses;                 /* that it took */
} deduce_cache_t;

/* Deduces all of it. `cfg->level` > 0 looks at a cache behind others: walks then take along enough
 * lines of other sets to keep those in front busy. The replacement cannot be told if a line has
 * fewer than two words (or, behind other caches, too few for that). To be freed. */
int deduce_cache(deduce_cache_t *out, const chase_cfg_t *cfg, mrpb_err_t *err);
void deduce_cache_free(deduce_cache_t *d);
/* Why what was found cannot be the whole of one cache, in a few words; NULL: it can. Sets are alike,
 * but that one may be larger; otherwise two caches were taken for one. */
const char *deduce_cache_doubt(const deduce_cache_t *d);
/* Whether two deductions found the same structure. */
bool deduce_cache_same(const deduce_cache_t *a, const deduce_cache_t *b);
const char *deduce_cache_policy_name(deduce_cache_policy_t p);

/* Share of misses in a walk over the capacity and `extra` lines more (paper 003, Figures 9 and 11),
 * of `passes` passes; *missed (may be NULL): lines that missed at all. */
int deduce_cache_miss_rate(const deduce_cache_t *d, const chase_cfg_t *cfg, uint64_t extra,
                           size_t passes, double *rate, uint64_t *missed, mrpb_err_t *err);

/* Wong et al. (paper 004, Figure 11): the elements without misses halve when the stride doubles,
 * until the stride is a page. Strides from cfg->step on, doubling. *page 0: no such stride; *n: the
 * elements there (the entries, of a fully associative TLB). A set-associative one goes on halving
 * until one set is left: use deduce_cache(). */
int deduce_page_size(const chase_cfg_t *cfg, uint64_t *page, uint64_t *n, mrpb_err_t *err);

#endif
