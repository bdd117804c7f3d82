/* SPDX-License-Identifier: Apache-2.0 */
/* Writes gnuplot's input: see script.h. */
#include "studies/micro/plots/script.h"

#include <math.h>
#include <stdlib.h>

static const char *const colours[] = {"#1f4e79", "#e08214", "#5aae61", "#8073ac",
                                      "#35978f", "#b35806", "#878787", "#dfc27d"};
enum { COLOURS = sizeof colours / sizeof *colours, NAME_STEPS = 4, LEFT_OUT = 256 };
static const double HALF_BAR = 0.36;

static void set(plot_script_t *s, const char *what, const char *text) {
  fprintf(s->f, "set %s ", what);
  gnuplot_text(s, text);
  fputc('\n', s->f);
}

/* The axes of a plot: x, left, right. */
typedef struct {
  plot_axis_t x, y[2];
} axes_t;

static axes_t axes_of(const micro_plot_t *p) {
  return (axes_t){.x = {.name = "x", .log = p->log_x},
                  .y = {{.name = "y", .log = p->log_y}, {.name = "y2", .log = p->log_y2}}};
}

static bool can_draw(const axes_t *a, const micro_series_t *s, size_t k) {
  return gnuplot_can_show(&a->x, s->x[k]) && gnuplot_can_show(&a->y[s->on_right], s->y[k]);
}

static size_t points(const axes_t *a, const micro_series_t *s) {
  size_t n = 0;
  for (size_t k = 0; k < s->n; k++) n += can_draw(a, s, k);
  return n;
}

size_t micro_script_points(const micro_plot_t *p, size_t series) {
  const axes_t a = axes_of(p);
  return points(&a, &p->series[series]);
}

static const plot_axis_t *axis_of_mark(const axes_t *a, const micro_mark_t *m) {
  return m->is_level ? &a->y[0] : &a->x;
}

/* Widens the axes to everything that will be drawn on them, including the marks. */
static void widen(const micro_plot_t *p, axes_t *a) {
  for (size_t i = 0; i < p->n_series; i++) {
    const micro_series_t *s = &p->series[i];
    for (size_t k = 0; k < s->n; k++) {
      if (!can_draw(a, s, k)) continue;
      gnuplot_axis_widen(&a->x, s->x[k]);
      gnuplot_axis_widen(&a->y[s->on_right], s->y[k]);
    }
  }
  for (size_t i = 0; i < p->n_marks; i++)
    gnuplot_axis_widen(p->mark[i].is_level ? &a->y[0] : &a->x, p->mark[i].at);
}

/* Leaves some space above, for the key and the marks' names. Begins at 0 if that is not far, or if
 * the curves are so level that only their noise would be seen. */
static void y_range(plot_script_t *s, plot_axis_t *a) {
  if (!a->any) return;
  if (a->log) {
    gnuplot_axis_range(s, a, a->least / 2, a->most * pow(a->most / a->least * 4, 0.3));
    return;
  }
  bool from_0 = a->least >= 0 && (a->least < 0.4 * a->most || a->least > 0.99 * a->most);
  double low = from_0 ? 0 : a->least;
  double high = a->most > low ? a->most : low + 1;
  if (low != 0) low -= 0.08 * (high - low);
  gnuplot_axis_range(s, a, low, high + 0.3 * (high - low));
}

static void x_range(plot_script_t *s, plot_axis_t *a) {
  if (!a->any) return;
  if (a->log)
    gnuplot_axis_range(s, a, a->least / 1.1, a->most * 1.1);
  else
    gnuplot_axis_range(s, a, a->least - 0.02 * (a->most - a->least),
                       a->most + 0.02 * (a->most - a->least));
}

static void frame(plot_script_t *s, const micro_plot_t *p, const char *svg, unsigned height) {
  fprintf(s->f,
          "set terminal svg size 860,%u dynamic font 'Helvetica,12' background 'white' noenhanced\n"
          "set encoding utf8\n",
          height);
  set(s, "output", svg);
  set(s, "title", p->title);
  set(s, "xlabel", p->xlabel);
  set(s, "ylabel", p->ylabel);
  fprintf(s->f, "set grid xtics ytics lc rgb '#d8d8d8'\nset border 3 lc rgb '#404040'\n"
                "set tics nomirror\nset rmargin 4\n");
}

/* Whether `at` is far to the right on the x axis. */
static bool is_late(const plot_axis_t *x, double at) {
  double part = x->log ? log(at / x->least) / log(x->most / x->least)
                       : (at - x->least) / (x->most - x->least);
  return part > 0.75;
}

static void mark(plot_script_t *s, const axes_t *a, const micro_mark_t *m, unsigned *n) {
  const char *colour = m->is_published ? "#707070" : "#c00000";
  gnuplot_check(s, axis_of_mark(a, m), m->name, m->at);
  if (m->is_level)
    fprintf(s->f, "set arrow from graph 0,first %.12g to graph 1,first %.12g", m->at, m->at);
  else
    fprintf(s->f, "set arrow from first %.12g,graph 0 to first %.12g,graph 1", m->at, m->at);
  fprintf(s->f, " nohead front lc rgb '%s' lw 1.2%s\nset label ", colour,
          m->is_published ? " dt 2" : "");
  gnuplot_text(s, m->name);
  if (m->is_level)
    fprintf(s->f, " at graph 0.01,first %.12g left offset 0,0.5", m->at);
  else
    fprintf(s->f, " at first %.12g,graph %g %s,0", m->at, 0.80 - 0.05 * ((*n)++ % NAME_STEPS),
            is_late(&a->x, m->at) ? "right offset -0.4" : "left offset 0.4");
  fprintf(s->f, " front textcolor rgb '%s' font ',10'\n", colour);
}

/* Names of neighbouring lines stand at different heights, and within the plot. */
static void marks(plot_script_t *s, const micro_plot_t *p, const axes_t *a) {
  unsigned n = 0;
  for (size_t i = 0; i < p->n_marks; i++)
    if (gnuplot_can_show(axis_of_mark(a, &p->mark[i]), p->mark[i].at)) mark(s, a, &p->mark[i], &n);
}

/* Values that a logarithmic axis cannot show, and values that are not numbers, are left out, and
 * the plot says so. A mark that is not a number was not found. */
static void left_out(plot_script_t *s, const micro_plot_t *p, const axes_t *a) {
  char text[LEFT_OUT] = "";
  size_t at = 0;
  for (size_t i = 0; i < p->n_series && at < sizeof text; i++) {
    size_t n = p->series[i].n - points(a, &p->series[i]);
    if (n > 0)
      at += (size_t)snprintf(text + at, sizeof text - at, "%s%zu of %s", at ? ", " : "", n,
                             p->series[i].name);
  }
  for (size_t i = 0; i < p->n_marks && at < sizeof text; i++)
    if (isfinite(p->mark[i].at) && !gnuplot_can_show(axis_of_mark(a, &p->mark[i]), p->mark[i].at))
      at += (size_t)snprintf(text + at, sizeof text - at, "%s%s %g", at ? ", " : "",
                             p->mark[i].name, p->mark[i].at);
  if (at == 0) return;
  fprintf(s->f, "set label 'not on these axes:' at screen 0.01,0.02 left font ',10'\n"
                "set label ");
  gnuplot_text(s, text);
  fprintf(s->f, " at screen 0.12,0.02 left font ',10'\n");
}

static const char *style_of(micro_style_t s) {
  static const char *const name[] = {"lines lw 1.5", "steps lw 1.5", "points pt 7 ps 0.4",
                                     "linespoints pt 7 ps 0.4", "impulses lw 1"};
  return name[s];
}

static void axes(plot_script_t *s, const micro_plot_t *p, axes_t *a) {
  widen(p, a);
  x_range(s, &a->x);
  y_range(s, &a->y[0]);
  if (p->log_x) fprintf(s->f, "set logscale x 2\nset format x '%%.0b %%B'\n"); /* 64 Ki */
  if (p->log_y) fprintf(s->f, "set logscale y 10\n");
  if (!a->y[1].any) return;
  set(s, "y2label", p->y2label);
  fprintf(s->f, "set y2tics nomirror\nset border 11\nset rmargin 12\n");
  y_range(s, &a->y[1]);
  if (p->log_y2) fprintf(s->f, "set logscale y2 10\n");
}

static void series_data(plot_script_t *s, const axes_t *a, const micro_series_t *d, size_t i) {
  fprintf(s->f, "$d%zu << END\n", i);
  for (size_t k = 0; k < d->n; k++) {
    if (!can_draw(a, d, k)) continue;
    gnuplot_value(s, &a->x, d->name, d->x[k]);
    gnuplot_value(s, &a->y[d->on_right], d->name, d->y[k]);
    fputc('\n', s->f);
  }
  fprintf(s->f, "END\n");
}

void micro_script_lines(plot_script_t *s, const void *plot, const char *svg) {
  const micro_plot_t *p = plot;
  axes_t a = axes_of(p);
  frame(s, p, svg, 460);
  axes(s, p, &a);
  for (size_t i = 0; i < p->n_series; i++) series_data(s, &a, &p->series[i], i);
  marks(s, p, &a);
  left_out(s, p, &a);
  fprintf(s->f, "set key inside top left horizontal opaque maxcols 4 samplen 2\nplot ");
  bool first = true;
  for (size_t k = 0; k < 2 * p->n_series; k++) { /* series of the right axis lie below */
    size_t i = k % p->n_series;
    if (p->series[i].on_right != (k < p->n_series) || !points(&a, &p->series[i])) continue;
    fprintf(s->f, "%s$d%zu using 1:2 axes x1%s with %s lc rgb '%s' title ", first ? "" : ", ", i,
            p->series[i].on_right ? "y2" : "y1", style_of(p->series[i].style),
            colours[i % COLOURS]);
    gnuplot_text(s, p->series[i].name);
    first = false;
  }
  fprintf(s->f, "\n");
}

/* Draws a box around row `b->row`, from t0 to t1. */
static void box(plot_script_t *s, const plot_axis_t *x, const plot_axis_t *y,
                const micro_bar_t *b) {
  gnuplot_value(s, x, "bar", (b->t0 + b->t1) / 2);
  gnuplot_value(s, y, "row", b->row);
  gnuplot_value(s, x, "bar", b->t0);
  gnuplot_value(s, x, "bar", b->t1);
  gnuplot_value(s, y, "row", b->row - HALF_BAR);
  gnuplot_value(s, y, "row", b->row + HALF_BAR);
  fprintf(s->f, " %lu\n", strtoul(colours[b->colour % COLOURS] + 1, NULL, 16));
}

void micro_script_bars(plot_script_t *s, const void *plot, const char *svg) {
  const micro_plot_t *p = plot;
  unsigned rows = 0;
  plot_axis_t x = {.name = "x"}, y = {.name = "y", .reversed = true};
  for (size_t i = 0; i < p->n_bars; i++) {
    if (p->bar[i].row + 1 > rows) rows = p->bar[i].row + 1;
    gnuplot_axis_widen(&x, p->bar[i].t0);
    gnuplot_axis_widen(&x, p->bar[i].t1);
  }
  frame(s, p, svg, 140 + (rows < 60 ? rows : 60) * 14);
  x_range(s, &x);
  gnuplot_axis_range(s, &y, -0.8, rows - 0.2);
  fprintf(s->f, "$bars << END\n");
  for (size_t i = 0; i < p->n_bars; i++) box(s, &x, &y, &p->bar[i]);
  fprintf(s->f, "END\n");
  if (rows <= 40) fprintf(s->f, "set ytics 1\n");
  fprintf(s->f, "set style fill solid 1 noborder\nunset key\n"
                "plot $bars using 1:2:3:4:5:6:7 with boxxyerror lc rgb variable\n");
}
