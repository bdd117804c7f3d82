/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of a read-only cache: see small_cache.h. */
#include "parts/small_cache.h"

#include <stdlib.h>

#define NO_LINE UINT64_MAX

int small_cache_create(small_cache_t *l, uint32_t sets, uint32_t ways, unsigned log2,
                       mrpb_err_t *err) {
  size_t n = (size_t)sets * ways, bytes = (n * sizeof *l->line + 63) & ~(size_t)63;
  *l = (small_cache_t){aligned_alloc(64, bytes), sets, ways, (sets & (sets - 1)) == 0,
                       (uint8_t)log2};
  if (!l->line) return mrpb_fail(err, "cache: out of memory for %u x %u lines", sets, ways);
  for (size_t i = 0; i < n; i++) l->line[i] = (small_cache_line_t){NO_LINE, 0};
  return 0;
}

void small_cache_destroy(small_cache_t *l) {
  free(l->line);
}

static small_cache_line_t *set_of(small_cache_t *l, uint64_t line) {
  uint64_t set = l->two ? line & (l->sets - 1) : line % l->sets;
  return &l->line[(size_t)set * l->ways];
}

bool small_cache_find(small_cache_t *l, uint64_t addr, uint64_t now) {
  uint64_t line = addr >> l->log2;
  small_cache_line_t *way = set_of(l, line);
  for (uint32_t i = 0; i < l->ways; i++)
    if (way[i].line == line) {
      way[i].used = now;
      return true;
    }
  return false;
}

void small_cache_put(small_cache_t *l, uint64_t addr, uint64_t now) {
  uint64_t line = addr >> l->log2;
  small_cache_line_t *way = set_of(l, line), *victim = way;
  for (uint32_t i = 1; i < l->ways; i++)
    if (way[i].line == NO_LINE || (victim->line != NO_LINE && way[i].used < victim->used))
      victim = &way[i];
  *victim = (small_cache_line_t){line, now};
}
