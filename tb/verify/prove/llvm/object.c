/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/object.h"

#include "base/hash.h"
#include "base/home.h"
#include "base/memory_file.h"
#include "base/process.h"
#include "base/split.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *object_constants(const sources_t *s, const module_class_t *cls) {
  static const char define[] = "#define ";
  char *text = sources_invariant(s, cls), *options = NULL, *rest = text, name[64], value[64];
  size_t size = 0;
  if (!text) return strdup("");
  FILE *f = memory_file(&options, &size);
  for (char *line = strtok_r(text, "\n", &rest); f && line && strncmp(line, "#include", 8) != 0;
       line = strtok_r(NULL, "\n", &rest))
    if (strncmp(line, define, strlen(define)) == 0 &&
        sscanf(line + strlen(define), "%63s %63[0-9A-Za-z_]", name, value) == 2)
      fprintf(f, " -D%s=%s", name, value);
  if (f && fclose(f) != 0) f = NULL;
  free(text);
  if (f) return options;
  free(options);
  return NULL;
}

enum { OPTIONS = 48, WORDS = OPTIONS + SOURCES_MAX + 16 };

/* The command line of a compiler. */
typedef struct {
  char source[SOURCES_MAX][FILES_PATH], include[2][FILES_PATH], text[1024];
  const char *argv[WORDS];
} command_t;

/* Reports the first error that it wrote. */
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

/* Builds the compiler's command line, with the sources last. Returns the number of its words, or -1
 * and a message in err. */
static int command(const sources_t *s, const module_class_t *cls, const char *constants,
                   command_t *c, mrpb_err_t *err) {
  unsigned n_sources = 0;
  char *word[WORDS];
  if (sources_plain(s, cls, c->source, &n_sources, err) != 0) return -1;
  const int size = snprintf(c->text, sizeof c->text, "%s%s", PROVE_COMPILER, constants);
  int n = (size_t)size < sizeof c->text ? split_words(c->text, word, OPTIONS, err) : -1;
  if (n < 0 || !files_path(c->include[0], "-I%s/cmodel", s->root) ||
      !files_path(c->include[1], "-I%s/tb", s->root))
    return mrpb_fail(err, "the compiler's command is too long");
  memcpy(c->argv, word, (unsigned)n * sizeof *word);
  for (unsigned i = 0; i < 2; i++) c->argv[n++] = c->include[i];
  for (unsigned i = 0; i < n_sources; i++) c->argv[n++] = c->source[i];
  return n;
}

static int run(command_t *c, int n, const char *const more[], const char *log, mrpb_err_t *err) {
  do c->argv[n++] = *more;
  while (*more++);
  return compile(c->argv, log, err);
}

/* Names the object by a key of the compiler's file, its command line without paths, and the text
 * that it reads. */
static int name_object(command_t *c, int n, const char *temp, uint64_t *key, mrpb_err_t *err) {
  static const char *const read[] = {"-w", "-E", "-P", NULL};
  char gcc[FILES_PATH], text[FILES_PATH];
  struct stat file;
  if (!files_path(text, "%s/object.i", temp))
    return mrpb_fail(err, "the path is too long"), MODEL_BAD_INPUT;
  int rc = run(c, n, read, text, err);
  if (rc != MODEL_OK) return rc;
  *key = HASH_START;
  if (process_find(c->argv[0], gcc, sizeof gcc) && stat(gcc, &file) == 0) {
    const long long made[] = {(long long)file.st_mtime, (long long)file.st_size};
    *key = hash_bytes(hash_text(*key, gcc), made, sizeof made);
  }
  for (int i = 0; i < n && strncmp(c->argv[i], "-I", 2) != 0; i++)
    *key = hash_text(*key, c->argv[i]);
  return hash_file(key, text, err) == 0 ? MODEL_OK : MODEL_BAD_INPUT;
}

static int link_object(command_t *c, int n, const char *folder, const char *file, mrpb_err_t *err) {
  char log[FILES_PATH];
  const char *const link[] = {"-w", "-shared", "-Wl,-Bsymbolic", "-o", file, NULL};
  if (!files_path(log, "%s/object.log", folder))
    return mrpb_fail(err, "the path is too long"), MODEL_BAD_INPUT;
  return run(c, n, link, log, err);
}

/* Compiles into a separate folder; the object then gets its name atomically. */
static int keep_object(command_t *c, int n, const char *cache, const char *file, mrpb_err_t *err) {
  char folder[FILES_PATH], made[FILES_PATH];
  if (files_temp_folder(folder, cache, err) != 0) return MODEL_BAD_INPUT;
  int rc = files_path(made, "%s/object.so", folder) ? link_object(c, n, folder, made, err)
                                                    : MODEL_BAD_INPUT;
  if (rc == MODEL_OK && files_publish(made, file, err) != 0) rc = MODEL_BAD_INPUT;
  files_remove_tree(folder, NULL);
  return rc;
}

int object_build(const sources_t *s, const module_class_t *cls, const char *constants,
                 char file[FILES_PATH], mrpb_err_t *err) {
  char cache[FILES_PATH];
  uint64_t key;
  command_t c;
  mrpb_err_t unheard = {""};
  const int n = command(s, cls, constants, &c, err);
  if (n < 0) return MODEL_BAD_INPUT;
  int rc = name_object(&c, n, s->temp, &key, err);
  if (rc != MODEL_OK) return rc;
  const bool kept = home_build(cache, s->root, "objects", &unheard) == 0;
  if (!files_path(file, "%s/%s-%016" PRIx64 ".so", kept ? cache : s->temp, cls->stem, key))
    return mrpb_fail(err, "the path is too long"), MODEL_BAD_INPUT;
  if (files_exists(file)) return MODEL_OK;
  return kept ? keep_object(&c, n, cache, file, err) : link_object(&c, n, s->temp, file, err);
}

/* To the linker a symbol is data; it becomes a function pointer by way of memory. */
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
