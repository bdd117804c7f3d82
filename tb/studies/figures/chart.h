/* SPDX-License-Identifier: Apache-2.0 */
/* The data of one picture. Internal to tb/studies/figures. */
#ifndef FIGURES_CHART_H
#define FIGURES_CHART_H

#include "base/output.h"
#include "studies/figures/figures.h"

/* value[p * columns + k] is the bar of program p at point k; the last column is the base run. In a
 * stacked figure it is part k of program p's single bar. A value is not finite if the run is
 * missing or its denominator is 0. */
typedef struct {
  const figures_experiment_t *e;
  bool quick, png; /* png: draw pixels instead of SVG */
  unsigned columns;
  double *value;
} figures_chart_t;

/* Writes the CSV into an unfinished file for `path` and returns that file's name in `temp`. Returns
 * 0, or -1 and a message in err; after an error the unfinished file is gone. */
int figures_write_csv(const figures_results_t *r, const char *path, char temp[OUTPUT_NAME],
                      mrpb_err_t *err);
/* Reads what figures_write_csv wrote for `e`, and refuses anything else. Returns 0, or -1 and a
 * message in err; after an error `c` owns nothing. Free `c` with figures_free_chart. */
int figures_read_csv(figures_chart_t *c, const figures_experiment_t *e, const char *path,
                     mrpb_err_t *err);
void figures_free_chart(figures_chart_t *c);

#endif
