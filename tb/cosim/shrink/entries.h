/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that name an entry which the module has given out (fill_entry_i). After a transaction is
 * removed, the module may give other numbers to the remaining allocations. A trial follows them: a
 * transaction about the entry of one allocation is redirected to the entry that this allocation
 * gets now, and is removed together with its allocation. */
#ifndef SHRINK_ENTRIES_H
#define SHRINK_ENTRIES_H

#include "cosim/shrink/search.h"

/* Opens it for trials made from `best`, which must outlive it. Returns 0, or -1 and a message in
 * err. */
int entries_open(entries_t **out, const vectors_t *best, const sources_t *sources, mrpb_err_t *err);
void entries_close(entries_t *e);

/* Renames entries in the trial, as described above. */
void entries_follow(search_t *s);

/* The number of allocations in the best case. */
uint64_t entries_allocations(search_t *s);

/* Makes the trial from the best case, without n allocations and all transactions about their
 * entries: from the `at`-th on, in the order in which their entries are last used. Returns false if
 * out of memory. */
bool entries_without(search_t *s, uint64_t at, uint64_t n);

#endif
