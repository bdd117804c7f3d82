/* SPDX-License-Identifier: Apache-2.0 */
/* The report of an estimate: sections in the order of one list (report.c), each written as Markdown
 * for report.md and as an object of estimate.json. Both files appear only when everything is
 * complete. */
#ifndef ESTIMATE_REPORT_H
#define ESTIMATE_REPORT_H

#include "estimate/estimate.h"

#include <stdio.h>

typedef struct {
  const char *name;  /* its object in estimate.json */
  const char *title; /* its heading */
  /* Writes the section's text to `md`, below a heading of level 2, and its figures into the object
   * *json (json_out.h: NULL if memory ran out). Returns 0, or -1 and a message in err, which ends
   * the estimate. A figure that is only missing is not an error: estimate_missing. */
  int (*make)(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err);
} estimate_section_t;

/* Makes all sections and writes both files. If it fails, the folder stays as it was. */
int estimate_report(estimate_t *e, mrpb_err_t *err);

/* Writes a table's first line with `label` and its rule; there is one column per alternative. */
void estimate_table(FILE *md, const estimate_t *e, const char *label);

#endif
