/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the parts of the report share. Internal to tb/studies/report. */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "base/json_out.h"
#include "config/config.h"
#include "studies/report/report.h"

#include <stddef.h>

/* ---- tables: CSV, and those of a page in Markdown ---- */

/* All rows are as long as the first row, which names the columns. */
typedef struct {
  const char *path;
  char *text;  /* holds the cells */
  char **cell; /* row by row */
  size_t rows, columns, room;
} report_table_t;

int report_table_csv(report_table_t *t, const char *path, mrpb_err_t *err);
/* Reads the first table below the line `heading` and before the next heading of the same level;
 * NULL: the first table of the page. The result has no rows if there is no such table. Returns 0,
 * or -1 and a message in err. */
int report_table_markdown(report_table_t *t, const char *path, const char *heading,
                          mrpb_err_t *err);
void report_table_free(report_table_t *t);
const char *report_cell(const report_table_t *t, size_t row, size_t column);
/* The cell as a number if its whole text is a number; null if it is empty ("", "-", "nan");
 * otherwise the text itself. */
json_t *report_json_cell(const char *text);
/* Checks that the first row consists of these names. Returns 0, or -1 and a message in err. */
int report_table_is(const report_table_t *t, const char *const *name, size_t n, mrpb_err_t *err);

/* ---- configurations ---- */

/* The keys in which `cfg` differs from `base`, as [{key, base, value}]; NULL if out of memory. */
json_t *report_differs(const config_t *base, const config_t *cfg);

/* ---- the parts ---- */

json_t *report_figures(const report_inputs_t *in, mrpb_err_t *err);
json_t *report_accuracy(const char *path, mrpb_err_t *err);
json_t *report_modules(const char *path, mrpb_err_t *err);
json_t *report_estimate(const char *path, mrpb_err_t *err);
json_t *report_studies(const char *folder, mrpb_err_t *err);
json_t *report_run(const char *path, mrpb_err_t *err);
json_t *report_sweep(const report_inputs_t *in, const char *path, mrpb_err_t *err);

#endif
