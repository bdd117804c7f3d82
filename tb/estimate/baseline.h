/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of modules, recorded in a JSON file of the repository with everything that decides them,
 * and compared with what the present Verilog gives (docs/estimate/logic.md). */
#ifndef ESTIMATE_BASELINE_H
#define ESTIMATE_BASELINE_H

#include "estimate/flow.h"

#include <stdio.h>

/* A difference above this fraction counts, in either direction. */
#define BASELINE_LIMIT 0.05

/* The verdict on a file, in the order of their weight: the worst of its modules. */
typedef enum {
  BASELINE_HOLDS,
  BASELINE_IMPROVED,  /* better by more than the limit, and not recorded */
  BASELINE_REGRESSED, /* worse by more than the limit */
  BASELINE_STALE,     /* other tools, another Liberty file, another flow: nothing can be compared */
  BASELINE_VERDICTS
} baseline_verdict_t;

/* "ok", "IMPROVED", "REGRESSION", "STALE". */
const char *baseline_name(baseline_verdict_t v);

/* Measures every module of the file, prints a line for each and what to do. -1 and one line of
 * `err` for a file that is none, and for tools that fail. `program` is how to call this one. */
int baseline_check(const char *path, const logic_options_t *opt, const char *program, FILE *out,
                   baseline_verdict_t *verdict, mrpb_err_t *err);

/* Measures every module of the file and writes it anew, whole or not at all. Of each entry only
 * "module", "parameters" and "netlists" need to be there before. */
int baseline_record(const char *path, const logic_options_t *opt, FILE *out, mrpb_err_t *err);

#endif
