/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb new: makes the folder of a user's module (docs/kit.md). */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "cli/cli.h"

#include "base/files.h"
#include "base/home.h"
#include "base/modules.h"
#include "base/modules_tree.h"
#include "base/output.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A template of cmodel/new/, and the text before and after the name in the resulting file's
 * name. */
static const struct {
  const char *from, *before, *behind;
} files[] = {
    {"ports.h.in", "@", ".ports.h"},
    {"h.in", "@", ".h"},
    {"c.in", "@", ".c"},
    {"v.in", "@", ".v"},
    {"md.in", "@", ".md"},
    {"stim.c.in", "@", "_stim.c"},
    {"inv.c.in", "@", "_inv.c"},
    {"props.vh.in", "@", "_props.vh"},
    {"test.c.in", "test_@", ".c"},
    {"Makefile.in", "", "Makefile"},
};
enum { N_FILES = sizeof files / sizeof *files };

typedef struct {
  const char *path;
} args_t;

static int take_path(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  (void)name;
  return cli_once(&a->path, v, "one module at a time", err);
}

/* Writes `text` with @NAME@ and @UPPER@ replaced. */
static void fill(FILE *f, const char *text, const char *name) {
  static const char lower[] = "@NAME@", upper[] = "@UPPER@";
  for (const char *s = text; *s;) {
    if (strncmp(s, lower, sizeof lower - 1) == 0) {
      fputs(name, f);
      s += sizeof lower - 1;
    } else if (strncmp(s, upper, sizeof upper - 1) == 0) {
      for (const char *c = name; *c; c++) fputc(toupper((unsigned char)*c), f);
      s += sizeof upper - 1;
    } else {
      fputc(*s++, f);
    }
  }
}

static int write_one(const char *root, const char *folder, unsigned i, const char *name,
                     mrpb_err_t *err) {
  char path[FILES_PATH], to[FILES_PATH];
  const size_t n = strcspn(files[i].before, "@");
  const bool named = files[i].before[0] != '\0';
  if (!files_path(path, "%s/cmodel/new/%s", root, files[i].from) ||
      !files_path(to, "%.*s%s%s", (int)n, files[i].before, named ? name : "", files[i].behind))
    return mrpb_fail(err, "%.300s: the path is too long", root);
  char *text = files_read(path, NULL);
  if (!text) return mrpb_fail(err, "%.400s: cannot be read: %s", path, strerror(errno));
  FILE *f = output_into(folder, to, err);
  if (f) fill(f, text, name);
  free(text);
  return f ? output_into_end(f, false, folder, to, err) : -1;
}

/* Writes all files into a temporary folder beside the final one and then renames it: all or
 * nothing. */
static int make(const char *path, const char *name, mrpb_err_t *err) {
  char root[FILES_PATH], temp[FILES_PATH];
  struct stat st;
  if (home_find(root, err) != 0 || modules_tree_room(root, name, err) != 0) return -1;
  if (lstat(path, &st) == 0)
    return mrpb_fail(err, "%.400s: exists already; legal: a new folder", path);
  if (!files_path(temp, "%s.XXXXXX", path))
    return mrpb_fail(err, "%.60s...: the path is too long", path);
  if (!mkdtemp(temp)) return mrpb_fail(err, "%.400s: %s", path, strerror(errno));
  const mode_t mask = umask(0);
  umask(mask);
  int rc = chmod(temp, 0777 & ~mask) == 0 ? 0 : mrpb_fail(err, "%.400s: %s", path, strerror(errno));
  for (unsigned i = 0; i < N_FILES && rc == 0; i++) rc = write_one(root, temp, i, name, err);
  if (rc == 0 && cli_signalled()) rc = mrpb_fail(err, "interrupted");
  if (rc == 0 && rename(temp, path) != 0) rc = mrpb_fail(err, "%.400s: %s", path, strerror(errno));
  if (rc != 0) files_remove_tree(temp, NULL);
  return rc;
}

/* With a source tree that is not installed, the module's Makefile must be told where the tree
 * is. */
static void say_next(const char *path, const char *name) {
  char root[FILES_PATH], tree[FILES_PATH];
  mrpb_err_t err = {""};
  const bool source =
      home_find(root, &err) == 0 && files_path(tree, "%s/Makefile", root) && files_exists(tree);
  printf("%s: a working module; next: make -C %s%s%s; mrpb cosim %s -m %s\n", path, path,
         source ? " KIT=" : "", source ? root : "", name, path);
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {""};
  args_t a = {NULL};
  char path[FILES_PATH];
  int rc = cli_parse(&cmd_new, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc == CLI_PARSED && !a.path) mrpb_fail(&err, "no name given; `mrpb new --help`");
  if (err.text[0]) return cli_fail("new", &err);
  if (!files_path(path, "%s", a.path))
    return mrpb_fail(&err, "%.60s...: the path is too long", a.path), cli_fail("new", &err);
  for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--) path[n - 1] = '\0';
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (modules_check_name(name, &err) != 0 || make(path, name, &err) != 0)
    return cli_fail("new", &err);
  say_next(path, name);
  return CLI_OK;
}

const cli_command_t cmd_new = {
    .name = "new",
    .operands = "NAME",
    .doc = "writes the folder NAME of your own module",
    .details = "Ports table, C model, Verilog, page, stimulus, invariant, properties, test and "
               "Makefile of a working queue.\nNAME may be a path; its last part is the "
               "module's name. Existing files are not overwritten. docs/kit.md",
    .operand = take_path,
    .run = run,
};
