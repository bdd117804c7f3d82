/* SPDX-License-Identifier: Apache-2.0 */
/* Messages while points run, on this host or on others. Internal to tb/studies/sweep. */
#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include "studies/sweep/plan.h"

typedef struct {
  size_t all, ended, failed; /* points; ended: for whatever reason */
  size_t derived, cut;       /* of the ended: not run; their run was ended */
} run_tally_t;

/* Where lines go: to the log, or else above the progress display; NULL: nowhere. */
FILE *run_out(const sweep_t *s);
/* Reports that a point has ended. */
void run_tell(const sweep_t *s, const plan_t *plan, run_tally_t *t, size_t point,
              const sweep_outcome_t *o);
/* Shows the progress. */
void run_progress(const sweep_t *s, const run_tally_t *t, const plan_t *plan, unsigned at_once);
/* Prints the summary. Returns 1 if any point has failed, else 0. */
int run_close(const sweep_t *s, const plan_t *plan, const run_tally_t *t);

#endif
