/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* realpath */
#include "verify/prove/llvm/sources.h"

#include "base/files.h"

#include "base/modules.h"
#include "base/process.h"
#include "verify/prove/llvm/reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reports the first error that a compiler wrote. */
static int explain(const char *log, const char *source, int status, mrpb_err_t *err) {
  char line[512];
  FILE *f = fopen(log, "r");
  while (f && fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = '\0';
    if (strstr(line, "error:")) mrpb_fail(err, "%s", line);
  }
  if (f) fclose(f);
  mrpb_fail(err, "the compiler failed (exit %d) on %s", status, source);
  return MODEL_BAD_INPUT;
}

/* Undefined behaviour that clang's front end knows and LLVM's instructions do not show. */
#define CHECKS                                                                                     \
  "-fsanitize=signed-integer-overflow,shift-base,array-bounds,bool,builtin,unreachable,"           \
  "vla-bound,nonnull-attribute,returns-nonnull-attribute,float-cast-overflow"

enum { PATHS = 5, WORDS = 24 };

/* Runs a compiler with the options of its kind on `source`. Returns 0, or an exit code and a
 * message in err. */
static int run_compiler(const sources_t *s, const char *const *options, const char *source,
                        const char *object, mrpb_err_t *err) {
  char path[PATHS][FILES_PATH], log[FILES_PATH];
  /* Replacements of sources of cmodel/ come first. */
  const char *other = s->c && files_is_folder(s->c) ? s->c : s->temp;
  const char *argv[WORDS];
  unsigned n = 0;
  if (!files_path(path[0], "-I%s/own", s->temp) || !files_path(path[1], "-I%s", other) ||
      !files_path(path[2], "-I%s", s->root) || !files_path(path[3], "-I%s/cmodel", s->root) ||
      !files_path(path[4], "-I%s/tb", s->root) || !files_path(log, "%s/compiler.log", s->temp))
    return mrpb_fail(err, "the path is too long"), MODEL_BAD_INPUT;
  while (options[n]) {
    argv[n] = options[n];
    n++;
  }
  argv[n++] = "-std=c11";
  argv[n++] = "-D_POSIX_C_SOURCE=200809L";
  for (unsigned i = 0; i < PATHS; i++) argv[n++] = path[i];
  const char *const last[] = {source, "-o", object, NULL};
  memcpy(argv + n, last, sizeof last);
  int rc = process_log(argv, log);
  if (rc == 0) return MODEL_OK;
  if (rc != PROCESS_NOT_FOUND) return explain(log, source, rc, err);
  mrpb_fail(err, "%s is missing: it is in the package of that name", argv[0]);
  return MODEL_BAD_TOOL;
}

int sources_bitcode(const sources_t *s, const char *source, const char *object, mrpb_err_t *err) {
  /* No pass of LLVM may draw conclusions from undefined behaviour before it has been checked. With
   * -O1 the front end marks where a variable's life begins and ends. */
  static const char *const bitcode[] = {PROVE_CLANG,  "-O1",
                                        "-Xclang",    "-disable-llvm-passes",
                                        "-g",         "-Werror=unsequenced",
                                        CHECKS,       "-fsanitize-trap=all",
                                        "-emit-llvm", "-c",
                                        NULL};
  static const char *const by_clang[] = {PROVE_CLANG,           "-O1", CHECKS,
                                         "-fsanitize-trap=all", "-E",  NULL};
  static const char *const by_gcc[] = {"gcc", "-O2", "-E", NULL};
  char gcc[FILES_PATH], clang[FILES_PATH];
  if (!files_path(gcc, "%s/gcc.i", s->temp) || !files_path(clang, "%s/clang.i", s->temp))
    return mrpb_fail(err, "the path is too long"), MODEL_BAD_INPUT;
  int rc = run_compiler(s, bitcode, source, object, err);
  if (rc == MODEL_OK) rc = run_compiler(s, by_clang, source, clang, err);
  if (rc == MODEL_OK) rc = run_compiler(s, by_gcc, source, gcc, err);
  if (rc == MODEL_OK && reading_compare(gcc, clang, err) != 0) rc = MODEL_BAD_INPUT;
  return rc;
}

/* The file that stands for a module: its invariant, which includes the model, or the model itself,
 * or the specification of a part. */
static bool source_of(const sources_t *s, const char *stem, char *path) {
  static const char *const places[] = {"tb/verify/prove/inv", "cmodel", "tb/verify/prove/parts"};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
    if (i == 1 && files_path(path, "%s/own/cmodel/%s.c", s->temp, stem) && files_exists(path))
      return true;
    if (files_path(path, "%s/%s/%s.c", s->root, places[i], stem) && files_exists(path)) return true;
  }
  return false;
}

/* Makes `file` replace cmodel/<stem>.c, by a source that includes it in the folder that clang
 * searches first. */
static int substitute(const sources_t *s, const char *stem, const char *file, mrpb_err_t *err) {
  char path[FILES_PATH];
  char *full = realpath(file, NULL);
  if (!full) return mrpb_fail(err, "--c %s: cannot be read: %s", file, strerror(errno));
  const bool plain = !strpbrk(full, "\"\\\n");
  FILE *f = NULL;
  if (plain && files_path(path, "%s/own/cmodel/%s.c", s->temp, stem)) f = fopen(path, "w");
  bool good = f && fprintf(f, "#include \"%s\"\n", full) > 0;
  if (f && fclose(f) != 0) good = false;
  free(full);
  if (!plain) return mrpb_fail(err, "--c %s: has a quote in its path", file);
  return good ? 0 : mrpb_fail(err, "%s: cannot be written: %s", s->temp, strerror(errno));
}

/* The user's replacements for files of cmodel/. */
static int substitute_all(const sources_t *s, const module_class_t *cls, mrpb_err_t *err) {
  char path[FILES_PATH];
  unsigned found = 0;
  if (!s->c) return 0;
  if (files_path(path, "%s/own", s->temp)) (void)mkdir(path, 0777);
  if (files_path(path, "%s/own/cmodel", s->temp)) (void)mkdir(path, 0777);
  FILE *f = fopen(s->c, "r");
  if (!f) return mrpb_fail(err, "--c %s: cannot be read: %s", s->c, strerror(errno));
  fclose(f);
  if (!files_is_folder(s->c)) return substitute(s, cls->stem, s->c, err);
  for (unsigned i = 0; modules_at(i); i++) {
    const char *stem = modules_at(i)->stem;
    if (!files_path(path, "%s/%s.c", s->c, stem) || !files_exists(path)) continue;
    if (substitute(s, stem, path, err) != 0) return -1;
    found++;
  }
  if (found > 0) return 0;
  return mrpb_fail(err, "--c %s: no C file in it has the name of one of cmodel/", s->c);
}

/* The model's own text, in which includes are searched: its C file, or with `ending` "h" its
 * header. */
static char *text_of(const sources_t *s, const char *stem, const char *ending) {
  char path[FILES_PATH];
  const bool folder = s->c && files_is_folder(s->c), header = ending[0] == 'h';
  char *text = s->c && !folder && !header ? files_read(s->c, NULL) : NULL;
  if (folder && files_path(path, "%s/%s.%s", s->c, stem, ending)) text = files_read(path, NULL);
  if (!text && files_path(path, "%s/cmodel/%s.%s", s->root, stem, ending))
    text = files_read(path, NULL);
  return text ? text : strdup("");
}

static bool listed(const char *const *stem, unsigned n, const char *name) {
  for (unsigned i = 0; i < n; i++)
    if (strcmp(stem[i], name) == 0) return true;
  return false;
}

/* Adds the modules whose headers a text includes to the `n` stems; returns their number then. */
static unsigned add_included(const char *text, const char *stem[SOURCES_MAX], unsigned n) {
  char include[128];
  for (unsigned i = 0; text && modules_at(i) && n + 1 < SOURCES_MAX; i++) {
    snprintf(include, sizeof include, "#include \"%s.h\"", modules_at(i)->stem);
    if (!listed(stem, n, modules_at(i)->stem) && strstr(text, include))
      stem[n++] = modules_at(i)->stem;
  }
  return n;
}

/* The module, those that it includes, and theirs; returns their number. */
static unsigned stems_of(const sources_t *s, const module_class_t *cls,
                         const char *stem[SOURCES_MAX]) {
  static const char *const endings[] = {"c", "h"};
  unsigned n = 0;
  stem[n++] = cls->stem;
  for (unsigned at = 0; at < n; at++)
    for (unsigned e = 0; e < 2; e++) {
      char *text = text_of(s, stem[at], endings[e]);
      n = add_included(text, stem, n);
      free(text);
    }
  return n;
}

/* The source compiled for the proof, for the first of a module's stems and for the others. */
static bool proved_source(const sources_t *s, const char *stem, bool first, char *path) {
  return first && s->inv ? files_path(path, "%s", s->inv) : source_of(s, stem, path);
}

int sources_compile(const sources_t *s, const module_class_t *cls,
                    char object[SOURCES_MAX][FILES_PATH], unsigned *n, mrpb_err_t *err) {
  char path[FILES_PATH];
  const char *stem[SOURCES_MAX];
  *n = 0;
  if (substitute_all(s, cls, err) != 0) return MODEL_BAD_INPUT;
  const unsigned stems = stems_of(s, cls, stem);
  int rc = MODEL_OK;
  if (files_path(path, "%s/cmodel/module.c", s->root) &&
      files_path(object[0], "%s/module.bc", s->temp))
    rc = sources_bitcode(s, path, object[(*n)++], err);
  for (unsigned i = 0; rc == MODEL_OK && i < stems; i++)
    if (files_path(object[*n], "%s/%s.bc", s->temp, stem[i]) &&
        proved_source(s, stem[i], i == 0, path))
      rc = sources_bitcode(s, path, object[(*n)++], err);
  if (rc != MODEL_OK || *n >= 2) return rc;
  mrpb_fail(err, "%s: no C model of %s there", s->root, cls->stem);
  return MODEL_BAD_INPUT;
}

int sources_plain(const sources_t *s, const module_class_t *cls, char path[SOURCES_MAX][FILES_PATH],
                  unsigned *n, mrpb_err_t *err) {
  static const char *const places[] = {"cmodel", "tb/verify/prove/parts"};
  const bool folder = s->c && files_is_folder(s->c);
  const char *stem[SOURCES_MAX];
  const unsigned stems = stems_of(s, cls, stem);
  bool good = files_path(path[0], "%s/cmodel/module.c", s->root);
  for (unsigned i = 0; i < stems; i++) {
    char *to = path[i + 1];
    bool found = s->c && !folder && i == 0 && files_path(to, "%s", s->c);
    if (folder) found = files_path(to, "%s/%s.c", s->c, stem[i]) && files_exists(to);
    for (unsigned k = 0; !found && k < sizeof places / sizeof *places; k++)
      found = files_path(to, "%s/%s/%s.c", s->root, places[k], stem[i]) && files_exists(to);
    good = good && found;
  }
  *n = stems + 1;
  return good ? 0 : mrpb_fail(err, "%s: no C model of %s there", s->root, cls->stem);
}

char *sources_invariant(const sources_t *s, const module_class_t *cls) {
  char path[FILES_PATH];
  return proved_source(s, cls->stem, true, path) ? files_read(path, NULL) : NULL;
}
