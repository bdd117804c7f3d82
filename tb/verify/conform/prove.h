/* SPDX-License-Identifier: Apache-2.0 */
/* Proof of the contract: the job of `mrpb properties`, with the contract's monitors
 * (rtl/formal/conform_props.vh) around a design. */
#ifndef CONFORM_PROVE_H
#define CONFORM_PROVE_H

#include "verify/conform/play.h"

typedef struct {
  const conform_setup_t *setup; /* sizes, what the map shows, the map's binding */
  const rtl_env_t *env;         /* the design */
  uint32_t ask;                 /* clauses promised and visible, as bits of their numbers */
  unsigned depth;               /* cycles searched first */
  unsigned timeout;             /* seconds per question */
  const char *results, *again;  /* folder of the trace; the command up to --prove */
  FILE *out;
} conform_prove_t;

/* Prints a row and its remarks. Returns 0 if proved or held to the depth, 1 if refuted, 2 for wrong
 * input, 3 if not decided, 5 if a tool is missing or wrong. */
int conform_prove(const conform_prove_t *p, mrpb_err_t *err);

#endif
