/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one path of a symbolic execution: numbered objects whose bytes are eight literals each.
 *
 * An address is a 64-bit integer whose upper half selects the object. Copies share pages until one
 * of them is written. Object numbers are common to the whole execution, so that the memories of two
 * paths can be merged where the paths join. */
#ifndef PROVE_MEM_H
#define PROVE_MEM_H

#include "verify/prove/bv.h"

typedef struct mem mem_t;

mem_t *mem_open(void);
mem_t *mem_share(mem_t *m);
void mem_close(mem_t *m);

/* mem_add adds object `id` (new in every memory): all zeros, or new variables that count as not
 * set. */
typedef enum { MEM_ZERO, MEM_UNKNOWN } mem_fill_t;
void mem_add(bv_ctx_t *x, mem_t **m, uint32_t id, uint32_t size, mem_fill_t fill);

/* mem_protect: from now on no store to the object is legal. mem_kill: no load is legal either. */
void mem_protect(mem_t **m, uint32_t id);
void mem_kill(mem_t **m, uint32_t id);
/* mem_revive: the object lives again, in its initial state. mem_forget: it is forgotten (no path
 * knows of it any more). */
void mem_revive(bv_ctx_t *x, mem_t **m, uint32_t id);
void mem_forget(mem_t **m, uint32_t id);
bool mem_is_protected(const mem_t *m, uint32_t id);

/* Odd numbers, so that an address just below an object belongs to no object; 0 belongs to none. */
static inline uint64_t mem_address(uint32_t id) {
  return (2 * (uint64_t)id + 3) << 32;
}
/* The object of an address, UINT32_MAX if there is none. */
static inline uint32_t mem_object(uint64_t address) {
  uint64_t hi = address >> 32;
  return hi >= 3 && hi % 2 == 1 ? (uint32_t)((hi - 3) / 2) : UINT32_MAX;
}
/* mem_size: bytes of an object, 0 if this memory lacks it or it is dead. mem_objects: how many
 * numbers there are. */
uint32_t mem_size(const mem_t *m, uint32_t id);
uint32_t mem_objects(const mem_t *m);

/* A pointer is base + v; a constant one has all of it in `base`. A pointer that indexes an array
 * must stay in the array: bytes lo .. hi - 1 of its object (hi 0: no such bounds). Bits that are
 * true in `unset` were never given a value: `v` has a new variable there (no bits: all were
 * set). */
typedef struct {
  bv_t v;
  uint64_t base;
  uint32_t lo, hi;
  bv_t unset;
} val_t;

/* Loads or stores `n` bytes at `at`. The condition `legal` (returned by mem_store) is that all
 * bytes lie in one object, or in the bounds, and for a store that they may be written. A stored
 * value has no base. */
val_t mem_load(bv_ctx_t *x, const mem_t *m, val_t at, uint32_t n, lit_t *legal);
lit_t mem_store(bv_ctx_t *x, mem_t **m, val_t at, val_t value);

/* One byte, by object and offset, for callers that know the location. mem_byte: its literals;
 * mem_unset: which of them are not set; mem_set_byte: for setting it. */
const lit_t *mem_byte(const mem_t *m, uint32_t id, uint32_t offset);
const lit_t *mem_unset(const mem_t *m, uint32_t id, uint32_t offset);
lit_t *mem_set_byte(mem_t **m, uint32_t id, uint32_t offset);

/* True if both share everything about an object. */
bool mem_same(const mem_t *a, const mem_t *b, uint32_t id);

/* The contents of `a` where `choice` is true, else those of `b`. Consumes both. */
mem_t *mem_merge(bv_ctx_t *x, lit_t choice, mem_t *a, mem_t *b);

#endif
