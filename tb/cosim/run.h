/* SPDX-License-Identifier: Apache-2.0 */
/* One co-simulation run of one module: stimulus, lockstep, bins, report, wave. */
#ifndef COSIM_RUN_H
#define COSIM_RUN_H

#include "verilog/load/lib.h"
#include "cosim/stim/stim.h"

#include <jansson.h>
#include <stdio.h>

enum {
  COSIM_MATCHED = 0,
  COSIM_DIFFERENT = 1,
  COSIM_BAD_INPUT = 2,
  COSIM_BAD_TOOL = 5,
  COSIM_INTERRUPTED = 130
};

/* Bins that stay at zero fail a run of at least this many cycles, which is the default. A shorter
 * run only names them. */
#define COSIM_BINS_CYCLES UINT64_C(1000000)

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  uint64_t seed, cycles;
  const char *vcd;     /* or NULL */
  const char *record;  /* the stimulus as a vector file, or NULL */
  bool shrink;         /* shrink and print the stimulus of a mismatch */
  const char *regress; /* folder in which the shrunk case is kept; NULL: it is not kept */
  const char *tally;   /* folder for the counts of the crosses (cosim/tally.h), or NULL */
  const char *lines;   /* folder for the Verilog's line coverage, or NULL */
  const char *program; /* how to call it again: "build/mrpb" */
  bool list_bins;
  json_t **
      result; /* the results of a run (cosim/lockstep/result.h), owned by the caller; may be NULL */
  FILE *out;  /* result line, bins and reports */
  bool (*stop)(void); /* polled; true ends the run (COSIM_INTERRUPTED); may be NULL */
} cosim_job_t;

/* Runs `job` and prints the outcome. Errors of input and tools are left in `err`. A mismatch before
 * `cycles` is reported and, if asked for, shrunk (cosim/regress.h). With `vcd`, a run with a
 * mismatch is repeated to write the cycles around it; otherwise the last cycles are written.
 * Returns the exit code. */
int cosim_run(const cosim_job_t *job, rtl_env_t *env, mrpb_err_t *err);

#endif
