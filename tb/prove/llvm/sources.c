#define _DEFAULT_SOURCE /* realpath */
#include "prove/llvm/sources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The first error that clang wrote. */
static int explain(const char *log, const char *source, int status, mrpb_err_t *err) {
  char line[512];
  FILE *f = fopen(log, "r");
  while (f && fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = '\0';
    if (strstr(line, "error:")) mrpb_fail(err, "%s", line);
  }
  if (f) fclose(f);
  mrpb_fail(err, "clang-14 failed (exit %d) on %s", status, source);
  return MODEL_BAD_INPUT;
}

/* What clang's front end knows to be undefined and LLVM's instructions do not show. */
#define CHECKS                                                                                     \
  "-fsanitize=signed-integer-overflow,shift-base,array-bounds,bool,builtin,unreachable,"           \
  "vla-bound,nonnull-attribute,returns-nonnull-attribute,float-cast-overflow"

int sources_bitcode(const sources_t *s, const char *source, const char *object, mrpb_err_t *err) {
  char own[RTL_PATH], folder[RTL_PATH], here[RTL_PATH], models[RTL_PATH], tb[RTL_PATH];
  char log[RTL_PATH];
  /* What stands for a source of cmodel/ comes first. */
  const char *other = s->c && rtl_is_folder(s->c) ? s->c : s->temp;
  if (!rtl_path(own, "-I%s/own", s->temp) || !rtl_path(folder, "-I%s", other) ||
      !rtl_path(here, "-I%s", s->root) || !rtl_path(models, "-I%s/cmodel", s->root) ||
      !rtl_path(tb, "-I%s/tb", s->root) || !rtl_path(log, "%s/clang.log", s->temp))
    return mrpb_fail(err, "the path is too long"), MODEL_BAD_INPUT;
  const char *argv[] = {"clang-14",
                        "-std=c11",
                        "-D_POSIX_C_SOURCE=200809L",
                        "-O1",
                        "-Xclang",
                        "-disable-llvm-passes",
                        "-g",
                        CHECKS,
                        "-fsanitize-trap=all",
                        "-emit-llvm",
                        own,
                        folder,
                        here,
                        models,
                        tb,
                        "-c",
                        source,
                        "-o",
                        object,
                        NULL};
  int rc = rtl_run(argv, log);
  if (rc == 0) return MODEL_OK;
  if (rc == 127)
    return mrpb_fail(err, "clang-14 is missing: it is in the package of that name"), MODEL_BAD_TOOL;
  return explain(log, source, rc, err);
}

/* The file that stands for a module: its invariant, which includes the model, or the model itself,
 * or the specification of a part. */
static bool source_of(const sources_t *s, const char *stem, char *path) {
  static const char *const places[] = {"tb/prove/inv", "cmodel", "tb/prove/parts"};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
    if (i == 1 && rtl_path(path, "%s/own/cmodel/%s.c", s->temp, stem) && rtl_exists(path))
      return true;
    if (rtl_path(path, "%s/%s/%s.c", s->root, places[i], stem) && rtl_exists(path)) return true;
  }
  return false;
}

/* Has `file` stand for cmodel/<stem>.c: a source that includes it, where clang looks first. */
static int substitute(const sources_t *s, const char *stem, const char *file, mrpb_err_t *err) {
  char path[RTL_PATH];
  char *full = realpath(file, NULL);
  FILE *f = full && rtl_path(path, "%s/own/cmodel/%s.c", s->temp, stem) ? fopen(path, "w") : NULL;
  bool good = f && !strpbrk(full, "\"\\\n") && fprintf(f, "#include \"%s\"\n", full) > 0;
  if (f && fclose(f) != 0) good = false;
  free(full);
  return good ? 0 : mrpb_fail(err, "--c %s: cannot be read, or has a quote in its path", file);
}

/* The files that the user gives for those of cmodel/. */
static int substitute_all(const sources_t *s, const module_class_t *cls, mrpb_err_t *err) {
  char path[RTL_PATH];
  unsigned found = 0;
  if (!s->c) return 0;
  if (rtl_path(path, "%s/own", s->temp)) (void)mkdir(path, 0777);
  if (rtl_path(path, "%s/own/cmodel", s->temp)) (void)mkdir(path, 0777);
  FILE *f = fopen(s->c, "r");
  if (!f) return mrpb_fail(err, "--c %s: cannot be read: %s", s->c, strerror(errno));
  fclose(f);
  if (!rtl_is_folder(s->c)) return substitute(s, cls->stem, s->c, err);
  for (unsigned i = 0; module_class_at(i); i++) {
    const char *stem = module_class_at(i)->stem;
    if (!rtl_path(path, "%s/%s.c", s->c, stem) || !rtl_exists(path)) continue;
    if (substitute(s, stem, path, err) != 0) return -1;
    found++;
  }
  if (found > 0) return 0;
  return mrpb_fail(err, "--c %s: no C file in it has the name of one of cmodel/", s->c);
}

/* The model's own text, for what it includes. */
static char *text_of(const sources_t *s, const char *stem) {
  char path[RTL_PATH];
  const bool folder = s->c && rtl_is_folder(s->c);
  char *text = s->c && !folder ? rtl_read_file(s->c, NULL) : NULL;
  if (folder && rtl_path(path, "%s/%s.c", s->c, stem)) text = rtl_read_file(path, NULL);
  if (!text && rtl_path(path, "%s/cmodel/%s.c", s->root, stem)) text = rtl_read_file(path, NULL);
  return text ? text : strdup("");
}

int sources_compile(const sources_t *s, const module_class_t *cls,
                    char object[SOURCES_MAX][RTL_PATH], unsigned *n, mrpb_err_t *err) {
  char path[RTL_PATH], include[128];
  *n = 0;
  if (substitute_all(s, cls, err) != 0) return MODEL_BAD_INPUT;
  char *text = text_of(s, cls->stem);
  int rc = MODEL_OK;
  if (rtl_path(path, "%s/cmodel/module.c", s->root) && rtl_path(object[0], "%s/module.bc", s->temp))
    rc = sources_bitcode(s, path, object[(*n)++], err);
  if (rc == MODEL_OK && text && rtl_path(object[1], "%s/%s.bc", s->temp, cls->stem) &&
      (s->inv ? rtl_path(path, "%s", s->inv) : source_of(s, cls->stem, path)))
    rc = sources_bitcode(s, path, object[(*n)++], err);
  for (unsigned i = 0; rc == MODEL_OK && text && module_class_at(i) && *n < SOURCES_MAX; i++) {
    const char *stem = module_class_at(i)->stem;
    snprintf(include, sizeof include, "#include \"%s.h\"", stem);
    if (strcmp(stem, cls->stem) == 0 || !strstr(text, include)) continue;
    if (rtl_path(object[*n], "%s/%s.bc", s->temp, stem) && source_of(s, stem, path))
      rc = sources_bitcode(s, path, object[(*n)++], err);
  }
  free(text);
  if (rc != MODEL_OK || *n >= 2) return rc;
  mrpb_fail(err, "%s: no C model of %s there", s->root, cls->stem);
  return MODEL_BAD_INPUT;
}
