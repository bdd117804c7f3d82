/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles beside the reference's, from the file that tests/gpu/accuracy.sh writes. */
#include "studies/report/parts.h"

#include <stdbool.h>
#include <string.h>

enum { COMMAND = 512, SETTINGS = 4 };

static const char *const accuracy_columns[] = {"group",    "config", "kernel", "size",
                                               "cut",      "steps",  "set",    "reference",
                                               "defaults", "text",   "order",  "clocks"};
enum { GROUP, CONFIG, KERNEL, SIZE, CUT, STEPS, SET, REFERENCE, DEFAULTS, COLUMNS = 12 };

static bool given(const report_table_t *t, size_t row, size_t column) {
  return strcmp(report_cell(t, row, column), "-") != 0;
}

/* The command as tests/gpu/accuracy.sh calls it. The texts that the reference ran are different
 * models. */
static json_t *accuracy_command(const report_table_t *t, size_t row, unsigned setting) {
  static const char *const more[SETTINGS] = {"", "", " --set MEMORY_ORDER=reference",
                                             " --set MEMORY_ORDER=reference --set CLOCKS=exact"};
  const char *group = report_cell(t, row, GROUP), *model = "";
  char text[COMMAND];
  if (strcmp(group, "clang") == 0 || strcmp(group, "atax") == 0 || strcmp(group, "sched") == 0)
    model = " --model C";
  else if (strcmp(group, "text") == 0)
    model = " --model B";
  size_t n = (size_t)snprintf(text, sizeof text, "build/mrpb run -c configs/%s.conf --kernel %s",
                              report_cell(t, row, CONFIG), report_cell(t, row, KERNEL));
  static const char *const option[] = {
      [SIZE] = "size", [CUT] = "cut", [STEPS] = "steps", [SET] = "set"};
  for (size_t i = SIZE; i <= SET && n < sizeof text; i++)
    if (given(t, row, i))
      n += (size_t)snprintf(text + n, sizeof text - n, " --%s %s", option[i],
                            report_cell(t, row, i));
  if (n < sizeof text)
    snprintf(text + n, sizeof text - n, "%s%s", setting ? model : "", more[setting]);
  return json_string(text);
}

static json_t *accuracy_row(const report_table_t *t, size_t row) {
  json_t *o = json_object(), *values = json_array(), *commands = json_array();
  for (size_t i = GROUP; i <= REFERENCE; i++)
    json_out_set(&o, accuracy_columns[i], report_json_cell(report_cell(t, row, i)));
  for (unsigned s = 0; s < SETTINGS; s++) {
    json_out_append(&values, report_json_cell(report_cell(t, row, DEFAULTS + s)));
    json_out_append(&commands, accuracy_command(t, row, s));
  }
  json_out_set(&o, "values", values);
  json_out_set(&o, "commands", commands);
  return o;
}

/* Takes rows of cycles only; the other rows are means of several runs. */
json_t *report_accuracy(const char *path, mrpb_err_t *err) {
  static const char *const cycles[] = {"clang", "text", "rodinia", "atax", "sched"};
  report_table_t t;
  if (report_table_csv(&t, path, err) != 0) return NULL;
  json_t *o = NULL, *rows = json_array(), *settings = json_array();
  if (report_table_is(&t, accuracy_columns, COLUMNS, err) == 0) o = json_object();
  for (size_t r = 1; o && r < t.rows; r++)
    for (size_t g = 0; g < sizeof cycles / sizeof *cycles; g++)
      if (strcmp(report_cell(&t, r, GROUP), cycles[g]) == 0)
        json_out_append(&rows, accuracy_row(&t, r));
  for (size_t s = 0; o && s < SETTINGS; s++)
    json_out_append(&settings, json_string(accuracy_columns[DEFAULTS + s]));
  report_table_free(&t);
  if (!o) {
    json_decref(rows);
    json_decref(settings);
    return NULL;
  }
  json_out_set(&o, "source", json_string(path));
  json_out_set(&o, "command", json_string("make accuracy"));
  json_out_set(&o, "settings", settings);
  json_out_set(&o, "rows", rows);
  return o;
}
