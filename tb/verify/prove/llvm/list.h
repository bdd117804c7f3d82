/* SPDX-License-Identifier: Apache-2.0 */
/* Proofs from a list, a few at a time, each in its own process. A line is a module and its
 * parameters, "fifo_bank QUEUES=5 DEPTH=3 DATA_W=1"; parameters left out have their defaults.
 * "engine=cadical" is for lines that the usual engine cannot decide. # begins a comment. */
#ifndef PROVE_LIST_H
#define PROVE_LIST_H

#include "verify/prove/llvm/prove.h"

/* Sets a parameter from "NAME=VALUE". Returns 0, or -1 and a message in err. */
int list_set(prove_job_t *job, const char *text, mrpb_err_t *err);

/* Proves every line of the file `path` with the other settings of `base`, `jobs` at a time; prints
 * each verdict, then the count and what is trusted; `progress` as for runs(). The list is checked
 * before the first proof. Returns the exit code: that of a contradiction between the engines, of a
 * refutation, or of the first line that was not proved. */
int list_run(const char *path, const prove_job_t *base, unsigned jobs, FILE *out, FILE *progress,
             mrpb_err_t *err);

/* Writes what a proof by this engine relies on. */
void list_trust(engine_t engine, FILE *out);

#endif
