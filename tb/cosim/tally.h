/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of the crosses of many runs: each run leaves a file in a folder, and the folder is judged
 * as a whole. docs/verify/coverage.md */
#ifndef COSIM_TALLY_H
#define COSIM_TALLY_H

#include "cosim/cross/cross.h"
#include "err.h"

/* Writes DIR/<stem>-<hash of the sizes>.tally, one line a cell: "cross cell count". The folder is
 * made if it is not there. 0, or -1 and a message. */
int tally_write(const char *dir, const module_class_t *cls, const uint32_t *cfg,
                const cross_counts_t *counts, mrpb_err_t *err);

/* Sums all files of the folder and prints a line for each module and one for each cell that is 0
 * without a reason, or reached although there is a reason why it cannot be. Returns the exit code
 * (COSIM_..., cosim/run.h). */
int tally_judge(const char *dir, FILE *out, mrpb_err_t *err);

/* The tables of docs/verify/coverage.md: all crosses, and all reasons. */
void tally_markdown(FILE *out);

#endif
