/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all plots of the project: axes that contain everything drawn on them, gnuplot's input,
 * and an SVG that is either complete or absent. Values get into gnuplot's input only through
 * gnuplot_value, which fails the plot if the value lies outside its axis, because gnuplot would
 * clip it silently. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include "err.h"

#include <stdbool.h>
#include <stdio.h>

/* An axis; all zero except `name`, `log` and `reversed` until values widen it. */
typedef struct {
  const char *name; /* gnuplot's: "x", "y", "y2" */
  bool log, reversed;
  bool any, ranged;   /* any: has seen a value; ranged: has a range */
  double least, most; /* smallest and largest value */
  double low, high;   /* the range, as gnuplot reads it; low < high */
} plot_axis_t;

/* gnuplot's input while it is being written. */
typedef struct {
  FILE *f;
  const char *name; /* the plot's name, for messages */
  mrpb_err_t err;   /* the first error; the plot is then not written */
  bool bad;
} plot_script_t;

/* True if such an axis can show the value: it must be finite and, on a logarithmic axis, above
 * 0. */
bool gnuplot_can_show(const plot_axis_t *a, double v);
/* Widens the axis to contain `v`; does nothing if `v` cannot be shown. */
void gnuplot_axis_widen(plot_axis_t *a, double v);
/* Sets the range and writes it to gnuplot's input; an axis without extent is given some. */
void gnuplot_axis_range(plot_script_t *s, plot_axis_t *a, double low, double high);

/* Fails the plot if `v`, a value of `what`, lies outside the axis's range. */
void gnuplot_check(plot_script_t *s, const plot_axis_t *a, const char *what, double v);
/* Checks in the same way, and writes a blank and `v`. */
void gnuplot_value(plot_script_t *s, const plot_axis_t *a, const char *what, double v);
/* Writes `text` quoted so that gnuplot interprets nothing in it. */
void gnuplot_text(plot_script_t *s, const char *text);

/* True if gnuplot is installed. */
bool gnuplot_there(void);

/* Writes gnuplot's input for a picture in the file `svg`. */
typedef void plot_script_fn(plot_script_t *s, const void *data, const char *svg);
/* Draws into `temp`, the unfinished file of `path` (base/output.h), which the caller commits.
 * Returns 0, or -1 and a message; the file is removed after an error: a value outside its axis, out
 * of memory, a folder that cannot be written, gnuplot failing. */
int gnuplot_draw(const char *path, const char *temp, const char *name, plot_script_fn *script,
                 const void *data, mrpb_err_t *err);

#endif
