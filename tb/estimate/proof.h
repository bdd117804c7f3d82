/* SPDX-License-Identifier: Apache-2.0 */
/* Has the prover, a program of its own, prove a netlist of the estimate equal to the C model. */
#ifndef ESTIMATE_PROOF_H
#define ESTIMATE_PROOF_H

#include "estimate/synth.h"

#include <stdbool.h>

enum { PROOF_TEXT = 200, PROOF_SECONDS = 30 };

/* Proves `folder`/net.v, which the job has made, with a limit of `seconds` for each question.
 * `verdict` receives a short text for a table: "proved"; "gates = Verilog proved; C = Verilog bounded
 * to 4 cycles"; "refuted"; or "not proved: " and the reason. Returns whether the verdict may be kept:
 * it does not say that the prover is missing or was interrupted. */
bool proof_netlist(const synth_job_t *job, const char *folder, unsigned seconds,
                   char verdict[PROOF_TEXT]);

/* Hashes the prover and so the C models in it: another one has other verdicts. */
uint64_t proof_hash(void);

#endif
