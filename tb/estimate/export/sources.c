/* SPDX-License-Identifier: Apache-2.0 */
/* The Verilog files of which a module is made, and the lists of them that tools read: a file list,
 * FuseSoC's .core (CAPI2) and Bender.yml. */
#include "estimate/export/state.h"

#include "base/names.h"
#include "version.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Replaces comments by blanks: a comment may name a module of which this one is not made. */
static void blank_comments(char *text) {
  for (char *at = text; (at = strstr(at, "//")) != NULL;)
    while (*at && *at != '\n') *at++ = ' ';
}

static char *read_source(const export_t *e, const char *stem, mrpb_err_t *err) {
  char path[FILES_PATH];
  char *text = files_path(path, "%s/%s.v", e->rtl, stem) ? files_read(path, NULL) : NULL;
  if (!text) mrpb_fail(err, "%s/%s.v: cannot read: %s", e->rtl, stem, strerror(errno));
  return text;
}

static int add_source(export_t *e, const char *word, size_t n, mrpb_err_t *err) {
  char path[FILES_PATH];
  for (unsigned i = 0; i < e->n_sources; i++)
    if (strlen(e->source[i]) == n && memcmp(e->source[i], word, n) == 0) return 0;
  if (n >= EXPORT_NAME || !files_path(path, "%s/%.*s.v", e->rtl, (int)n, word) ||
      !files_exists(path))
    return 0;
  if (e->n_sources == EXPORT_SOURCES) return mrpb_fail(err, "%s: too many files", e->cls->stem);
  snprintf(e->source[e->n_sources++], EXPORT_NAME, "%.*s", (int)n, word);
  return 0;
}

/* Finds all files that the module reaches: a word that is a file's name is an instance of it. */
static int find_sources(export_t *e, mrpb_err_t *err) {
  if (add_source(e, e->cls->stem, strlen(e->cls->stem), err) != 0) return -1;
  if (e->n_sources == 0)
    return mrpb_fail(err, "%s/%s.v: not there; legal: a module of this project", e->rtl,
                     e->cls->stem);
  for (unsigned i = 0; i < e->n_sources; i++) {
    char *text = read_source(e, e->source[i], err);
    if (!text) return -1;
    blank_comments(text);
    for (const char *at = text; *at;) {
      size_t n = 0;
      while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
      if (n && add_source(e, at, n, err) != 0) {
        free(text);
        return -1;
      }
      at += n ? n : 1;
    }
    free(text);
  }
  return 0;
}

/* "  parameter integer ENTRIES = 32,": returns where the default begins, or NULL. */
static char *default_of(char *text, const char *name) {
  const size_t n = strlen(name);
  for (char *at = text; (at = strstr(at, "parameter integer ")) != NULL;) {
    at += strlen("parameter integer ");
    if (strncmp(at, name, n) != 0 || (at[n] != ' ' && at[n] != '=')) continue;
    at += n + strspn(at + n, " ");
    return *at == '=' ? at + 1 + strspn(at + 1, " ") : NULL;
  }
  return NULL;
}

/* Writes the module's own file. Its parameters stay parameters; their defaults are this size, so
 * that one instance without parameters stands for the Verilog, the netlist and the models alike. */
static int put_module(const export_t *e, char *text, FILE *f, mrpb_err_t *err) {
  char *at = text;
  for (unsigned i = 0; i < e->cls->n_params; i++) {
    char *value = default_of(text, e->cls->params[i].name);
    if (!value || value < at)
      return mrpb_fail(err, "%s.v: no `parameter integer %s = NUMBER` in the order of its page",
                       e->cls->stem, e->cls->params[i].name);
    fprintf(f, "%.*s%u", (int)(value - at), at, e->cfg[i]);
    at = value + strspn(value, "0123456789");
  }
  fputs(at, f);
  return 0;
}

static int put_source(export_t *e, unsigned i, mrpb_err_t *err) {
  char name[EXPORT_NAME];
  snprintf(name, sizeof name, "rtl/%.100s.v", e->source[i]);
  char *text = read_source(e, e->source[i], err);
  FILE *f = text ? export_open(e, name, err) : NULL;
  int rc = f ? 0 : -1;
  if (f && i == 0)
    rc = put_module(e, text, f, err);
  else if (f)
    fputs(text, f);
  if (f && export_close(e, f, name, err) != 0) rc = -1;
  free(text);
  return rc;
}

/* Helpers first: a tool that reads in order has seen a module before its instance. */
static void put_files(const export_t *e, FILE *f, const char *before) {
  for (unsigned i = e->n_sources; i-- > 0;) fprintf(f, "%srtl/%s.v\n", before, e->source[i]);
}

static int put_core(export_t *e, mrpb_err_t *err) {
  char name[EXPORT_NAME];
  EXPORT_NAMED(e, name, "%s.core");
  FILE *f = export_open(e, name, err);
  if (!f) return -1;
  fprintf(f,
          "CAPI=2:\n"
          "# FuseSoC: %s at %s\n"
          "name: \"mrpb:export:%s:" MRPB_VERSION "\"\n"
          "description: \"%s\"\n\n"
          "filesets:\n"
          "  rtl:\n"
          "    files:\n",
          e->cls->stem, e->sizes, e->cls->stem, e->cls->doc);
  put_files(e, f, "      - ");
  fputs("    file_type: verilogSource-2005\n", f);
  if (e->opt->run)
    fprintf(f,
            "  bench:\n"
            "    files:\n"
            "      - sim/%s_tb.v\n"
            "      - sim/%s_tb.hex: {copyto: sim/%s_tb.hex, file_type: user}\n"
            "    file_type: verilogSource-2005\n",
            e->cls->stem, e->cls->stem, e->cls->stem);
  fputs("\nparameters:\n", f);
  for (unsigned i = 0; i < e->cls->n_params; i++)
    fprintf(f, "  %s:\n    datatype: int\n    default: %u\n    paramtype: vlogparam\n",
            e->cls->params[i].name, e->cfg[i]);
  fprintf(f,
          "\ntargets:\n"
          "  default:\n"
          "    filesets:\n"
          "      - rtl\n"
          "    toplevel: %s\n",
          e->cls->stem);
  if (e->opt->run)
    fprintf(f,
            "  sim:\n"
            "    default_tool: icarus\n"
            "    filesets:\n"
            "      - rtl\n"
            "      - bench\n"
            "    toplevel: %s_tb\n",
            e->cls->stem);
  return export_close(e, f, name, err);
}

static int put_bender(export_t *e, mrpb_err_t *err) {
  FILE *f = export_open(e, "Bender.yml", err);
  if (!f) return -1;
  fprintf(f,
          "# SPDX-License-Identifier: Apache-2.0\n"
          "# %s at %s\n"
          "package:\n"
          "  name: %s\n\n"
          "sources:\n"
          "  - files:\n",
          e->cls->stem, e->sizes, e->cls->stem);
  put_files(e, f, "      - ");
  if (e->opt->run) fprintf(f, "  - target: test\n    files:\n      - sim/%s_tb.v\n", e->cls->stem);
  return export_close(e, f, "Bender.yml", err);
}

int export_sources(export_t *e, mrpb_err_t *err) {
  char name[EXPORT_NAME];
  if (find_sources(e, err) != 0) return -1;
  for (unsigned i = 0; i < e->n_sources; i++)
    if (put_source(e, i, err) != 0) return -1;
  EXPORT_NAMED(e, name, "%s.f");
  FILE *f = export_open(e, name, err);
  if (!f) return -1;
  put_files(e, f, "");
  if (export_close(e, f, name, err) != 0) return -1;
  return put_core(e, err) == 0 ? put_bender(e, err) : -1;
}
