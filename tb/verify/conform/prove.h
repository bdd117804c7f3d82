/* SPDX-License-Identifier: Apache-2.0 */
/* Bounded proof of the contract: its monitors (rtl/formal/conform_props.vh) around a design, by the properties' job. */
#ifndef CONFORM_PROVE_H
#define CONFORM_PROVE_H

#include "verify/conform/play.h"

typedef struct {
  const conform_setup_t *setup; /* sizes, what the map shows, the map's binding */
  const rtl_env_t *env;         /* the design */
  uint32_t ask;                 /* clauses that are promised and seen, as bits of their numbers */
  unsigned depth;               /* cycles that are searched first */
  unsigned timeout;             /* seconds of each question */
  const char *results, *again;  /* folder of the trace; the command up to --prove */
  FILE *out;
} conform_prove_t;

/* A row, and what there is to say about it. 0 proved, or held to the depth, 1 refuted, 2 wrong input, 3 not decided, 5 a tool. */
int conform_prove(const conform_prove_t *p, mrpb_err_t *err);

#endif
