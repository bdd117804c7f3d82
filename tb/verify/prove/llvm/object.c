/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/object.h"

#include "base/process.h"
#include "base/split.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

char *object_constants(const sources_t *s, const module_class_t *cls) {
  static const char define[] = "#define ";
  char *text = sources_invariant(s, cls), *options = NULL, *rest = text, name[64], value[64];
  size_t size = 0;
  FILE *f = open_memstream(&options, &size);
  for (char *line = strtok_r(text, "\n", &rest); f && line && strncmp(line, "#include", 8) != 0;
       line = strtok_r(NULL, "\n", &rest))
    if (strncmp(line, define, strlen(define)) == 0 &&
        sscanf(line + strlen(define), "%63s %63[0-9A-Za-z_]", name, value) == 2)
      fprintf(f, " -D%s=%s", name, value);
  if (f && fclose(f) != 0) f = NULL;
  free(text);
  if (f) return options;
  free(options);
  return strdup("");
}

enum { OPTIONS = 48, WORDS = OPTIONS + SOURCES_MAX + 16 };

/* The first error that it wrote. */
static int explain(const char *log, int status, mrpb_err_t *err) {
  char *said = files_read(log, NULL), *rest = said;
  for (char *line = strtok_r(said, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    if (strstr(line, "error") || strstr(line, "undefined reference")) mrpb_fail(err, "%s", line);
  free(said);
  mrpb_fail(err, "the compiler of the simulator failed (exit %d)", status);
  return MODEL_BAD_INPUT;
}

static int compile(const char *const *argv, const char *log, mrpb_err_t *err) {
  const int rc = process_log(argv, log);
  if (rc == 0) return MODEL_OK;
  if (rc != PROCESS_NOT_FOUND) return explain(log, rc, err);
  mrpb_fail(err, "%s is missing: it is in the package of that name", argv[0]);
  return MODEL_BAD_TOOL;
}

int object_build(const sources_t *s, const module_class_t *cls, const char *constants,
                 const char *file, mrpb_err_t *err) {
  char source[SOURCES_MAX][FILES_PATH], include[2][FILES_PATH], log[FILES_PATH];
  char text[1024], *word[WORDS];
  unsigned n_sources = 0;
  if (sources_plain(s, cls, source, &n_sources, err) != 0) return MODEL_BAD_INPUT;
  const int size = snprintf(text, sizeof text, "%s%s", PROVE_COMPILER, constants);
  int n = (size_t)size < sizeof text ? split_words(text, word, OPTIONS, err) : -1;
  if (n < 0 || !files_path(include[0], "-I%s/cmodel", s->root) ||
      !files_path(include[1], "-I%s/tb", s->root) || !files_path(log, "%s/object.log", s->temp))
    return mrpb_fail(err, "the compiler's command is too long"), MODEL_BAD_INPUT;
  const char *argv[WORDS];
  memcpy(argv, word, (unsigned)n * sizeof *word);
  for (unsigned i = 0; i < 2; i++) argv[n++] = include[i];
  for (unsigned i = 0; i < n_sources; i++) argv[n++] = source[i];
  const char *const last[] = {"-w", "-shared", "-Wl,-Bsymbolic", "-o", file, NULL};
  memcpy(argv + n, last, sizeof last);
  return compile(argv, log, err);
}

/* A symbol is data for the linker; as a function it goes through memory. */
static bool function(void *handle, const char *stem, const char *what, void *to) {
  char name[96];
  snprintf(name, sizeof name, "%s_%s", stem, what);
  void *found = dlsym(handle, name);
  if (found) memcpy(to, &found, sizeof found);
  return found;
}

int object_open(object_t *o, const char *file, const module_class_t *cls, mrpb_err_t *err) {
  char name[96];
  *o = (object_t){.cls = cls};
  if (file) {
    o->handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!o->handle) return mrpb_fail(err, "%.450s", dlerror());
    snprintf(name, sizeof name, "%s_class", cls->stem);
    o->cls = dlsym(o->handle, name);
    if (!o->cls) return mrpb_fail(err, "the object of %s has no %s", cls->stem, name);
  }
  for (unsigned i = 0; i < 2; i++) {
    o->comb[i] = o->cls->comb;
    o->edge[i] = o->cls->edge;
  }
  if (file && !function(o->handle, cls->stem, "comb", &o->comb[1]))
    return mrpb_fail(err, "the object of %s has no %s_comb", cls->stem, cls->stem);
  if (file && cls->n_regs > 0 && !function(o->handle, cls->stem, "edge", &o->edge[1]))
    return mrpb_fail(err, "the object of %s has no %s_edge", cls->stem, cls->stem);
  return 0;
}

void object_close(object_t *o) {
  if (o->handle) dlclose(o->handle);
  *o = (object_t){0};
}
