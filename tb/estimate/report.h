/* SPDX-License-Identifier: Apache-2.0 */
/* The report of an estimate: sections in the order of one list (report.c), each written as Markdown
 * for report.md and as an object of estimate.json. Both files appear when all of it is complete. */
#ifndef ESTIMATE_REPORT_H
#define ESTIMATE_REPORT_H

#include "estimate/estimate.h"

#include <stdio.h>

typedef struct {
  const char *name;  /* its object in estimate.json */
  const char *title; /* its heading */
  /* Writes the section's text to `md`, below a heading of level 2, and its figures into the object
   * *json (json_out.h: NULL when memory ran out). 0, or -1 and a message, which ends the estimate.
   * What is only missing is no error: estimate_missing. */
  int (*make)(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err);
} estimate_section_t;

/* Makes all sections and writes both files; where it fails, the folder is as it was before. */
int estimate_report(estimate_t *e, mrpb_err_t *err);

/* The first line and the rule of a table with `label`, then one column an alternative. */
void estimate_table(FILE *md, const estimate_t *e, const char *label);

#endif
