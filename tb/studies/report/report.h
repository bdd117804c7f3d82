/* SPDX-License-Identifier: Apache-2.0 */
/* What the project has measured as one JSON document, and that document in a page that needs no
 * network: docs/report.md has the document's keys. Nothing is run here. */
#ifndef REPORT_H
#define REPORT_H

#include "err.h"

#include <jansson.h>

/* Where it comes from; what is NULL or 0 is left out of the document. */
typedef struct {
  const char *experiments;     /* folder of NAME.fig and programs.list */
  const char *figures;         /* folder of their NAME.csv */
  const char *published;       /* the page that `mrpb figures` has written beside them */
  const char *accuracy;        /* CSV */
  const char *modules;         /* recorded figures of `mrpb estimate --record` */
  const char *studies;         /* folder of the pages of `make micro` */
  const char *const *estimate; /* estimate.json of `mrpb estimate`, n_estimates of them */
  const char *const *sweep;    /* stores and exports of `mrpb sweep`, n_sweeps of them */
  const char *const *config;   /* n_configs that the sweeps may have begun from, besides configs/ */
  unsigned n_estimates, n_sweeps, n_configs;
} report_inputs_t;

/* The caller's; NULL and a message if something that is named cannot be read, or does not belong
 * together: a CSV file of other design points, a table of other published numbers. */
json_t *report_gather(const report_inputs_t *in, mrpb_err_t *err);

/* Writes the page of `document` to `path`, with the plotting library in the file `d3`. 0, or -1 and
 * a message, and no file. */
int report_page(json_t *document, const char *d3, const char *path, mrpb_err_t *err);

#endif
