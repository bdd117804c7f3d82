/* SPDX-License-Identifier: Apache-2.0 */
/* Proof of the contract: the job of `mrpb properties`, with the contract's monitors
 * (rtl/formal/conform_props.vh) around a design. */
#ifndef CONFORM_PROVE_H
#define CONFORM_PROVE_H

#include "verify/contract/run.h"

typedef struct {
  const contract_run_t *run; /* sizes, what is not promised, `again` */
  unsigned depth;            /* cycles searched first */
  unsigned timeout;          /* seconds per question */
  const char *results;       /* folder of the trace */
} conform_prove_t;

/* Prints a row and its remarks, and the lines of a verdict. Returns 0 if proved or held to the
 * depth, 1 if refuted, 2 for wrong input, 3 if not decided, 5 if a tool is missing or wrong. */
int conform_prove(const conform_prove_t *p, const rtl_env_t *env, mrpb_err_t *err);

#endif
