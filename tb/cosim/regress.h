/* SPDX-License-Identifier: Apache-2.0 */
/* Handles the stimulus of a mismatch: it is shrunk, printed as a table of its transactions and kept
 * as a vector file. To have `make test` replay a case from then on, move it to tests/cosim/regress
 * by hand (docs/verify/replay.md). */
#ifndef COSIM_REGRESS_H
#define COSIM_REGRESS_H

#include "base/files.h"
#include "verilog/load/lib.h"
#include "cosim/vectors/vectors.h"

#include <stdbool.h>
#include <stdio.h>

/* The number of cycles before a difference that are considered. */
#define REGRESS_WINDOW (UINT64_C(1) << 20)

typedef struct {
  const rtl_lib_t *lib;
  const char *dir;     /* where the case is kept, created if missing; NULL: it is not kept */
  const char *options; /* options that select the Verilog, each after a blank (rtl_env_options) */
  const char *program; /* how to call it again: "build/mrpb" */
  const char *tools;   /* a note for the files */
  bool (*stop)(void);  /* may be NULL */
  FILE *out;
  char *kept; /* gets the file's path, of FILES_PATH bytes; NULL: not wanted */
} regress_t;

/* Writes the path of the project's build/cases folder into `path` of FILES_PATH bytes
 * (verilog/build.h). The path is relative if the project is the current folder. Returns false if it
 * does not fit. */
bool regress_folder(const rtl_env_t *env, char *path);

/* Shrinks `v` (whose `origin` says where it comes from), prints it below the mismatch report and
 * keeps it. Failures are printed too; the mismatch stands in any case. Returns false if `v` could
 * not be shrunk; then nothing shows what led to the mismatch. */
bool regress_keep(const regress_t *r, vectors_t *v);

#endif
