/* SPDX-License-Identifier: Apache-2.0 */
/* Proves a netlist of library cells equal to the C model, directly or by way of the Verilog of the
 * same size. docs/verify/netlist.md */
#ifndef PROVE_GATES_H
#define PROVE_GATES_H

#include "verify/prove/llvm/prove.h"

/* Decides, and writes the verdict to `out`; files go to the folder `temp`. Returns an exit code. */
int gates_run(const prove_job_t *job, const char *temp, FILE *out, mrpb_err_t *err);

/* The netlist of job->match against the Verilog, without the C model: PROVE_YES, and a text in
 * `said`; PROVE_UNKNOWN and the reason; or another exit code and a message in err. */
enum { GATES_TEXT = 256 };
int gates_rtl(const prove_job_t *job, const char *temp, char said[GATES_TEXT], mrpb_err_t *err);

#endif
