/* SPDX-License-Identifier: Apache-2.0 */
/* Single-event upsets in the Verilog of a module: flips bits at random moments and counts what they
 * lead to (docs/verify/upset.md). */
#ifndef UPSET_H
#define UPSET_H

#include "verilog/load/lib.h"
#include "verify/upset/judge.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  uint64_t seed;
  uint64_t cycles;    /* of a window */
  uint64_t moments;   /* at which bits are flipped */
  uint64_t words;     /* of an array that are flipped at a moment */
  const char *reg;    /* only this register; NULL: all */
  FILE *flips;        /* gets a line for each flip; NULL: none */
  bool (*stop)(void); /* polled; true ends the run; may be NULL */
} upset_job_t;

typedef struct {
  char name[64];
  uint64_t bits, injections;
  uint64_t count[UPSET_OUTCOMES];
} upset_row_t;

typedef struct {
  unsigned n;
  uint64_t moments; /* made so far */
  upset_row_t row[MODULE_MAX_REGS];
} upset_table_t;

/* Checks that the module has registers, and the one that is asked for. Returns 0, or -1 and a
 * message in err. */
int upset_check(const upset_job_t *job, mrpb_err_t *err);

/* Builds the module with registers that can be written (`env` must be set so) and makes the
 * injections. Returns RTL_OK, 1 if C model and Verilog differ without an upset, or
 * RTL_BAD_INPUT or RTL_BAD_TOOL; except for RTL_OK, err has a message. If `stop` ended the run, the
 * table holds the moments so far. */
int upset_run(upset_table_t *table, const upset_job_t *job, rtl_env_t *env, mrpb_err_t *err);

/* How many injections had an outcome that parity must prevent: wrong, lost, hang. */
uint64_t upset_silent(const upset_table_t *table);

#endif
