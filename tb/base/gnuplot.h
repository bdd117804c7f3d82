/* SPDX-License-Identifier: Apache-2.0 */
/* What every plot of the project has: axes that hold all that is drawn on them, gnuplot's input,
 * and an SVG that is complete or not there. A value gets into gnuplot's input by plot_value only,
 * which fails the plot if the value lies outside its axis: gnuplot would cut it off without a word.
 */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include "err.h"

#include <stdbool.h>
#include <stdio.h>

/* An axis; zero but for `name`, `log` and `reversed` until values widen it. */
typedef struct {
  const char *name; /* gnuplot's: "x", "y", "y2" */
  bool log, reversed;
  bool any, ranged;   /* has seen a value; has a range */
  double least, most; /* of the values */
  double low, high;   /* the range, as gnuplot reads it; low < high */
} plot_axis_t;

/* gnuplot's input while it is written. */
typedef struct {
  FILE *f;
  const char *name; /* of the plot, for messages */
  mrpb_err_t err;   /* the first error; the plot is not written then */
  bool bad;
} plot_script_t;

/* Has the value a place on such an axis at all? Not if it is not finite, or not above 0 where the
 * axis is logarithmic. */
bool gnuplot_can_show(const plot_axis_t *a, double v);
/* The axis will have to hold `v`; nothing happens if it cannot be shown. */
void gnuplot_axis_widen(plot_axis_t *a, double v);
/* Sets the range and tells gnuplot; an axis without extent gets some. */
void gnuplot_axis_range(plot_script_t *s, plot_axis_t *a, double low, double high);

/* Fails the plot if `v` of `what` lies outside the axis's range. */
void gnuplot_check(plot_script_t *s, const plot_axis_t *a, const char *what, double v);
/* The same, and writes a blank and `v`. */
void gnuplot_value(plot_script_t *s, const plot_axis_t *a, const char *what, double v);
/* Writes `text` quoted so that gnuplot takes nothing in it for its own. */
void gnuplot_text(plot_script_t *s, const char *text);

/* There is a gnuplot to draw with. */
bool gnuplot_there(void);

/* Writes gnuplot's input for a picture in the file `svg`. */
typedef void plot_script_fn(plot_script_t *s, const void *data, const char *svg);
/* Draws into `temp`, the unfinished file of `path` (base/output.h), which the caller commits; nothing is
 * left of it after an error: a value outside its axis, no memory, a folder that cannot be written,
 * gnuplot. */
int gnuplot_draw(const char *path, const char *temp, const char *name, plot_script_fn *script,
                 const void *data, mrpb_err_t *err);

#endif
