/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a search. Each one tries to make the best case smaller (docs/verify/replay.md). */
#ifndef SHRINK_STEPS_H
#define SHRINK_STEPS_H

#include "cosim/shrink/search.h"

/* A transaction, or an idle cycle (source 0). */
typedef struct {
  uint64_t cycle;
  uint32_t source; /* mask of one source */
} item_t;

typedef struct {
  item_t *items; /* with room for all items of the best case */
  uint64_t n;
} items_t;

/* ACTIVITY and ENTRIES both remove transactions. With ENTRIES the remaining ones follow the entries
 * that they are about (shrink/entries.h). */
typedef enum { ACTIVITY, ENTRIES, GAPS } drop_t;

/* Tries without all items, then halves, quarters ... and single items; the oldest first. */
void shrink_drop(search_t *s, drop_t kind, items_t *items);

/* Keeps only the transactions whose input of a kind (a queue, a warp) has one value, or removes all
 * of those. */
void drop_by_value(search_t *s);

/* Removes runs of allocations with all transactions about them. */
void drop_entries(search_t *s, items_t *items);

/* Removes a run of one source's transactions together with as many of other sources, at all
 * lengths. */
void drop_matched(search_t *s, items_t *items);

/* Removes any two transactions and, where few are left, any three; neighbours first. */
void drop_pairs(search_t *s, items_t *items);

/* Inputs whose names agree after the source's part mean the same: enq_queue_i and deq_queue_i. The
 * words of the inputs that change together: `port` alone, or all inputs of its kind. */
typedef struct {
  unsigned n, words[MODULE_MAX_PORTS], sources[MODULE_MAX_PORTS];
} kin_t;
void fields_kin(const search_t *s, unsigned port, bool all, kin_t *kin);

/* Whether an input's values may be lowered. A strobe may not, because the transaction would no
 * longer count as one. */
bool fields_has(const search_t *s, unsigned port);

/* Lowers values: of all inputs of a kind together, of equal values together, and of each value
 * alone. */
void fields_lower_together(search_t *s);
void fields_lower(search_t *s);

#endif
