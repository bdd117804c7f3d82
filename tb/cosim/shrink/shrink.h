/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the shortest stimulus that still shows a difference between the C model and the Verilog
 * (docs/verify/replay.md). The result depends on the stimulus and the Verilog only, unless the time
 * limit ends the search. */
#ifndef COSIM_SHRINK_H
#define COSIM_SHRINK_H

#include "cosim/vectors/play.h"
#include "cosim/vectors/vectors.h"

/* The time limit of the search, in milliseconds of processor time. */
#define SHRINK_BUDGET UINT64_C(60000)

typedef struct {
  uint64_t tried;         /* candidates played */
  uint64_t cycles_before; /* up to the failing one */
  uint64_t transactions_before;
  uint64_t transactions; /* left */
  bool bounded;          /* the time limit (or `stop`) ended the search: a shorter case may exist */
  bool interrupted;      /* `stop` ended the search */
  play_t play;           /* where the shrunk case differs */
} shrink_t;

/* Shrinks `v`, which should differ on a fresh instance, and cuts it after the differing cycle. The
 * search for a first case that differs has no time limit; the search after it ends within `budget`
 * milliseconds. `stop` (may be NULL) is polled; true ends the search with the best case so far.
 * Returns 0, 1 if `v` does not differ (it is left unchanged), or -1 and a message in err. */
int shrink(vectors_t *v, const rtl_lib_t *lib, uint64_t budget, bool (*stop)(void),
           shrink_t *result, mrpb_err_t *err);

/* Counts the transactions in `v`. The reset at the beginning is not one. */
uint64_t shrink_transactions(const vectors_t *v);

#endif
