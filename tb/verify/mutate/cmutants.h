/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants of a C model: one operator, literal or constant of cmodel/<stem>.c is changed in the text
 * (docs/verify/mutation.md). The other files of cmodel/ are compiled once. Each mutant is a shared
 * object that runs in a separate process, since it may crash or hang. */
#ifndef MUTATE_CMUTANTS_H
#define MUTATE_CMUTANTS_H

#include "verify/mutate/kill.h"

enum { CMUTANTS_DIR = 768, CMUTANTS_NAME = 64 };

/* A place in the text, the text there, and its replacement. */
typedef struct {
  unsigned line, column;
  size_t at;
  const char *from, *to;
} cmutant_t;

typedef struct {
  const module_class_t *cls; /* NULL after cmutants_open */
  char root[CMUTANTS_DIR], dir[CMUTANTS_DIR];
  char name[CMUTANTS_NAME]; /* of the file, without folder and .c */
  char *text;               /* of cmodel/<stem>.c, or of the file opened */
  unsigned n;
  cmutant_t *list;
} cmutants_t;

typedef enum { CMUTANT_KILLED, CMUTANT_ALIVE, CMUTANT_NO_C, CMUTANT_FAILED } cmutant_fate_t;

/* Finds every place of the model's text. Comments, strings, preprocessor lines and <stem>_create
 * are left out. `root` is the project's folder; build/mutants/<stem>.c is made anew. Returns 0, or
 * -1 and a message in err. */
int cmutants_make(cmutants_t *m, const char *root, const module_class_t *cls, mrpb_err_t *err);
/* The same without places, for any C file of the project ("cmodel/mrpb.c", "tb/parts/unbounded.c"),
 * for use with cmutants_try. */
int cmutants_open(cmutants_t *m, const char *root, const char *file, mrpb_err_t *err);
void cmutants_free(cmutants_t *m);

/* Runs mutant i < n at the sizes and with the inputs of each of `n_traces`. Different outputs, a
 * crash or 20 seconds without an end kill it. Returns CMUTANT_NO_C if it does not compile;
 * CMUTANT_FAILED and a message in err if out of memory or without a compiler. */
cmutant_fate_t cmutants_run(const cmutants_t *m, unsigned i, const kill_trace_t *t,
                            unsigned n_traces, mrpb_err_t *err);

/* Makes a shared object of the text with `c` in it, and calls `lives` with its dlopen handle in a
 * separate process that has `seconds`. An answer of false, a crash or no answer kills the
 * mutant. */
typedef bool (*cmutants_lives_t)(void *handle, void *ctx);
cmutant_fate_t cmutants_try(const cmutants_t *m, const cmutant_t *c, unsigned seconds,
                            cmutants_lives_t lives, void *ctx, mrpb_err_t *err);
/* The module of a handle, or NULL. A module outside the tree is in no list, and neither is a
 * mutant's. */
const module_class_t *cmutants_class(void *handle, const char *stem);

#endif
