/* SPDX-License-Identifier: Apache-2.0 */
/* Tag array of a cache or a TLB: sets x ways of lines or pages, one set possibly larger than the
 * others. Probe, reserve, fill and evict as the reference does; LRU, first in first out, or the
 * unequal way choice measured on Fermi (paper 003, section 4.2). Sets of up to 16 ways are scanned;
 * wider ones, up to a fully associative cache, have a hash index and a list in the order of use,
 * with the same answers. Twin: none. */
#ifndef TAGS_H
#define TAGS_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { TAGS_HIT, TAGS_HIT_RESERVED, TAGS_MISS, TAGS_ALL_RESERVED } tags_status_t;

/* In the order of the words of L1D_REPLACEMENT. */
enum { TAGS_LRU, TAGS_FIFO, TAGS_FERMI };
enum { TAGS_AUTO, TAGS_SCAN, TAGS_INDEX };
/* REFERENCE: of 32 or 64 sets, as GPGPU-Sim from July 2014 on. XOR: of a power of two of them, all
 * TAGS_LINE_BITS bits of the line's address, as many at a time as number the sets; bits above tell
 * apart what has one address. HOPPER: of 4 sets, as measured on an H100 (docs/atlas). */
enum { TAGS_MODULO, TAGS_REFERENCE, TAGS_XOR, TAGS_HOPPER };
enum { TAGS_HOPPER_SETS = 4 };
enum { TAGS_LINE_BITS = 40 };

typedef struct {
  uint32_t sets, ways; /* at least 1; sets * ways + extra below 2^31 */
  uint32_t replacement;
  uint32_t shift; /* set = (line >> shift) mod sets; 0 to 63 */
  /* Ways that set 0 has beyond `ways`, as of the L2 TLB of Fermi and Kepler (paper 003, figure 10).
   * As many successive lines as there are entries fill all sets; each line beyond goes to another
   * set, the large one first. */
  uint32_t extra;
  uint32_t kept;   /* valid lines of a set that replacement leaves there; without extra ways */
  uint32_t hash;   /* TAGS_MODULO, or a set number by XOR; without shift and extra then */
  uint32_t lookup; /* TAGS_AUTO but in tests; TAGS_FERMI and unequal sets are always scanned */
} tags_cfg_t;

typedef struct tags tags_t;

/* -1 and a message for lack of memory, a hash with a shift or with extra ways, or HOPPER with
 * other than 4 sets: *out is NULL then. */
int tags_create(tags_t **out, const tags_cfg_t *cfg, mrpb_err_t *err);
void tags_destroy(tags_t *t);

/* The set of `line` in such an array, of equal sets. */
uint32_t tags_set(const tags_cfg_t *cfg, uint64_t line);

/* Looks `line` (an address over the size of a line or page) up; *index is the line found, or the
 * victim of a miss: an invalid way (the highest) if there is one, else what the replacement chooses
 * among the valid ways. Changes nothing. */
tags_status_t tags_probe(const tags_t *t, uint64_t line, uint32_t *index);

/* An accepted read at time `now` (which does not go back) found line `index`. */
void tags_touch(tags_t *t, uint32_t index, uint64_t now);
/* An accepted read missed: the victim `index` of the probe is reserved for `line`, brought in by
 * `owner`. */
void tags_reserve(tags_t *t, uint32_t index, uint64_t line, uint64_t now, uint32_t owner);

/* The data of line `index` has come; a write evicts it. */
void tags_fill(tags_t *t, uint32_t index);
void tags_evict(tags_t *t, uint32_t index);

/* Who brought line `index` in; false if it is invalid. */
bool tags_owner(const tags_t *t, uint32_t index, uint32_t *owner);

/* Lines reserved now. */
uint32_t tags_reserved(const tags_t *t);

#endif
