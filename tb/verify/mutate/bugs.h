/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded bugs in code that only simulations call: a list of single edits, each of which the steps
 * of `make test` must find. docs/verify/one_model.md */
#ifndef MUTATE_BUGS_H
#define MUTATE_BUGS_H

#include "verilog/load/lib.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct {
  uint64_t cycles, seed; /* of each lockstep run */
  bool brief;            /* only the first bug of each file */
  FILE *out;
  bool (*stop)(void);
} bugs_options_t;

/* A bug is a block of lines, each a word and its value from column 7 on:
 *   bug   its name: what goes wrong
 *   file  the file that is edited: cmodel/<stem>.c, tb/parts/unbounded.c or rtl/<stem>.v
 *   from  text that occurs once in the file
 *   to    its replacement
 *   run   the module that runs in lockstep with the Verilog, and its sizes; empty for unbounded.c,
 *         which is crossed with the bounded MRPB
 * Prints one line per bug with what exposed it. Returns RTL_OK, 1 if a bug was not found, or
 * another exit code and a message in err. */
int bugs_run(const char *path, rtl_env_t *env, const bugs_options_t *o, mrpb_err_t *err);

#endif
