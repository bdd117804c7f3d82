/* SPDX-License-Identifier: Apache-2.0 */
/* The list of sections, and the two files made from them. */
#include "estimate/report.h"

#include "estimate/sections.h"
#include "base/json_out.h"
#include "base/memory_file.h"

#include <inttypes.h>
#include <stdlib.h>

/* Ends with a NULL name. */
static const estimate_section_t sections[] = {
    {"storage", "Storage", storage_section},         {"cacti", "Storage in CACTI", cacti_section},
    {"paper", "The paper's setting", paper_section}, {"logic", "Logic", logic_section},
    {"activity", "Activity", activity_section},      {NULL, NULL, NULL},
};

void estimate_table(FILE *md, const estimate_t *e, const char *label) {
  fprintf(md, "| %s |", label);
  for (unsigned i = 0; i < e->n_columns; i++) fprintf(md, " %s |", e->column[i].name);
  fprintf(md, "\n| --- |");
  for (unsigned i = 0; i < e->n_columns; i++) fprintf(md, " ---: |");
  fputc('\n', md);
}

static json_t *columns_json(const estimate_t *e) {
  json_t *list = json_array();
  for (unsigned i = 0; i < e->n_columns; i++) {
    char hash[24];
    json_t *o = json_object();
    snprintf(hash, sizeof hash, "%016" PRIx64, config_hash(&e->column[i].cfg));
    json_out_set(&o, "name", json_string(e->column[i].name));
    json_out_set(&o, "config_hash", json_string(hash));
    json_out_append(&list, o);
  }
  return list;
}

/* Writes the text before the sections. It comes last, when it is known what is missing. */
static void head(FILE *md, const estimate_t *e) {
  const char *name;
  json_t *version, *line;
  size_t at;
  fprintf(md, "# Estimate of %s\n\n", e->name);
  fprintf(md, "Configuration: `%s`", e->opt.config ? e->opt.config : "the defaults, Base-S");
  for (unsigned i = 0; i < e->opt.n_sets; i++) fprintf(md, " `--set %s`", e->opt.set[i]);
  for (unsigned i = 0; i < e->opt.n_varies; i++) fprintf(md, " `--vary %s`", e->opt.vary[i]);
  fprintf(md, "\n\n");
  if (json_array_size(e->brief)) fputs("## In short\n\n", md);
  json_array_foreach(e->brief, at, line) fprintf(md, "%s\n", json_string_value(line));
  if (json_array_size(e->brief)) fputs("## What was estimated\n\n", md);
  estimate_table(md, e, "alternative");
  fprintf(md, "| hash of its configuration |");
  for (unsigned i = 0; i < e->n_columns; i++)
    fprintf(md, " %016" PRIx64 " |", config_hash(&e->column[i].cfg));
  fprintf(md,
          "\n\nThe same figures for programs: `estimate.json`. docs/estimate/ explains them.\n");
  if (json_object_size(e->tools)) fprintf(md, "\nTools that were run:");
  json_object_foreach(e->tools, name, version)
      fprintf(md, " %s %s;", name, json_string_value(version));
  if (json_object_size(e->tools)) fputc('\n', md);
  if (!json_array_size(e->missing)) return;
  fprintf(md, "\nMissing in this report:\n\n");
  json_array_foreach(e->missing, at, line) fprintf(md, "- %s\n", json_string_value(line));
}

/* Makes all sections as text, which the caller frees, and as JSON. */
static char *make_sections(estimate_t *e, json_t **all, mrpb_err_t *err) {
  char *text = NULL;
  size_t size;
  FILE *md = memory_file(&text, &size);
  int rc = md ? 0 : mrpb_fail(err, "out of memory");
  for (unsigned i = 0; sections[i].name && rc == 0; i++) {
    json_t *json = json_object();
    fprintf(md, "\n## %s\n\n", sections[i].title);
    rc = sections[i].make(e, md, &json, err);
    json_out_set(all, sections[i].name, json);
  }
  if (md && !estimate_closed(md) && rc == 0) rc = mrpb_fail(err, "out of memory");
  if (rc == 0) return text;
  free(text);
  return NULL;
}

static int write_json(estimate_t *e, json_t *all, mrpb_err_t *err) {
  json_t *o = json_object();
  json_out_set(&o, "configuration", json_string(e->name));
  json_out_set(&o, "columns", columns_json(e));
  json_out_set(&o, "tools", json_incref(e->tools));
  json_out_set(&o, "missing", json_incref(e->missing));
  json_out_set(&o, "sections", all);
  json_out_set(&o, "files", json_incref(e->files));
  char *text = json_out_text(o, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  json_decref(o);
  int rc = text ? estimate_write(e, "estimate.json", text, err) : mrpb_fail(err, "out of memory");
  free(text);
  return rc;
}

static int write_page(estimate_t *e, const char *body, mrpb_err_t *err) {
  char *text = NULL;
  size_t size;
  FILE *md = memory_file(&text, &size);
  if (!md) return mrpb_fail(err, "out of memory");
  head(md, e);
  fputs(body, md);
  int rc = !estimate_closed(md) ? mrpb_fail(err, "out of memory")
                                : estimate_write(e, "report.md", text, err);
  free(text);
  return rc;
}

int estimate_report(estimate_t *e, mrpb_err_t *err) {
  if (estimate_begin(e, err) != 0) return -1;
  json_t *all = json_object();
  char *body = make_sections(e, &all, err);
  int rc = body ? write_json(e, all, err) : (json_decref(all), -1);
  if (rc == 0) rc = write_page(e, body, err);
  if (rc == 0) rc = estimate_commit(e, err);
  if (rc != 0) estimate_discard(e);
  free(body);
  return rc;
}
