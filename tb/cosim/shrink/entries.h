/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that name an entry which the module has given out (fill_entry_i): with a transaction less
 * the module may give other numbers to the allocations that are left. A trial follows them: what
 * was about the entry of one allocation is about the entry that the same allocation gets, and goes
 * with an allocation that is gone. */
#ifndef SHRINK_ENTRIES_H
#define SHRINK_ENTRIES_H

#include "cosim/shrink/search.h"

/* For trials made from `best`, which must live as long. 0, or -1 and a message. */
int entries_open(entries_t **out, const vectors_t *best, const sources_t *sources, mrpb_err_t *err);
void entries_close(entries_t *e);

/* Renames entries in the trial, as said above. */
void entries_follow(search_t *s);

/* Allocations in the best case. */
uint64_t entries_allocations(search_t *s);

/* The trial is the best without n allocations and all that is about their entries: from the `at`-th
 * on in the order in which their entries are done with. False without memory. */
bool entries_without(search_t *s, uint64_t at, uint64_t n);

#endif
