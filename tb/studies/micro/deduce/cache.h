/* SPDX-License-Identifier: Apache-2.0 */
/* Deduces the structure of a cache or TLB from latencies alone (Mei et al., paper 003, sections 3.2
 * and 4). Nothing is assumed about sizes, mapping or replacement. A set of lines fits if a whole
 * pass over it has no miss. Two lines share a set if each alone fits beside the lines that fill the
 * cache, but both together do not. */
#ifndef DEDUCE_CACHE_H
#define DEDUCE_CACHE_H

#include "studies/micro/deduce/chase.h"

enum { DEDUCE_CACHE_SHARES = 64 };
#define DEDUCE_CACHE_NO_SET UINT32_MAX

typedef enum {
  DEDUCE_CACHE_UNKNOWN, /* cannot be seen: see deduce_cache() */
  DEDUCE_CACHE_DIRECT,  /* one way, so there is nothing to choose */
  DEDUCE_CACHE_LRU,
  DEDUCE_CACHE_FIFO,
  DEDUCE_CACHE_OTHER,
} deduce_cache_policy_t;

typedef struct {
  bool found;          /* false: no misses within the limit; the rest is then unknown */
  uint32_t hit, miss;  /* cycles: the least that was seen of each */
  uint32_t threshold;  /* an access of more cycles is a miss */
  uint64_t capacity;   /* bytes: the largest footprint without misses */
  uint64_t line, fill; /* bytes: what is allocated; what one miss fetches (a sector) */
  uint64_t lines;      /* that can be held at once, as far as known */
  bool complete;       /* every line's set is known; false: budget or limit ran out */
  uint32_t sets;       /* the sets found */
  uint32_t *ways;      /* ways of each set, in the order in which the sets overflowed */
  uint32_t *set_of;    /* the set of each line from base on; DEDUCE_CACHE_NO_SET: unknown */
  uint64_t n_set_of;
  uint64_t period;       /* the sets repeat after this many lines */
  uint64_t address_bits; /* address bits that affect the set, as far as the capacity reaches */
  bool selects;          /* these bits number the sets directly: 2^bits sets */
  deduce_cache_policy_t policy;
  unsigned repeats;                  /* a set's misses repeat after this many passes; 0: never */
  unsigned n_shares;                 /* for DEDUCE_CACHE_OTHER: ways of the watched set... */
  double share[DEDUCE_CACHE_SHARES]; /* ... and how often each was replaced, largest first */
  uint64_t victims;                  /* replacements counted for `share` */
  uint64_t accesses;                 /* accesses that the deduction took */
} deduce_cache_t;

/* Deduces all of the above. `cfg->level` > 0 looks at a cache behind others: each walk then also
 * reads enough lines of other sets to keep the caches in front busy. The replacement cannot be told
 * if a line has fewer than two words (or, behind other caches, too few for the walks). Returns 0,
 * or -1 and a message in err. The caller frees *out. */
int deduce_cache(deduce_cache_t *out, const chase_cfg_t *cfg, mrpb_err_t *err);
void deduce_cache_free(deduce_cache_t *d);
/* Says in a few words why the result cannot be one whole cache; NULL if it can be. All sets have
 * equally many ways except one that may be larger; otherwise two caches were taken for one. */
const char *deduce_cache_doubt(const deduce_cache_t *d);
/* Whether two deductions found the same structure. */
bool deduce_cache_same(const deduce_cache_t *a, const deduce_cache_t *b);
const char *deduce_cache_policy_name(deduce_cache_policy_t p);

/* The share of misses in a walk of `passes` passes over the capacity and `extra` lines more (paper
 * 003, Figures 9 and 11). *missed (may be NULL) is the number of lines that missed at all. Returns
 * 0, or -1 and a message in err. */
int deduce_cache_miss_rate(const deduce_cache_t *d, const chase_cfg_t *cfg, uint64_t extra,
                           size_t passes, double *rate, uint64_t *missed, mrpb_err_t *err);

#endif
