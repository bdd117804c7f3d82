/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of mrpb conform, and how it handles a violation. */
#ifndef CONTRACT_RUN_H
#define CONTRACT_RUN_H

#include "verify/contract/report.h"

typedef struct {
  const contract_t *of;
  const char *vcd, *bench, *replay, *cases; /* cases: the folder of kept cases */
  const char *again;                        /* the command up to the case, for "repeat" */
  uint64_t seed, cycles;
  const char *sets[32];
  unsigned n_sets;
  uint32_t off;
  bool no_shrink;
  FILE *out;
  bool (*stop)(void);
} contract_run_t;

/* A design that is not Verilog; it runs in a process of its own. `table` gives its functions at a
 * size and fills in what they show; NULL and a message in err if it does not have that size. From
 * then on it names the function that runs to the watch. `create` makes an instance. */
typedef struct {
  const char *top;
  unsigned patience; /* seconds of a call */
  void *ctx;
  const shim_table_t *(*table)(void *ctx, contract_watch_t *watch, const uint32_t *cfg, void *has,
                               mrpb_err_t *err);
  void *(*create)(void *ctx, uint64_t seed);
} contract_object_t;

/* Checks the design of `env`. Exit codes: 0 conforms, 1 violated, 2 and 5 as for rtl_lib_open, with
 * a message in err, 130 interrupted. */
int contract_run(const contract_run_t *run, rtl_env_t *env, mrpb_err_t *err);
/* The same for a design that is not Verilog. */
int contract_run_object(const contract_run_t *run, const contract_object_t *object,
                        mrpb_err_t *err);

/* Finds the sizes of `setup` and the clauses that the map switches off, of a run without a case.
 * Returns RTL_OK, or RTL_BAD_INPUT and a message in err. */
int contract_run_sizes(const contract_run_t *run, const rtl_env_t *env, contract_setup_t *setup,
                       mrpb_err_t *err);
/* Finds what the map of `setup` shows. Returns 0, or -1 and a message in err. */
int contract_run_events(contract_setup_t *setup, mrpb_err_t *err);

#endif
