/* SPDX-License-Identifier: Apache-2.0 */
/* Runs many co-simulations from a list, a few at a time, each in its own process. A line of the
 * list is a module and its parameters, "fifo_bank QUEUES=5 DEPTH=3"; omitted parameters have their
 * defaults. cycles=N and seed=N change the run; # begins a comment. */
#ifndef COSIM_MATRIX_H
#define COSIM_MATRIX_H

#include "cosim/run.h"

/* Runs every line of the file `path` on top of `base` (seed, cycles, rtl, out, stop), `jobs` at a
 * time. Prints each outcome in the list's order, and "N passed, M failed". The whole list is read
 * and checked before the first run. Returns the exit code. */
int matrix_run(const char *path, const cosim_job_t *base, unsigned jobs, rtl_env_t *env,
               mrpb_err_t *err);

#endif
