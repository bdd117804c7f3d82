/* SPDX-License-Identifier: Apache-2.0 */
/* State of a tag array, shared only by tag_array.c and tag_array_index.c. */
#ifndef TAG_ARRAY_STATE_H
#define TAG_ARRAY_STATE_H

#include "parts/tag_array.h"

enum { LINE_INVALID, LINE_RESERVED, LINE_VALID, STATE_W = 2 };

/* 16 bytes, so that four ways fill one cache line of the host. */
typedef struct {
  uint64_t
      word; /* line address << STATE_W | state; the address of an invalid line is never looked at */
  uint64_t used; /* LRU: time of the last access or allocation; FIFO: of the allocation */
} tag_t;

static inline unsigned tag_state(const tag_t *t) {
  return t->word & 3;
}
static inline uint64_t tag_line(const tag_t *t) {
  return t->word >> STATE_W;
}
static inline void tag_set_state(tag_t *t, unsigned state) {
  t->word = (t->word & ~UINT64_C(3)) | state;
}

/* Links and heads are line numbers + 1, and 0 means none, so zeroed memory is an empty cache and
 * unused memory is never touched. */
typedef struct {
  uint32_t newer, older; /* by time of use, then by way; includes reserved lines */
  uint32_t chain;        /* next line of the same bucket */
} link_t;

typedef struct {
  uint32_t oldest, newest;
  uint32_t taken, reserved; /* ways that are not invalid; how many of them are reserved */
} order_t;

typedef struct {
  link_t *link; /* for each line */
  order_t *set;
  uint32_t *bucket;     /* first line of each hash value */
  unsigned shift;       /* a hash value is the top 64 - shift bits of a product */
  uint32_t words, sums; /* words per set in the two arrays below */
  uint64_t *taken;      /* bit: the way is not invalid */
  uint64_t *full;       /* bit: the word of `taken` is all ones */
} tag_array_index_t;

/* TAGS_FERMI: the turn of a set. */
typedef struct {
  uint32_t other;   /* the next of the ways that are replaced in turn */
  bool others_turn; /* true: one of those is next; false: the way replaced most often */
} fermi_t;

enum { TAGS_RECENT = 16 };

struct tag_array {
  tag_array_cfg_t cfg;
  uint32_t mask;            /* sets - 1 if sets is a power of two, otherwise 0 */
  fermi_t *fermi;           /* by set; NULL for another replacement policy */
  tag_array_index_t *index; /* NULL: the ways are scanned */
  uint32_t *owner;          /* owner that brought in each line */
  uint32_t reserved;
  uint32_t
      recent[TAGS_RECENT]; /* by the line's lowest bits: a way in which such a line was found */
  void *memory;
  tag_t *tag; /* points into `memory`, aligned to a cache line */
};

/* tag_array.c: zeroed memory, from the pool if there is one; NULL if out of memory. tag_array_drop
 * gives it back. */
void *tag_array_take(const tag_array_cfg_t *cfg, size_t bytes);
void tag_array_drop(const tag_array_cfg_t *cfg, void *memory);

int tag_array_index_create(tag_array_t *t, mrpb_err_t *err);
void tag_array_index_destroy(tag_array_t *t);
void tag_array_index_clear(tag_array_t *t);
tag_array_status_t tag_array_index_probe(const tag_array_t *t, uint32_t set, uint64_t line,
                                         uint32_t *index);
/* Number of lines of `set` whose data have arrived. */
uint32_t tag_array_index_valid(const tag_array_t *t, uint32_t set);
/* Call these around a change of a line: tag_array_index_leave removes it with its old state,
 * tag_array_index_enter adds it with its new one (not if the line is then invalid). */
void tag_array_index_leave(tag_array_t *t, uint32_t index);
void tag_array_index_enter(tag_array_t *t, uint32_t index);
/* The line's time of use has changed. */
void tag_array_index_move(tag_array_t *t, uint32_t index);
/* A reserved line of the index has become valid. */
void tag_array_index_fill(tag_array_t *t, uint32_t index);

#endif
