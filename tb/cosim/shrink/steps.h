/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a search, each of which tries to make the best case smaller (docs/verify/replay.md).
 */
#ifndef SHRINK_STEPS_H
#define SHRINK_STEPS_H

#include "cosim/shrink/search.h"

/* A transaction, or (source 0) an idle cycle. */
typedef struct {
  uint64_t cycle;
  uint32_t source; /* mask of one source */
} item_t;

typedef struct {
  item_t *items; /* with room for all of the best case */
  uint64_t n;
} items_t;

/* Lists the transactions of the sources of `mask` in the best case; mask 0: its idle cycles. */
void drop_items(const search_t *s, uint32_t mask, items_t *items);

/* ENTRIES are transactions as well; without them, the others follow the entries that they are about
 * (shrink/entries.h). */
typedef enum { ACTIVITY, ENTRIES, GAPS } drop_t;

/* All, halves, quarters ... and single ones; the oldest first. */
void shrink_drop(search_t *s, drop_t kind, items_t *items);

/* All idle cycles at once. */
void drop_gaps_at_once(search_t *s, items_t *items);

/* All but those whose input of a kind (a queue, a warp) has one value; all of those. */
void drop_by_value(search_t *s);

/* Entries: runs of allocations with all that is about them. */
void drop_entries(search_t *s, items_t *items);

/* A run of one source's transactions together with as many of others, of all lengths. */
void drop_matched(search_t *s, items_t *items);

/* Any two, and, where few are left, any three; neighbours first. */
void drop_pairs(search_t *s, items_t *items);

/* Inputs of the same name after the source's own mean the same: enq_queue_i and deq_queue_i. The
 * words of the inputs to be changed together: `port` alone, or all of its kind. */
typedef struct {
  unsigned n, words[MODULE_MAX_PORTS], sources[MODULE_MAX_PORTS];
} kin_t;
void fields_kin(const search_t *s, unsigned port, bool all, kin_t *kin);

/* Whether the values of an input may be lowered. A strobe stays: without it the transaction would
 * read as none. */
bool fields_has(const search_t *s, unsigned port);

/* Lower values: of all inputs of a kind together, of equal values together, of each alone. */
void fields_lower_together(search_t *s);
void fields_lower(search_t *s);

#endif
