/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of the crosses over many runs. Each run leaves a file in a folder, and the folder is
 * judged as a whole. docs/verify/coverage.md */
#ifndef COSIM_TALLY_H
#define COSIM_TALLY_H

#include "cosim/cross/cross.h"
#include "err.h"

/* Writes DIR/<stem>-<hash of the sizes>.tally, with one line per cell: "cross cell count". The
 * folder is created if missing. Returns 0, or -1 and a message in err. */
int tally_write(const char *dir, const module_class_t *cls, const uint32_t *cfg,
                const cross_counts_t *counts, mrpb_err_t *err);

/* Sums all files of the folder. Prints a line for each module, and a line for each cell that is 0
 * without a reason or that was reached in spite of a reason. Returns the exit code (COSIM_...,
 * cosim/run.h). */
int tally_judge(const char *dir, FILE *out, mrpb_err_t *err);

/* Writes the tables of docs/verify/coverage.md: all crosses and all reasons. */
void tally_markdown(FILE *out);

#endif
