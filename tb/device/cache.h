/* SPDX-License-Identifier: Apache-2.0 */
/* A cache or TLB that answers at once: tags (tb/parts/tags.h), and when the data of each line are
 * there. */
#ifndef DEVICE_CACHE_H
#define DEVICE_CACHE_H

#include "err.h"
#include "parts/tags.h"

typedef struct {
  tags_t *tags;   /* NULL: there is no such cache */
  uint64_t *line; /* that each place holds or held */
  uint64_t *when; /* its data are there */
  uint8_t *dirty; /* it was written; the LRC counts here */
  uint64_t tick;  /* accesses so far: the time of the tags */
  uint32_t log2;  /* bytes of a line */
  uint32_t places;
} cache_t;

typedef struct {
  uint32_t sets, ways, extra, shift, replacement, log2; /* 0 sets: no cache */
} cache_cfg_t;

/* What an access met. */
typedef struct {
  bool hit;
  bool replaced;  /* a miss that took the place of `victim`, an address */
  bool was_dirty; /* which had been written */
  uint64_t victim;
  uint32_t place;
} cache_answer_t;

int cache_open(cache_t *c, const cache_cfg_t *cfg, mrpb_err_t *err);
void cache_close(cache_t *c);
/* Looks `addr` up; a miss takes a place. Without a cache: a miss. */
cache_answer_t cache_access(cache_t *c, uint64_t addr);
/* The same without changing anything. */
bool cache_holds(const cache_t *c, uint64_t addr);
/* `addr` is there no more. */
void cache_drop(cache_t *c, uint64_t addr);
/* Nothing is. */
void cache_empty(cache_t *c);

#endif
