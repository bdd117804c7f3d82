/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the document share: internal to tb/studies/report. */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "base/json_out.h"
#include "config/config.h"
#include "studies/report/report.h"

#include <stddef.h>

/* ---- tables: CSV, and those of a page in Markdown ---- */

/* All rows are as long as the first, which names the columns. */
typedef struct {
  const char *path;
  char *text;  /* where the cells lie */
  char **cell; /* row by row */
  size_t rows, columns, room;
} report_table_t;

int report_table_csv(report_table_t *t, const char *path, mrpb_err_t *err);
/* The first table below the line `heading` and before the next heading of its kind; NULL: of the
 * page. No rows if there is none. */
int report_table_markdown(report_table_t *t, const char *path, const char *heading,
                          mrpb_err_t *err);
void report_table_free(report_table_t *t);
const char *report_cell(const report_table_t *t, size_t row, size_t column);
/* As a number if all of it is one; null if there is none ("", "-", "nan"); else as it stands. */
json_t *report_json_cell(const char *text);
/* The first row must be these names. */
int report_table_is(const report_table_t *t, const char *const *name, size_t n, mrpb_err_t *err);

/* ---- configurations ---- */

/* The keys in which `cfg` differs from `base`: [{key, base, value}]; NULL without memory. */
json_t *report_differs(const config_t *base, const config_t *cfg);

/* ---- the parts ---- */

json_t *report_figures(const report_inputs_t *in, mrpb_err_t *err);
json_t *report_accuracy(const char *path, mrpb_err_t *err);
json_t *report_modules(const char *path, mrpb_err_t *err);
json_t *report_estimate(const char *path, mrpb_err_t *err);
json_t *report_studies(const char *folder, mrpb_err_t *err);
json_t *report_sweep(const report_inputs_t *in, const char *path, mrpb_err_t *err);

#endif
