/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of modules, recorded in a JSON file of the repository with everything that decides them,
 * and compared with the figures of the present Verilog (docs/estimate/logic.md). */
#ifndef ESTIMATE_BASELINE_H
#define ESTIMATE_BASELINE_H

#include "estimate/flow.h"

#include <stdio.h>

/* A difference above this fraction counts, in either direction. */
#define BASELINE_LIMIT 0.05

/* The verdict on a file, in order of severity: the worst verdict of its modules. */
typedef enum {
  BASELINE_HOLDS,
  BASELINE_IMPROVED,  /* better by more than the limit, and not yet recorded */
  BASELINE_REGRESSED, /* worse by more than the limit */
  BASELINE_STALE,     /* other tools, another Liberty file or another flow: no comparison */
  BASELINE_VERDICTS
} baseline_verdict_t;

/* Measures every module of the file, and prints a line for each and what to do. Returns -1 and one
 * line in `err` if the file is invalid or a tool fails. `program` is how to call this program. */
int baseline_check(const char *path, const logic_options_t *opt, const char *program, FILE *out,
                   baseline_verdict_t *verdict, mrpb_err_t *err);

/* Measures every module of the file and rewrites the file, whole or not at all. Each entry must
 * have only "module", "parameters" and "netlists" before. */
int baseline_record(const char *path, const logic_options_t *opt, FILE *out, mrpb_err_t *err);

#endif
