/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel proofs, each in a process and a temporary folder of its own. The parent process watches
 * them, shows their progress on a terminal, and ends them all when it is told to end. */
#ifndef PROVE_RUNS_H
#define PROVE_RUNS_H

#include "verify/prove/llvm/prove.h"

typedef struct {
  size_t proved, refuted, rest;
  int code; /* that of a contradiction of the engines, of a refutation, or of the first not proved
             */
  mrpb_err_t err; /* of the last that ended without a verdict */
} runs_t;

/* Runs `n` of `job`, up to `side_by_side` at a time, and writes each verdict to `out` as it
 * arrives; `progress` (may be NULL) is a terminal with one line that is rewritten. After Ctrl-C or
 * SIGTERM none of their processes and folders is left, and the code is PROVE_INTERRUPTED or more.
 * Remains of a killed run are removed first. */
runs_t runs(const prove_job_t *job, size_t n, unsigned side_by_side, FILE *out, FILE *progress);

#endif
