/* SPDX-License-Identifier: Apache-2.0 */
/* Tag array of a cache or a TLB: sets x ways of lines or pages; one set may be larger than the
 * others. Probe, reserve, fill and evict behave as in the reference. Replacement is LRU, first in
 * first out, or the unequal choice of ways measured on Fermi (paper 003, section 4.2). Sets of up
 * to 16 ways are scanned. Wider ones, up to a fully associative cache, have a hash index and a list
 * in the order of use, and give the same answers. The tag array of hardware is cmodel/tags.c;
 * docs/modules/tags.md says why there are two. */
#ifndef TAG_ARRAY_H
#define TAG_ARRAY_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { TAGS_HIT, TAGS_HIT_RESERVED, TAGS_MISS, TAGS_ALL_RESERVED } tag_array_status_t;

/* In the order of the words of L1D_REPLACEMENT. */
enum { TAGS_LRU, TAGS_FIFO, TAGS_FERMI };
enum { TAGS_AUTO, TAGS_SCAN, TAGS_INDEX };
/* REFERENCE: for 32 or 64 sets, as in GPGPU-Sim from July 2014 on. XOR: for a power of two of sets;
 * XORs all TAGS_LINE_BITS bits of the line's address, in groups as wide as a set number. Bits above
 * TAGS_LINE_BITS distinguish lines that have the same address. HOPPER: for 4 sets, as measured on
 * an H100 (docs/atlas). */
enum { TAGS_MODULO, TAGS_REFERENCE, TAGS_XOR, TAGS_HOPPER };
enum { TAGS_HOPPER_SETS = 4 };
enum { TAGS_LINE_BITS = 40 };

typedef struct {
  uint32_t sets, ways; /* at least 1; sets * ways + extra below 2^31 */
  uint32_t replacement;
  uint32_t shift; /* set = (line >> shift) mod sets; 0 to 63 */
  /* Ways that set 0 has beyond `ways`, as in the L2 TLB of Fermi and Kepler (paper 003, figure 10).
   * As many successive lines as there are entries fill all sets; each further line goes to another
   * set, the large one first. */
  uint32_t extra;
  uint32_t kept;   /* valid lines that replacement leaves in a set; not with extra ways */
  uint32_t hash;   /* TAGS_MODULO, or a set number by XOR; the latter excludes shift and extra */
  uint32_t lookup; /* TAGS_AUTO except in tests; TAGS_FERMI and unequal sets are always scanned */
  struct pool **
      pool; /* base/pool.h: the memory for it, which is freed with that pool; NULL: it has its own */
} tag_array_cfg_t;

typedef struct tag_array tag_array_t;

/* Returns 0, or -1 and a message if out of memory, for a hash with a shift or with extra ways, or
 * for HOPPER with other than 4 sets; *out is then NULL. */
int tag_array_create(tag_array_t **out, const tag_array_cfg_t *cfg, mrpb_err_t *err);
void tag_array_destroy(tag_array_t *t);
/* All lines become invalid, as at creation. */
void tag_array_clear(tag_array_t *t);

/* The set of `line` in an array of equal sets. */
uint32_t tag_array_set(const tag_array_cfg_t *cfg, uint64_t line);

/* Looks up `line` (an address divided by the size of a line or page). *index is the line found or,
 * for a miss, the victim: an invalid way (the highest) if there is one, otherwise the valid way
 * that the replacement policy chooses. Changes nothing. */
tag_array_status_t tag_array_probe(const tag_array_t *t, uint64_t line, uint32_t *index);

/* An accepted read at time `now` (which never decreases) found line `index`. */
void tag_array_touch(tag_array_t *t, uint32_t index, uint64_t now);
/* An accepted read missed: the victim `index` of the probe is reserved for `line`, requested by
 * `owner`. */
void tag_array_reserve(tag_array_t *t, uint32_t index, uint64_t line, uint64_t now, uint32_t owner);

/* tag_array_fill: the data of line `index` have arrived. tag_array_evict: a write evicts the line. */
void tag_array_fill(tag_array_t *t, uint32_t index);
void tag_array_evict(tag_array_t *t, uint32_t index);

/* Gives the owner that brought line `index` in; false if the line is invalid. */
bool tag_array_owner(const tag_array_t *t, uint32_t index, uint32_t *owner);

/* Number of lines reserved now. */
uint32_t tag_array_reserved(const tag_array_t *t);

#endif
