/* SPDX-License-Identifier: Apache-2.0 */
/* Runs explorations given as lines of text, and prints their results. */
#ifndef EXPLORE_RUN_H
#define EXPLORE_RUN_H

#include "verify/explore/explore.h"

#include <stdio.h>

/* Exit codes, as for `mrpb properties`. */
enum {
  EXPLORE_RUN_EQUAL = 0,
  EXPLORE_RUN_DIFFERENT = 1,
  EXPLORE_RUN_BAD_INPUT = 2,
  EXPLORE_RUN_UNDECIDED = 3,
  EXPLORE_RUN_BAD_TOOL = 5
};

enum { EXPLORE_TEXT = 384 };

typedef struct {
  explore_job_t job;
  /* The inputs with fewer values, as given: "in_warp_i=0,1". */
  char limits[EXPLORE_TEXT];
  bool brief; /* belongs to the short list */
} explore_line_t;

typedef struct {
  const char *rtl;     /* as given with --rtl, or NULL */
  const char *results; /* folder for the stimulus of a difference; made if missing */
  const char *program; /* for the command that repeats it */
  FILE *out;
} explore_setup_t;

/* Reads "MODULE [PARAMETER=VALUE]... [input=VALUE,...]... [states=N] [short]"; `used` becomes false
 * for an empty line or a comment. Returns 0, or -1 and a message in err. */
int explore_parse(const char *text, explore_line_t *line, bool *used, mrpb_err_t *err);

/* Print the heading of the table, and one row of it. A difference is printed with its transactions
 * and kept as a vector file. explore_run returns the exit code. */
void explore_heading(FILE *out);
int explore_run(const explore_line_t *line, const explore_setup_t *setup, rtl_env_t *env,
                mrpb_err_t *err);

#endif
