/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one path of a symbolic execution: numbered objects of bytes of eight literals each.
 *
 * An address is a 64-bit integer, its upper half says which object. Copies share pages until one of
 * them is written. Objects are numbered by the whole execution, so that the memories of two paths
 * can be merged where the paths join. */
#ifndef PROVE_MEM_H
#define PROVE_MEM_H

#include "verify/prove/bv.h"

typedef struct mem mem_t;

mem_t *mem_open(void);
mem_t *mem_share(mem_t *m);
void mem_close(mem_t *m);

/* Adds object `id` (new in every memory): all zeros, or new variables that count as not set. */
typedef enum { MEM_ZERO, MEM_UNKNOWN } mem_fill_t;
void mem_add(bv_ctx_t *x, mem_t **m, uint32_t id, uint32_t size, mem_fill_t fill);

/* From here on nothing may be stored in it; nothing may look at it either. */
void mem_protect(mem_t **m, uint32_t id);
void mem_kill(mem_t **m, uint32_t id);
/* Lives again, as it was when it was new; and is forgotten (no path knows of it any more). */
void mem_revive(bv_ctx_t *x, mem_t **m, uint32_t id);
void mem_forget(mem_t **m, uint32_t id);
bool mem_is_protected(const mem_t *m, uint32_t id);

/* Odd numbers, so that an address just below an object belongs to none; 0 is nobody's. */
static inline uint64_t mem_address(uint32_t id) {
  return (2 * (uint64_t)id + 3) << 32;
}
/* The object of an address, UINT32_MAX if there is none there. */
static inline uint32_t mem_object(uint64_t address) {
  uint64_t hi = address >> 32;
  return hi >= 3 && hi % 2 == 1 ? (uint32_t)((hi - 3) / 2) : UINT32_MAX;
}
/* Bytes of an object, 0 if this memory lacks it or it is dead; and how many numbers there are. */
uint32_t mem_size(const mem_t *m, uint32_t id);
uint32_t mem_objects(const mem_t *m);

/* A pointer is base + v; a constant one has all of it in `base`. One that indexes an array must
 * stay in it: in bytes lo .. hi - 1 of its object (hi 0: no such bounds). Bits that are true in
 * `unset` were never given a value: `v` has a new variable there (no bits: all were). */
typedef struct {
  bv_t v;
  uint64_t base;
  uint32_t lo, hi;
  bv_t unset;
} val_t;

/* `n` bytes at `at`; `legal` gets the condition under which they all lie in one object (or
 * in the bounds), which may be written if they are stored. What is stored has no base. */
val_t mem_load(bv_ctx_t *x, const mem_t *m, val_t at, uint32_t n, lit_t *legal);
lit_t mem_store(bv_ctx_t *x, mem_t **m, val_t at, val_t value);

/* The literals of one byte, by object and offset, for those who know where things are; which of
 * them are not set; and to set it. */
const lit_t *mem_byte(const mem_t *m, uint32_t id, uint32_t offset);
const lit_t *mem_unset(const mem_t *m, uint32_t id, uint32_t offset);
lit_t *mem_set_byte(mem_t **m, uint32_t id, uint32_t offset);

/* Whether both share all there is to know of an object. */
bool mem_same(const mem_t *a, const mem_t *b, uint32_t id);

/* What `a` holds where `choice` is true, else what `b` holds. Takes both. */
mem_t *mem_merge(bv_ctx_t *x, lit_t choice, mem_t *a, mem_t *b);

#endif
