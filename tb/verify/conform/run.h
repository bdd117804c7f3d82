/* SPDX-License-Identifier: Apache-2.0 */
/* The command mrpb conform: its runs, and how it handles a violation. */
#ifndef CONFORM_RUN_H
#define CONFORM_RUN_H

#include "verify/conform/report.h"

typedef struct {
  const char *vcd, *bench, *replay, *cases; /* cases: the folder of kept cases */
  const char *again;                        /* the command up to the case, for "repeat" */
  uint64_t seed, cycles;
  /* A proof instead of runs: first `depth` cycles, with `timeout` seconds per question. */
  bool prove;
  uint64_t depth, timeout;
  const char *results; /* folder of a proof's trace */
  const char *sets[32];
  unsigned n_sets;
  uint32_t off;
  bool no_shrink;
  FILE *out;
  bool (*stop)(void);
} conform_run_t;

/* Checks the design of `env`. Exit codes: 0 conforms, 1 violated, 2 and 5 as for rtl_lib_open, with
 * a message in err, 130 interrupted. */
int conform_run(const conform_run_t *run, rtl_env_t *env, mrpb_err_t *err);

#endif
