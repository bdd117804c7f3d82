/* Tag array of the L1D: sets x ways of 128 B lines, LRU, allocate on miss. Probe, access,
 * fill and evict exactly as the reference does; set = line address mod sets. Twin: none. */
#ifndef TAGS_H
#define TAGS_H

#include "err.h"

#include <stdint.h>

typedef enum { TAGS_HIT, TAGS_HIT_RESERVED, TAGS_MISS, TAGS_ALL_RESERVED } tags_status_t;

typedef struct tags tags_t;

/* sets and ways at least 1. */
int tags_create(tags_t **out, uint32_t sets, uint32_t ways, mrpb_err_t *err);
void tags_destroy(tags_t *t);

/* Looks `line` (byte address / 128) up; *index is the line found, or the victim of a miss: an
 * invalid way (the highest) if there is one, else the valid way accessed longest ago. Changes
 * nothing. */
tags_status_t tags_probe(const tags_t *t, uint64_t line, uint32_t *index);

/* An accepted read at time `now`: a hit or pending hit moves to the front, a miss reserves the
 * victim. */
tags_status_t tags_access(tags_t *t, uint64_t line, uint64_t now, uint32_t *index);

/* The data of line `index` has come; a write evicts it. */
void tags_fill(tags_t *t, uint32_t index);
void tags_evict(tags_t *t, uint32_t index);

/* Lines reserved now. */
uint32_t tags_reserved(const tags_t *t);

#endif
