/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the C sources of a model to LLVM bitcode, one file each. */
#ifndef PROVE_SOURCES_H
#define PROVE_SOURCES_H

#include "base/files.h"
#include "module.h"

enum { SOURCES_MAX = 40, MODEL_OK = 0, MODEL_BAD_INPUT = 2, MODEL_UNKNOWN = 3, MODEL_BAD_TOOL = 5 };

typedef struct {
  const char *root; /* the project's folder */
  const char *inv;  /* file in place of tb/verify/prove/inv/<stem>.c, or NULL */
  const char *c;    /* file in place of cmodel/<stem>.c, or a folder of such files, or NULL */
  const char *temp; /* for generated files */
} sources_t;

/* Runs clang to make bitcode of one source. Returns 0, or an exit code and a message in err. */
int sources_bitcode(const sources_t *s, const char *source, const char *object, mrpb_err_t *err);

/* The same for everything that a module needs: `object` receives `n` files. */
int sources_compile(const sources_t *s, const module_class_t *cls,
                    char object[SOURCES_MAX][FILES_PATH], unsigned *n, mrpb_err_t *err);

/* The same sources as a simulation takes them: `n` files, without any invariant. Returns 0, or -1
 * and a message in err. */
int sources_plain(const sources_t *s, const module_class_t *cls, char path[SOURCES_MAX][FILES_PATH],
                  unsigned *n, mrpb_err_t *err);
/* The text of the file that stands for the module in the proof. The caller frees it. NULL if it
 * cannot be read. */
char *sources_invariant(const sources_t *s, const module_class_t *cls);

#endif
