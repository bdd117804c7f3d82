/* SPDX-License-Identifier: Apache-2.0 */
/* A cache or TLB that answers at once: tags (tb/parts/tag_array.h), and the time at which the data of
 * each line arrive. */
#ifndef PORTS_CACHE_H
#define PORTS_CACHE_H

#include "err.h"
#include "parts/tag_array.h"

enum { CACHE_RECENT = 64 };

/* The line that was accessed last in its set, and its place. */
typedef struct {
  uint64_t line; /* + 1; 0: none is known */
  uint32_t place;
} cache_recent_t;

typedef struct {
  tag_array_t *tags; /* NULL if there is no such cache */
  uint64_t *line;    /* held by each place, now or before */
  uint64_t *when;    /* the time at which its data arrive */
  uint64_t tick;     /* accesses so far: the time base of the tags */
  uint32_t log2;     /* a line has 1 << log2 bytes */
  uint32_t places;
  uint32_t shift, recents; /* recents: a power of two that divides the number of sets; 0: none */
  cache_recent_t recent[CACHE_RECENT]; /* by the lowest bits of the set */
} cache_t;

typedef struct {
  uint32_t sets, ways, extra, shift, replacement, log2; /* 0 sets: no cache */
} cache_cfg_t;

/* The result of an access. */
typedef struct {
  bool hit;
  bool replaced; /* a miss that replaced `victim`, an address */
  uint64_t victim;
  uint32_t place;
} cache_answer_t;

int cache_open(cache_t *c, const cache_cfg_t *cfg, mrpb_err_t *err);
void cache_close(cache_t *c);
/* Looks up `addr`; a miss allocates a place. Without a cache every access misses. */
cache_answer_t cache_access(cache_t *c, uint64_t addr);
/* The same without changing anything. */
bool cache_holds(const cache_t *c, uint64_t addr);
/* Removes the line of `addr`. */
void cache_drop(cache_t *c, uint64_t addr);
/* Removes all lines. */
void cache_empty(cache_t *c);

#endif
