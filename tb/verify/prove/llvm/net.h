/* SPDX-License-Identifier: Apache-2.0 */
/* The net below a proof: the program that a simulation runs, beside the proof's own graph
 * (docs/verify/prove.md). */
#ifndef PROVE_NET_H
#define PROVE_NET_H

#include "verify/prove/llvm/prove.h"

enum { NET_STATES = 100000 };

/* Compiles the model's sources as a simulation does, and compares outputs and memory with the graph
 * of `s`, of which everything is proved, in at least NET_STATES states with random inputs: `states`
 * gets their number. 0; PROVE_NO for a difference or a crash, which `out` gets with its inputs; or
 * an exit code and a message. */
int net_check(const sides_t *s, const prove_job_t *job, const char *temp, uint64_t *states,
              FILE *out, mrpb_err_t *err);

#endif
