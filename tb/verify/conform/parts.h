/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the checker; internal to tb/verify/conform. */
#ifndef CONFORM_PARTS_H
#define CONFORM_PARTS_H

#include "verify/conform/model.h"

/* The first clause that breaks, unless it is not promised. */
void conform_broke(conform_model_t *m, unsigned clause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The event of a read. Before the cycle's answers its line's newest entry had `had` reads, the table `reads`; `now`: it
 * is answered in this cycle, and takes no place. */
void conform_read(conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                  unsigned had, uint32_t reads, bool now);

/* ---- undecided reads: docs/conform/README.md ----
 * Without read_merge_o a read of a line that has arrived stands in a new entry, as one that `maybe` belongs to the
 * line's entry before it. That entry stays open as long as there is such a read, if empty. */

/* Whether nothing says that the entry exists. */
bool conform_undecided(const conform_entry_t *e);
/* The line's entry before this one; NULL: there is none. */
conform_entry_t *conform_undecided_before(conform_model_t *m, const conform_entry_t *e);
/* Whether entry i, which has no reads, may have one that stands in the next. */
bool conform_undecided_keeps(const conform_model_t *m, unsigned i);
/* Entries in use of the set of `addr`: `most`: at most, before this cycle's answers; else at least, after them. */
unsigned conform_undecided_used(const conform_model_t *m, uint64_t addr, bool most);

/* The entry that the accepted read joins, *maybe: or perhaps the one before it. NULL: a new one; *maybe as before. */
conform_entry_t *conform_undecided_read(conform_model_t *m, const conform_in_t *in,
                                        const conform_out_t *out, bool *maybe);
/* The read at `place` is answered. True: it stands in the entry before now; entries may have moved. */
bool conform_undecided_answer(conform_model_t *m, conform_entry_t *e, unsigned place);
/* A read of its line has left. */
void conform_undecided_left(conform_model_t *m, conform_entry_t *e);
/* Its line is asked for. */
void conform_undecided_asked(conform_model_t *m, conform_entry_t *e);
/* Patience is over for entries that are empty. */
void conform_undecided_wait(conform_model_t *m);

#endif
