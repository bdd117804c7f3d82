/* SPDX-License-Identifier: Apache-2.0 */
/* From the C sources of a model to LLVM bitcode, one file each. */
#ifndef PROVE_SOURCES_H
#define PROVE_SOURCES_H

#include "base/files.h"
#include "module.h"

enum { SOURCES_MAX = 16, MODEL_OK = 0, MODEL_BAD_INPUT = 2, MODEL_UNKNOWN = 3, MODEL_BAD_TOOL = 5 };

typedef struct {
  const char *root; /* the project's folder */
  const char *inv;  /* a file instead of tb/verify/prove/inv/<stem>.c, or NULL */
  const char *c;    /* a file instead of cmodel/<stem>.c, or a folder of such files, or NULL */
  const char *temp; /* for what is made */
} sources_t;

/* Has clang make bitcode of one source. 0 or an exit code and a message. */
int sources_bitcode(const sources_t *s, const char *source, const char *object, mrpb_err_t *err);

/* The same for all that a module needs: `object` gets `n` files. */
int sources_compile(const sources_t *s, const module_class_t *cls,
                    char object[SOURCES_MAX][FILES_PATH], unsigned *n, mrpb_err_t *err);

/* The same sources as a simulation takes them: `n` files, without any invariant. 0, or -1 and a message. */
int sources_plain(const sources_t *s, const module_class_t *cls, char path[SOURCES_MAX][FILES_PATH],
                  unsigned *n, mrpb_err_t *err);
/* The text of the file that stands for the module in the proof, to be freed; NULL if it cannot be read. */
char *sources_invariant(const sources_t *s, const module_class_t *cls);

#endif
