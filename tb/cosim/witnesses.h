/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a vector file through the C model, Verilator and Icarus, and compares each pair of them. */
#ifndef COSIM_WITNESSES_H
#define COSIM_WITNESSES_H

#include "verilog/load/lib.h"
#include "cosim/vectors/vectors.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { WITNESS_C, WITNESS_VERILATOR, WITNESS_ICARUS, N_WITNESSES };

typedef struct {
  const char *file;       /* a vector file; with `vectors`, the name to print */
  vectors_t *vectors;     /* the stimulus, consumed by the run; NULL: it is in `file` */
  const char *repeat;     /* how to repeat the run; NULL: --replay */
  bool with[N_WITNESSES]; /* at least two */
  const char *vcd;        /* wave of C and Verilator around the first difference, or NULL */
  const char *program;    /* how to call it again: "build/mrpb" */
  FILE *out;
  json_t **result; /* as in cosim_job_t (cosim/run.h) */
} witnesses_job_t;

/* Reads "c,verilator,icarus" or two of them. Returns 0, or -1 and a message in err. */
int witnesses_parse(witnesses_job_t *job, const char *text, mrpb_err_t *err);

/* Prints a line for each pair, and the report of a difference between C and Verilator. Returns the
 * exit code (COSIM_..., cosim/run.h). */
int witnesses_run(const witnesses_job_t *job, rtl_env_t *env, mrpb_err_t *err);

#endif
