/* SPDX-License-Identifier: Apache-2.0 */
/* The program of a model: its sources compiled by the simulator's compiler with the simulator's
 * flags. */
#ifndef PROVE_OBJECT_H
#define PROVE_OBJECT_H

#include "base/files.h"
#include "verify/prove/llvm/sources.h"

typedef struct {
  void *handle; /* NULL: part of this program, or of a kit that it has loaded */
  const module_class_t *cls;
  /* Through the class table, as a lockstep calls them, and by name, as other models do. */
  void (*comb[2])(const void *self, const uint64_t *in, uint64_t *out);
  void (*edge[2])(void *self, const uint64_t *in);
} object_t;

/* The constants that a file for the proof defines before it includes the model ("#define
 * MSHR_BUCKET_W 1"), as compiler options, each preceded by a blank. The caller frees the string.
 * "": none. NULL if out of memory. */
char *object_constants(const sources_t *s, const module_class_t *cls);

/* Compiles the sources as a simulation takes them, with `constants` added, to a shared object whose
 * name goes to `file`. It is cached in build/objects, keyed by its text, the compiler and the
 * options. Returns 0, or an exit code and a message in err. */
int object_build(const sources_t *s, const module_class_t *cls, const char *constants,
                 char file[FILES_PATH], mrpb_err_t *err);

/* Loads the file, or without a file takes the table `cls` directly. Returns 0, or -1 and a message
 * in err. */
int object_open(object_t *o, const char *file, const module_class_t *cls, mrpb_err_t *err);
void object_close(object_t *o);

#endif
