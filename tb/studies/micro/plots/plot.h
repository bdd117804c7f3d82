/* SPDX-License-Identifier: Apache-2.0 */
/* Line plots and timelines of the studies, as SVG (made by gnuplot through a pipe) with the same
 * data beside it as CSV. Each file is complete or absent. Add the data first; one call then
 * writes. */
#ifndef MICRO_PLOT_H
#define MICRO_PLOT_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

enum { MICRO_PLOT_NAME = 96, MICRO_PLOT_MARKS = 32 };

typedef enum {
  MICRO_LINES,
  MICRO_STEPS,
  MICRO_POINTS,
  MICRO_LINESPOINTS,
  MICRO_IMPULSES
} micro_style_t;

typedef struct {
  char name[MICRO_PLOT_NAME]; /* in the key */
  micro_style_t style;
  bool on_right; /* uses the right axis, `y2label` */
  double *x, *y;
  size_t n, room;
} micro_series_t;

/* A line across the plot, with its name at the end. */
typedef struct {
  char name[MICRO_PLOT_NAME];
  double at;
  bool is_level;     /* true: at a y of the left axis; false: at an x */
  bool is_published; /* true: dashed grey; false: deduced, solid red */
} micro_mark_t;

/* A bar from t0 to t1 in a row: what a warp or thread was busy with. */
typedef struct {
  double t0, t1;
  unsigned row, colour;
} micro_bar_t;

/* Labels name the quantity and its unit: "latency [cycles]". An empty plot: MICRO_PLOT("title", "x
 * label", "y label"), and perhaps more members. */
#define MICRO_PLOT(...)                                                                            \
  { __VA_ARGS__, .failed = false }
typedef struct {
  char title[MICRO_PLOT_NAME], xlabel[MICRO_PLOT_NAME], ylabel[MICRO_PLOT_NAME];
  char y2label[MICRO_PLOT_NAME]; /* empty: no right axis */
  bool log_x, log_y,
      log_y2; /* base 2, 10 and 10; values not above 0 are left out, and the plot says so */
  micro_series_t *series;
  size_t n_series;
  micro_mark_t mark[MICRO_PLOT_MARKS];
  size_t n_marks; /* marks beyond MICRO_PLOT_MARKS are not drawn */
  micro_bar_t *bar;
  size_t n_bars, room_bars;
  bool failed; /* out of memory for some of it */
} micro_plot_t;

/* Adds a series. Returns its index for micro_series_add. */
size_t micro_plot_series(micro_plot_t *p, const char *name, micro_style_t style, bool on_right);
void micro_series_add(micro_plot_t *p, size_t series, double x, double y);
void micro_plot_mark(micro_plot_t *p, const char *name, double at, bool is_level,
                     bool is_published);
void micro_plot_bar(micro_plot_t *p, unsigned row, double t0, double t1, unsigned colour);
void micro_plot_free(micro_plot_t *p);

/* Writes DIR/NAME.csv (series, x, y) and DIR/NAME.svg. Returns 0, or -1 and a message in err: out
 * of memory for what was added, an axis without a label, nothing to draw, a folder that cannot be
 * written, gnuplot. */
int micro_plot_write(const micro_plot_t *p, const char *dir, const char *name, mrpb_err_t *err);
/* The same for bars: rows from the top down, time to the right. The CSV has row, t0, t1, colour. */
int micro_timeline_write(const micro_plot_t *p, const char *dir, const char *name, mrpb_err_t *err);

#endif
