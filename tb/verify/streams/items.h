/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the items of one stream of two sides, in order or by tag, and says what is wrong with
 * the first one that differs. Side 0 is the reference. docs/verify/streams.md */
#ifndef STREAMS_ITEMS_H
#define STREAMS_ITEMS_H

#include "verify/streams/spec.h"

enum { ITEMS_AFTER = 40 }; /* items after a wrong one that tell what happened */

typedef struct {
  uint64_t n, cycle;
  uint64_t ready;            /* cycles in which the other side's consumer had been ready by then */
  uint64_t w[STREAMS_WORDS]; /* the tag, then the payload */
} items_item_t;

/* A first-in first-out list that grows. */
typedef struct {
  items_item_t *item;
  size_t first, n, room;
} items_list_t;

typedef enum {
  ITEMS_GOOD,
  ITEMS_PAYLOAD,
  ITEMS_LOST,
  ITEMS_DOUBLED,
  ITEMS_ORDER,
  ITEMS_MADE_UP,
  ITEMS_LATE
} items_kind_t;
const char *items_kind(items_kind_t kind);

/* Differences of latency: the least, the sum, the most, of `n`. */
typedef struct {
  uint64_t n;
  int64_t least, most, sum;
} items_range_t;
void items_range_add(items_range_t *r, int64_t value);

typedef struct {
  const streams_spec_t *spec; /* of the reference */
  unsigned words;
  uint64_t patience;
  uint64_t seen[2], ready[2]; /* items; cycles with a ready consumer */
  uint64_t moved[2];          /* of these, when the last item passed */
  items_list_t ahead[2];      /* not yet met by the other side */
  items_list_t past[2];       /* the last that passed */
  uint64_t compared;
  items_range_t later; /* cycles that side 1 is later */
  /* The first mismatch. */
  bool broken, out_of_memory;
  bool complete;     /* no item follows those of `tail` */
  items_kind_t kind; /* GOOD: items_judge finds out */
  unsigned side;     /* that sent what is wrong, or did not send it */
  bool has_expected, has_came, unasked;
  items_item_t expected, came, twin; /* twin: the earlier item that a doubled one equals */
  items_list_t tail[2];
} items_t;

void items_open(items_t *m, const streams_spec_t *spec, uint64_t patience);
void items_close(items_t *m);
/* Forgets what is on its way; counts and ranges stay. */
void items_reset(items_t *m);

/* An item left `side`; `w` has its tag and payload. */
void items_item(items_t *m, unsigned side, uint64_t cycle, const uint64_t *w);
/* An item left that nobody awaited. */
void items_unasked(items_t *m, unsigned side, uint64_t cycle, const uint64_t *w);
/* Call it at the end of each cycle: has anything been awaited for too long? */
void items_wait(items_t *m);
/* Nothing more will come: what only one side has sent is a mismatch. */
void items_end(items_t *m);
/* Whether enough items are known to judge a mismatch. */
bool items_known(const items_t *m);
/* Says what the mismatch is. */
void items_judge(items_t *m);

/* Lists. items_list_push returns false if out of memory. */
bool items_list_push(items_list_t *l, const items_item_t *item);
const items_item_t *items_list_at(const items_list_t *l, size_t i);
void items_list_pop(items_list_t *l);
void items_list_remove(items_list_t *l, size_t i);
void items_list_close(items_list_t *l);

#endif
