/* SPDX-License-Identifier: Apache-2.0 */
/* The data of one picture: internal to tb/studies/figures. */
#ifndef FIGURES_CHART_H
#define FIGURES_CHART_H

#include "base/output.h"
#include "studies/figures/figures.h"

/* value[p * columns + k]: of program p the bar of point k (the last column: the base); of a stacked
 * figure part k of the one bar. Not finite: not run, or over nothing. */
typedef struct {
  const figures_experiment_t *e;
  bool quick, png; /* png: as pixels */
  unsigned columns;
  double *value;
} figures_chart_t;

/* Into the unfinished file of `path`, whose name is `temp` then; nothing is left of it after an error.
 */
int figures_write_csv(const figures_results_t *r, const char *path, char temp[OUTPUT_NAME],
                      mrpb_err_t *err);
/* What figures_write_csv wrote for `e`, and nothing else; on an error `c` holds nothing. */
int figures_read_csv(figures_chart_t *c, const figures_experiment_t *e, const char *path,
                     mrpb_err_t *err);
void figures_free_chart(figures_chart_t *c);

#endif
