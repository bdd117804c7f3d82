/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which lines share a set. A part of deduce_cache. */
#ifndef MICRO_CACHE_MAP_H
#define MICRO_CACHE_MAP_H

#include "studies/micro/deduce/cache.h"

/* A list of units (lines, sectors or pages, by number). */
typedef struct {
  uint64_t *v;
  size_t n, room;
} units_t;

int cache_map_units_add(units_t *u, uint64_t v, mrpb_err_t *err);
int cache_map_units_all(units_t *to, const units_t *from, mrpb_err_t *err);
bool cache_map_units_has(const units_t *u, uint64_t v);

/* `pool` fits. Returns 1 if it no longer fits with unit `x` added; *m becomes the lines of x's set,
 * x last. Returns 0 if it still fits, -1 on an error. `d` (may be NULL) has the sets known so far:
 * returns 2 and the set in *known if x belongs to one of them. */
int cache_conflict(chase_t *c, const units_t *pool, const deduce_cache_t *d, uint64_t x, units_t *m,
                   uint32_t *known);

/* Whether the units `m` of one set fit: 1, 0, or -1 on an error. Walks behind other caches also
 * read lines of `pool`. */
int cache_set_fits(chase_t *c, const units_t *pool, const units_t *m);
/* Appends up to c->upper units of `pool` that are not in `m`. Returns 0, or -1 on an error. */
int cache_ballast(const chase_t *c, const units_t *pool, const units_t *m, units_t *to);

/* Takes the first n lines of set `set`, or all if it has fewer. Returns 0, or -1 and a message in
 * err. */
int cache_lines_of(const deduce_cache_t *d, uint32_t set, uint64_t n, units_t *to, mrpb_err_t *err);

/* Fills in the sets; capacity and line are known. Returns 0, or -1 on an error. */
int cache_map(deduce_cache_t *out, chase_t *c);
/* Fills in the period and the bits of the address. */
void cache_mapping(deduce_cache_t *out, uint64_t base);

/* Watches which line the full set `set` replaces (cache_policy.c). Returns 0, or -1 on an error. */
int cache_policy(deduce_cache_t *out, chase_t *c, uint32_t set);

#endif
