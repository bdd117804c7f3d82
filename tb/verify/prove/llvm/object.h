/* SPDX-License-Identifier: Apache-2.0 */
/* The program of a model: what the compiler that builds the simulator makes of its sources, with
 * the simulator's flags. */
#ifndef PROVE_OBJECT_H
#define PROVE_OBJECT_H

#include "base/files.h"
#include "verify/prove/llvm/sources.h"

typedef struct {
  void *handle; /* NULL: of this program, or of a kit that it has loaded */
  const module_class_t *cls;
  /* Through the table, as a lockstep calls them, and by name, as other models do. */
  void (*comb[2])(const void *self, const uint64_t *in, uint64_t *out);
  void (*edge[2])(void *self, const uint64_t *in);
} object_t;

/* The constants that a file for the proof sets before it includes the model ("#define MSHR_BUCKET_W
 * 1"), as options of a compiler, each with a blank before it; to be freed. "": none. NULL
 * if out of memory. */
char *object_constants(const sources_t *s, const module_class_t *cls);

/* Compiles the sources as a simulation takes them, with `constants` besides, to a shared object,
 * whose name goes to `file`. It is kept in build/objects, by its text, the compiler and the options.
 * 0, or an exit code and a message. */
int object_build(const sources_t *s, const module_class_t *cls, const char *constants,
                 char file[FILES_PATH], mrpb_err_t *err);

/* Loads it; or takes the table `cls` as it stands (no file). 0, or -1 and a message. */
int object_open(object_t *o, const char *file, const module_class_t *cls, mrpb_err_t *err);
void object_close(object_t *o);

#endif
