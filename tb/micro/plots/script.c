/* What gnuplot is told: see script.h. */
#include "micro/plots/script.h"
#include "gpu/output.h"

#include <math.h>
#include <stdlib.h>

static const char *const colours[] = {"#1f4e79", "#e08214", "#5aae61", "#8073ac",
                                      "#35978f", "#b35806", "#878787", "#dfc27d"};
enum { COLOURS = sizeof colours / sizeof *colours, NAME_STEPS = 4 };

static void set(FILE *f, const char *what, const char *text) {
  fprintf(f, "set %s ", what);
  output_quoted(f, text);
  fputc('\n', f);
}

static bool can_draw(const micro_plot_t *p, const micro_series_t *s, size_t k) {
  bool log_y = s->on_right ? p->log_y2 : p->log_y;
  return isfinite(s->x[k]) && isfinite(s->y[k]) && !(p->log_x && s->x[k] <= 0) &&
         !(log_y && s->y[k] <= 0);
}

size_t micro_script_points(const micro_plot_t *p, size_t series) {
  size_t n = 0;
  for (size_t k = 0; k < p->series[series].n; k++) n += can_draw(p, &p->series[series], k);
  return n;
}

typedef struct {
  double least, most;
} range_t;

static void widen(range_t *r, double v) {
  if (!isfinite(v)) return;
  r->least = fmin(r->least, v);
  r->most = fmax(r->most, v);
}

/* x (0), left (1) or right (2) axis, with its marks. */
static range_t range_of(const micro_plot_t *p, unsigned axis) {
  range_t r = {INFINITY, -INFINITY};
  bool log = axis == 0 ? p->log_x : axis == 1 ? p->log_y : p->log_y2;
  for (size_t i = 0; i < p->n_series; i++) {
    const micro_series_t *s = &p->series[i];
    if (axis && s->on_right != (axis == 2)) continue;
    for (size_t k = 0; k < s->n; k++)
      if (can_draw(p, s, k)) widen(&r, axis ? s->y[k] : s->x[k]);
  }
  for (size_t i = 0; i < p->n_marks && axis < 2; i++)
    if (p->mark[i].is_level == (axis == 1) && !(log && p->mark[i].at <= 0))
      widen(&r, p->mark[i].at);
  return r;
}

/* Some air above, so that the key and the marks' names have room; from 0 if that is not far, or if
 * the curves are so level that only their noise would be seen. */
static void y_range(FILE *f, const char *axis, range_t r, bool log) {
  if (r.least > r.most) return;
  if (log) {
    fprintf(f, "set %srange [%g:%g]\n", axis, r.least / 2, r.most * pow(r.most / r.least * 4, 0.3));
    return;
  }
  double low = r.least >= 0 && (r.least < 0.4 * r.most || r.least > 0.99 * r.most) ? 0 : r.least;
  double high = r.most > low ? r.most : low + 1;
  if (low != 0) low -= 0.08 * (high - low);
  fprintf(f, "set %srange [%g:%g]\n", axis, low, high + 0.3 * (high - low));
}

static void x_range(FILE *f, range_t r, bool log) {
  if (log)
    fprintf(f, "set xrange [%g:%g]\n", r.least / 1.1, r.most * 1.1);
  else if (r.most > r.least)
    fprintf(f, "set xrange [%g:%g]\n", r.least - 0.02 * (r.most - r.least),
            r.most + 0.02 * (r.most - r.least));
}

static void frame(const micro_plot_t *p, const char *svg, unsigned height, FILE *f) {
  fprintf(f,
          "set terminal svg size 860,%u dynamic font 'Helvetica,12' background 'white' noenhanced\n"
          "set encoding utf8\n",
          height);
  set(f, "output", svg);
  set(f, "title", p->title);
  set(f, "xlabel", p->xlabel);
  set(f, "ylabel", p->ylabel);
  fprintf(f, "set grid xtics ytics lc rgb '#d8d8d8'\nset border 3 lc rgb '#404040'\n"
             "set tics nomirror\nset rmargin 4\n");
}

/* Far to the right on the x axis. */
static bool is_late(const micro_plot_t *p, double at) {
  range_t r = range_of(p, 0);
  double part =
      p->log_x ? log(at / r.least) / log(r.most / r.least) : (at - r.least) / (r.most - r.least);
  return part > 0.75;
}

/* Names of neighbouring lines stand on different heights, and within the plot. */
static void marks(const micro_plot_t *p, FILE *f) {
  unsigned n = 0;
  for (size_t i = 0; i < p->n_marks; i++) {
    const micro_mark_t *m = &p->mark[i];
    const char *colour = m->is_published ? "#707070" : "#c00000";
    if (!isfinite(m->at)) continue;
    if (m->is_level)
      fprintf(f, "set arrow from graph 0,first %.12g to graph 1,first %.12g", m->at, m->at);
    else
      fprintf(f, "set arrow from first %.12g,graph 0 to first %.12g,graph 1", m->at, m->at);
    fprintf(f, " nohead front lc rgb '%s' lw 1.2%s\nset label ", colour,
            m->is_published ? " dt 2" : "");
    output_quoted(f, m->name);
    if (m->is_level)
      fprintf(f, " at graph 0.01,first %.12g left offset 0,0.5", m->at);
    else
      fprintf(f, " at first %.12g,graph %g %s,0", m->at, 0.80 - 0.05 * (n++ % NAME_STEPS),
              is_late(p, m->at) ? "right offset -0.4" : "left offset 0.4");
    fprintf(f, " front textcolor rgb '%s' font ',10'\n", colour);
  }
}

static const char *style_of(micro_style_t s) {
  static const char *const name[] = {"lines lw 1.5", "steps lw 1.5", "points pt 7 ps 0.4",
                                     "linespoints pt 7 ps 0.4", "impulses lw 1"};
  return name[s];
}

static bool has_right(const micro_plot_t *p) {
  for (size_t i = 0; i < p->n_series; i++)
    if (p->series[i].on_right && micro_script_points(p, i)) return true;
  return false;
}

static void axes(const micro_plot_t *p, FILE *f) {
  x_range(f, range_of(p, 0), p->log_x);
  y_range(f, "y", range_of(p, 1), p->log_y);
  if (p->log_x) fprintf(f, "set logscale x 2\nset format x '%%.0b %%B'\n"); /* 64 Ki */
  if (p->log_y) fprintf(f, "set logscale y 10\n");
  if (!has_right(p)) return;
  set(f, "y2label", p->y2label);
  fprintf(f, "set y2tics nomirror\nset border 11\nset rmargin 12\n");
  y_range(f, "y2", range_of(p, 2), p->log_y2);
  if (p->log_y2) fprintf(f, "set logscale y2 10\n");
}

void micro_script_lines(const micro_plot_t *p, const char *svg, FILE *f) {
  for (size_t i = 0; i < p->n_series; i++) {
    fprintf(f, "$d%zu << END\n", i);
    for (size_t k = 0; k < p->series[i].n; k++)
      if (can_draw(p, &p->series[i], k))
        fprintf(f, "%.12g %.12g\n", p->series[i].x[k], p->series[i].y[k]);
    fprintf(f, "END\n");
  }
  frame(p, svg, 460, f);
  axes(p, f);
  marks(p, f);
  fprintf(f, "set key inside top left horizontal opaque maxcols 4 samplen 2\nplot ");
  bool first = true;
  for (size_t k = 0; k < 2 * p->n_series; k++) { /* what belongs to the right axis lies below */
    size_t i = k % p->n_series;
    if (p->series[i].on_right != (k < p->n_series) || !micro_script_points(p, i)) continue;
    fprintf(f, "%s$d%zu using 1:2 axes x1%s with %s lc rgb '%s' title ", first ? "" : ", ", i,
            p->series[i].on_right ? "y2" : "y1", style_of(p->series[i].style),
            colours[i % COLOURS]);
    output_quoted(f, p->series[i].name);
    first = false;
  }
  fprintf(f, "\n");
}

void micro_script_bars(const micro_plot_t *p, const char *svg, FILE *f) {
  unsigned rows = 0;
  range_t t = {INFINITY, -INFINITY};
  fprintf(f, "$bars << END\n");
  for (size_t i = 0; i < p->n_bars; i++) {
    const micro_bar_t *b = &p->bar[i];
    fprintf(f, "%.12g %u %.12g %.12g %g %g %lu\n", (b->t0 + b->t1) / 2, b->row, b->t0, b->t1,
            b->row - 0.36, b->row + 0.36, strtoul(colours[b->colour % COLOURS] + 1, NULL, 16));
    if (b->row + 1 > rows) rows = b->row + 1;
    widen(&t, b->t0);
    widen(&t, b->t1);
  }
  fprintf(f, "END\n");
  frame(p, svg, 140 + (rows < 60 ? rows : 60) * 14, f);
  x_range(f, t, false);
  fprintf(f, "set yrange [%g:-0.8]\n", rows - 0.2);
  if (rows <= 40) fprintf(f, "set ytics 1\n");
  fprintf(f, "set style fill solid 1 noborder\nunset key\n"
             "plot $bars using 1:2:3:4:5:6:7 with boxxyerror lc rgb variable\n");
}
