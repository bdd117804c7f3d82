/* SPDX-License-Identifier: Apache-2.0 */
/* The shortest stimulus that still shows a difference between C model and Verilog
 * (docs/verify/replay.md). The result depends on stimulus and Verilog only, unless the time is up
 * before the search has ended. */
#ifndef COSIM_SHRINK_H
#define COSIM_SHRINK_H

#include "cosim/vectors/play.h"
#include "cosim/vectors/vectors.h"

/* The bound on the search, in milliseconds of processor time. */
#define SHRINK_BUDGET UINT64_C(60000)

typedef struct {
  uint64_t tried;         /* candidates */
  uint64_t cycles_before; /* up to the failing one */
  uint64_t transactions_before;
  uint64_t transactions; /* left */
  bool bounded;          /* the time (or `stop`) ended the search: a shorter case may exist */
  bool interrupted;      /* it was `stop` */
  play_t play;           /* where the shrunk case differs */
} shrink_t;

/* Shrinks `v`, which is to differ on a fresh instance; `v` is then cut after the differing cycle.
 * The search for what differs at all has no bound; what comes after it ends within `budget`
 * milliseconds. `stop` (may be NULL) is asked now and then; true ends the search with what there
 * is. 0, 1 if `v` does not differ (it is left as it is), -1 and a message. */
int shrink(vectors_t *v, const rtl_lib_t *lib, uint64_t budget, bool (*stop)(void),
           shrink_t *result, mrpb_err_t *err);

/* Transactions of the cycles of `v`; the reset at the beginning is none. */
uint64_t shrink_transactions(const vectors_t *v);

#endif
