/* SPDX-License-Identifier: Apache-2.0 */
/* The Verilog with its properties inserted, and a .sby file that decides them with SymbiYosys. */
#include "estimate/export/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Cycles that are searched from power-up, and steps of the induction. */
enum { DEPTH = 12 };

static bool has_part(const export_t *e, const char *stem, const char *kind) {
  char path[FILES_PATH];
  return files_path(path, "%s/formal/%s_%s.vh", e->rtl, stem, kind) && files_exists(path);
}

static int copy_part(export_t *e, const char *stem, const char *kind, mrpb_err_t *err) {
  char path[FILES_PATH], name[EXPORT_NAME];
  if (!has_part(e, stem, kind)) return 0;
  if (!files_path(path, "%s/formal/%s_%s.vh", e->rtl, stem, kind))
    return mrpb_fail(err, "path too long");
  snprintf(name, sizeof name, "formal/%.48s_%s.vh", stem, kind);
  return export_copy(e, path, name, err);
}

/* Writes formal/<stem>.v: the exported file, with includes before its last endmodule. */
static int put_module(export_t *e, unsigned i, mrpb_err_t *err) {
  char path[FILES_PATH], name[EXPORT_NAME], *end = NULL;
  const char *stem = e->source[i];
  if (!files_path(path, "%s/rtl/%s.v", e->work, stem)) return mrpb_fail(err, "path too long");
  char *text = files_read(path, NULL);
  if (!text) return mrpb_fail(err, "%s: cannot read: %s", path, strerror(errno));
  for (char *at = text; (at = strstr(at, "endmodule")); at++) end = at;
  snprintf(name, sizeof name, "formal/%.100s.v", stem);
  FILE *f = end ? export_open(e, name, err) : NULL;
  if (f) {
    fprintf(f, "%.*s", (int)(end - text), text);
    if (has_part(e, stem, "view")) fprintf(f, "`include \"%s_view.vh\"\n", stem);
    if (i == 0 && has_part(e, stem, "props")) fprintf(f, "`include \"%s_props.vh\"\n", stem);
    fputs(end, f);
  }
  free(text);
  if (!end) return mrpb_fail(err, "%s: no endmodule in it", path);
  return f ? export_close(e, f, name, err) : -1;
}

static void put_script(const export_t *e, FILE *f) {
  fprintf(f, "[script]\n");
  if (e->n_sources > 1) {
    fprintf(f, "read_verilog -formal -DSYNTHESIS -defer");
    for (unsigned i = e->n_sources; i-- > 1;) fprintf(f, " %s.v", e->source[i]);
    fprintf(f, "\n");
  }
  fprintf(f,
          "read_verilog -formal -DSYNTHESIS %s.v\n"
          "hierarchy -check -top %s\n"
          "proc\nflatten\nopt_clean\n"
          "memory -nordff -nomap\nmemory_map\nopt -full\nasync2sync\ndffunmap\n\n",
          e->cls->stem, e->cls->stem);
}

static void put_list(const export_t *e, FILE *f) {
  fprintf(f, "[files]\n");
  for (unsigned i = 0; i < e->n_sources; i++) {
    fprintf(f, "%s.v\n", e->source[i]);
    if (has_part(e, e->source[i], "view")) fprintf(f, "%s_view.vh\n", e->source[i]);
  }
  if (has_part(e, e->cls->stem, "props")) fprintf(f, "%s_props.vh\n", e->cls->stem);
}

int export_formal(export_t *e, mrpb_err_t *err) {
  char name[EXPORT_NAME];
  for (unsigned i = 0; i < e->n_sources; i++)
    if (put_module(e, i, err) != 0 || copy_part(e, e->source[i], "view", err) != 0) return -1;
  if (copy_part(e, e->cls->stem, "props", err) != 0) return -1;
  EXPORT_NAMED(e, name, "formal/%s.sby");
  FILE *f = export_open(e, name, err);
  if (!f) return -1;
  fprintf(f,
          "# SymbiYosys: the properties of %s at %s, from power-up and by induction.\n"
          "# Large sizes take hours; docs/verify/properties.md names sizes that take minutes.\n"
          "[tasks]\nbmc\nprove\n\n"
          "[options]\nbmc: mode bmc\nprove: mode prove\ndepth %d\n\n"
          "[engines]\nsmtbmc --unroll z3\n\n",
          e->cls->stem, e->sizes, DEPTH);
  put_script(e, f);
  put_list(e, f);
  return export_close(e, f, name, err);
}
