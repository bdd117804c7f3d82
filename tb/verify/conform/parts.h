/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the checker, internal to tb/verify/conform. */
#ifndef CONFORM_PARTS_H
#define CONFORM_PARTS_H

#include "verify/conform/model.h"

/* Records the first clause that breaks, unless the design does not promise it. */
void conform_broke(conform_model_t *m, unsigned clause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The event of a read. Before the cycle's answers, the newest entry of its line had `had` reads and
 * the table `reads`. `now`: the read is answered in this cycle, and takes no slot. */
void conform_read(conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                  unsigned had, uint32_t reads, bool now);

/* ---- undecided reads: docs/conform/README.md, "The abstract model" ----
 * Without read_merge_o, a read of a line that has arrived is put into a new entry and counted in
 * its `maybe`: it may instead belong to the line's entry before it. That older entry stays open
 * while there is such a read, even if it is empty. */

/* Whether all reads of the entry are undecided, so that it may not exist. */
bool conform_undecided(const conform_entry_t *e);
/* The line's entry before this one, or NULL if there is none. */
conform_entry_t *conform_undecided_before(conform_model_t *m, const conform_entry_t *e);
/* Whether entry i, which has no reads, may hold a read that is now in the line's next entry. */
bool conform_undecided_keeps(const conform_model_t *m, unsigned i);
/* The number of entries in use in the set of `addr`. With `most`: the most there may be, before
 * this cycle's answers; else the fewest, after them. */
unsigned conform_undecided_used(const conform_model_t *m, uint64_t addr, bool most);

/* The entry that the accepted read joins, or NULL for a new one. *maybe: the read may belong to the
 * line's entry before that one instead. */
conform_entry_t *conform_undecided_read(conform_model_t *m, const conform_in_t *in,
                                        const conform_out_t *out, bool *maybe);
/* The read at `place` is answered. Returns true if the read is now in the entry before; entries may
 * have moved. */
bool conform_undecided_answer(conform_model_t *m, conform_entry_t *e, unsigned place);
/* A read of the entry's line has left. */
void conform_undecided_left(conform_model_t *m, conform_entry_t *e);
/* The entry's line is requested. */
void conform_undecided_asked(conform_model_t *m, conform_entry_t *e);
/* Decides the undecided reads behind empty entries that have waited longer than patience. */
void conform_undecided_wait(conform_model_t *m);

#endif
