/* SPDX-License-Identifier: Apache-2.0 */
/* Explorations by their lines of text, and what is said about them. */
#ifndef EXPLORE_RUN_H
#define EXPLORE_RUN_H

#include "verify/explore/explore.h"

#include <stdio.h>

/* Exit codes, as of `mrpb properties`. */
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
  char limits[EXPLORE_TEXT]; /* "in_warp_i=0,1": the inputs with fewer values, as they were given */
  bool brief;                /* belongs to the short list */
} explore_line_t;

typedef struct {
  const char *rtl;     /* as given with --rtl, or NULL */
  const char *results; /* folder for the stimulus of a difference; made if it is missing */
  const char *program; /* for the command that repeats it */
  FILE *out;
} explore_setup_t;

/* Reads "MODULE [PARAMETER=VALUE]... [input=VALUE,...]... [states=N] [short]"; `used` is false for
 * an empty line or a comment. 0, or -1 and a message. */
int explore_parse(const char *text, explore_line_t *line, bool *used, mrpb_err_t *err);

/* The heading of the table, and one row of it; a difference with its transactions, kept as a vector
 * file. Returns the exit code. */
void explore_heading(FILE *out);
int explore_run(const explore_line_t *line, const explore_setup_t *setup, rtl_env_t *env,
                mrpb_err_t *err);

#endif
