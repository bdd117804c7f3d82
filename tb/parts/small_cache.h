/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of a read-only cache: sets x ways of lines that are either valid or not, with LRU
 * replacement. */
#ifndef SMALL_CACHE_H
#define SMALL_CACHE_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t line; /* line number; UINT64_MAX if invalid */
  uint64_t used; /* cycle of the last use */
} small_cache_line_t;

typedef struct {
  small_cache_line_t *line; /* the ways of set 0, then those of set 1, ... */
  uint32_t sets, ways;
  bool two; /* sets is a power of two */
  uint8_t log2;
} small_cache_t;

/* Lines are 1 << `log2` bytes; sets and ways are at least 1. Set = line number mod sets. */
int small_cache_create(small_cache_t *l, uint32_t sets, uint32_t ways, unsigned log2,
                       mrpb_err_t *err);
void small_cache_destroy(small_cache_t *l);

/* Returns true if the line of `addr` is cached; it then counts as used at `now`. */
bool small_cache_find(small_cache_t *l, uint64_t addr, uint64_t now);

/* Puts the line of `addr` into an invalid way (the highest), or replaces the least recently used
 * line. */
void small_cache_put(small_cache_t *l, uint64_t addr, uint64_t now);

#endif
