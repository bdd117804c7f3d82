/* SPDX-License-Identifier: Apache-2.0 */
/* What the studies of GPUs found, from the pages of `make micro`. */
#include "studies/report/parts.h"

#include "base/files.h"

#include <stdbool.h>
#include <string.h>

static const char *const study_columns[] = {"what",      "unit",      "deduced",     "configured",
                                            "deduction", "published", "publication", "origin",
                                            "from",      "note"};
enum { STUDY_COLUMNS = sizeof study_columns / sizeof *study_columns };

static json_t *study_rows(const report_table_t *t) {
  json_t *rows = json_array();
  for (size_t r = 1; r < t->rows; r++) {
    json_t *o = json_object();
    for (size_t i = 0; i < STUDY_COLUMNS; i++)
      json_out_set(&o, study_columns[i], report_json_cell(report_cell(t, r, i)));
    json_out_append(&rows, o);
  }
  return rows;
}

/* "[m2070](m2070.md)" */
static bool study_name(const char *cell, char name[FILES_PATH]) {
  const size_t n = strcspn(cell, "]");
  return cell[0] == '[' && n > 1 && cell[n] && files_path(name, "%.*s", (int)n - 1, cell + 1);
}

static json_t *study(const char *folder, const report_table_t *index, size_t row, mrpb_err_t *err) {
  char name[FILES_PATH], path[FILES_PATH], command[FILES_PATH + 32];
  report_table_t t;
  if (!study_name(report_cell(index, row, 0), name) || !files_path(path, "%s/%s.md", folder, name))
    return (void)mrpb_fail(err, "%s: '%s'; legal: [GPU](GPU.md)", index->path,
                           report_cell(index, row, 0)),
           NULL;
  if (report_table_markdown(&t, path, NULL, err) != 0) return NULL;
  json_t *o = NULL;
  if (report_table_is(&t, study_columns, STUDY_COLUMNS, err) == 0) {
    o = json_object();
    json_out_set(&o, "gpu", json_string(name));
    json_out_set(&o, "title", json_string(report_cell(index, row, 1)));
    json_out_set(&o, "source", json_string(path));
    snprintf(command, sizeof command, "make micro GPU=%s", name);
    json_out_set(&o, "command", json_string(command));
    json_out_set(&o, "rows", study_rows(&t));
  }
  report_table_free(&t);
  return o;
}

json_t *report_studies(const char *folder, mrpb_err_t *err) {
  char path[FILES_PATH];
  report_table_t index;
  if (!files_path(path, "%s/README.md", folder))
    return (void)mrpb_fail(err, "%s: legal: a shorter name", folder), NULL;
  if (report_table_markdown(&index, path, NULL, err) != 0) return NULL;
  json_t *list = json_array();
  int rc = index.columns > 1 ? 0 : mrpb_fail(err, "%s: legal: a table of GPUs", path);
  for (size_t r = 1; r < index.rows && rc == 0; r++) {
    json_t *one = study(folder, &index, r, err);
    if (one)
      json_out_append(&list, one);
    else
      rc = -1;
  }
  report_table_free(&index);
  if (rc == 0) return list;
  json_decref(list);
  return NULL;
}
