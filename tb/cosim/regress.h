/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of a mismatch: the stimulus is shrunk, printed as a table of its transactions and
 * kept as a vector file. One that `make test` shall replay from then on is moved to tests/cosim/regress
 * by hand (docs/verify/replay.md). */
#ifndef COSIM_REGRESS_H
#define COSIM_REGRESS_H

#include "base/files.h"
#include "verilog/load/lib.h"
#include "cosim/vectors/vectors.h"

#include <stdbool.h>
#include <stdio.h>

/* Cycles before a difference that are looked at. */
#define REGRESS_WINDOW (UINT64_C(1) << 20)

typedef struct {
  const rtl_lib_t *lib;
  const char *dir;     /* where it is kept, made if it is not there; NULL: nowhere */
  const char *options; /* that give the Verilog, each with a blank before it (rtl_env_options) */
  const char *program; /* how to call it again: "build/mrpb" */
  const char *tools;   /* note for the files */
  bool (*stop)(void);  /* may be NULL */
  FILE *out;
  char *kept; /* gets the file's path, of FILES_PATH bytes; NULL: nobody asks */
} regress_t;

/* build/cases of the project, relative if that is the present folder, into a path of FILES_PATH
 * bytes (verilog/build.h); false if it does not fit. */
bool regress_folder(const rtl_env_t *env, char *path);

/* Shrinks `v` (whose `origin` says where it is from), prints it below the mismatch report and keeps
 * it. What cannot be done is printed, too: the mismatch stays what it is. False if `v` could not be
 * shrunk: nothing tells then what led to the mismatch. */
bool regress_keep(const regress_t *r, vectors_t *v);

#endif
