/* SPDX-License-Identifier: Apache-2.0 */
/* The safety net below a proof: the program that a simulation runs is compared with the proof's own
 * graph (docs/verify/prove.md). */
#ifndef PROVE_NET_H
#define PROVE_NET_H

#include "verify/prove/llvm/prove.h"

enum { NET_STATES = 100000 };

/* Compiles the model's sources as a simulation does, and compares outputs and memory with the graph
 * of `s`, all of which must be proved, in at least NET_STATES states with random inputs; `states`
 * receives their number. Returns 0; PROVE_NO after a difference or a crash, whose inputs are
 * written to `out`; or an exit code and a message in err. */
int net_check(const sides_t *s, const prove_job_t *job, const char *temp, uint64_t *states,
              FILE *out, mrpb_err_t *err);

#endif
