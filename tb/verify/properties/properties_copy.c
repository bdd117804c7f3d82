/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/properties/properties_copy.h"

#include "base/files.h"
#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *root, *rtl, *module, *dir;
} copy_t;

static bool exists_in(const copy_t *c, const char *stem, const char *kind) {
  char path[FILES_PATH];
  return files_path(path, "%s/rtl/formal/%s_%s.vh", c->root, stem, kind) && files_exists(path);
}

/* Writes <dir>/<stem>.v, with includes before its last endmodule if there is anything to
 * include. */
static int copy_module(const copy_t *c, const char *stem, mrpb_err_t *err) {
  char path[FILES_PATH];
  if (!files_path(path, "%s/%s.v", c->rtl, stem)) return mrpb_fail(err, "path too long");
  char *text = files_read(path, NULL);
  if (!text) return mrpb_fail(err, "%s: cannot read: %s", path, strerror(errno));
  char *end = NULL;
  for (char *at = text; (at = strstr(at, "endmodule")); at++) end = at;
  char name[PROPERTIES_STEM + 2];
  snprintf(name, sizeof name, "%s.v", stem);
  FILE *f = end ? output_into(c->dir, name, err) : NULL;
  if (f) {
    fprintf(f, "%.*s", (int)(end - text), text);
    if (exists_in(c, stem, "view")) fprintf(f, "`include \"%s_view.vh\"\n", stem);
    if (strcmp(stem, c->module) == 0) fprintf(f, "`include \"%s_props.vh\"\n", stem);
    fputs(end, f);
  }
  free(text);
  if (!end) return mrpb_fail(err, "%s/%s.v: no endmodule in it", c->rtl, stem);
  return f ? output_into_end(f, false, c->dir, name, err) : -1;
}

static int copy_rtl(const copy_t *c, FILE *script, mrpb_err_t *err) {
  DIR *d = opendir(c->rtl);
  if (!d) return mrpb_fail(err, "--rtl %s: %s", c->rtl, strerror(errno));
  bool any = false; /* Yosys refuses to read an empty list of files */
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    size_t n = strlen(e->d_name);
    char stem[PROPERTIES_STEM];
    if (n < 3 || n - 2 >= sizeof stem || strcmp(e->d_name + n - 2, ".v") != 0) continue;
    snprintf(stem, sizeof stem, "%.*s", (int)(n - 2), e->d_name);
    if (copy_module(c, stem, err) != 0) {
      closedir(d);
      return -1;
    }
    if (strcmp(stem, c->module) == 0) continue;
    fprintf(script, "%s %s.v", any ? "" : "read_verilog -formal -DSYNTHESIS -I. -defer", stem);
    any = true;
  }
  closedir(d);
  fprintf(script, "\nread_verilog -formal -DSYNTHESIS -I%s/rtl/formal -I. %s.v\n", c->root,
          c->module);
  return 0;
}

int properties_copy(const properties_setup_t *setup, const properties_line_t *line, const char *dir,
                    FILE *script, mrpb_err_t *err) {
  const copy_t copy = {.root = setup->root, .rtl = setup->rtl, .module = line->module, .dir = dir};
  char sizes[PROPERTIES_SIZES], *save = NULL;
  fprintf(script, "verilog_defaults -add -I%s/rtl/formal\n", setup->root);
  if (copy_rtl(&copy, script, err) != 0) return -1;
  snprintf(sizes, sizeof sizes, "%s", line->sizes);
  for (char *p = strtok_r(sizes, " ", &save); p; p = strtok_r(NULL, " ", &save)) {
    char *value = strchr(p, '=');
    fprintf(script, "chparam -set %.*s %s %s\n", (int)(value - p), p, value + 1, line->module);
  }
  fprintf(script, "hierarchy -check -top %s\nproc\nflatten\nscript lower.ys\n", line->module);
  return 0;
}
