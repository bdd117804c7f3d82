/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers what the project has measured into one JSON document, and writes that document as a page
 * that needs no network. docs/report.md lists the document's keys. Nothing is run here. */
#ifndef REPORT_H
#define REPORT_H

#include "err.h"

#include <jansson.h>

/* The sources. The document leaves out a source that is NULL or 0. */
typedef struct {
  const char *experiments;     /* folder with NAME.fig and programs.list */
  const char *figures;         /* folder with their NAME.csv */
  const char *published;       /* the page that `mrpb figures` wrote beside them */
  const char *accuracy;        /* a CSV file */
  const char *modules;         /* figures recorded by `mrpb estimate --record` */
  const char *studies;         /* folder with the pages of `make micro` */
  const char *const *estimate; /* n_estimates files estimate.json of `mrpb estimate` */
  const char *const *sweep;    /* n_sweeps stores or exports of `mrpb sweep` */
  const char *const *config;   /* n_configs more configurations that the sweeps may be based on */
  const char *const *run;      /* n_runs files of `mrpb run --json` */
  unsigned n_estimates, n_sweeps, n_configs, n_runs;
} report_inputs_t;

/* Gathers the document, which the caller owns. NULL and a message in err if a named source cannot
 * be read, or if sources do not belong together: a CSV file of other design points, a table of
 * other published numbers. */
json_t *report_gather(const report_inputs_t *in, mrpb_err_t *err);

/* Writes the page of `document` to `path`, including the plotting library from the file `d3`.
 * Returns 0, or -1 and a message in err; after an error there is no file. */
int report_page(json_t *document, const char *d3, const char *path, mrpb_err_t *err);

#endif
