/* SPDX-License-Identifier: Apache-2.0 */
/* Plots of the studies: see plot.h. This file has the data; script.c has gnuplot's script. */
#include "studies/micro/plots/plot.h"

#include "base/grow.h"
#include "base/output.h"
#include "studies/micro/plots/script.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t micro_plot_series(micro_plot_t *p, const char *name, micro_style_t style, bool on_right) {
  micro_series_t *more = realloc(p->series, (p->n_series + 1) * sizeof *more);
  if (!more) {
    p->failed = true;
    return p->n_series;
  }
  p->series = more;
  micro_series_t *s = &more[p->n_series];
  *s = (micro_series_t){.style = style, .on_right = on_right};
  snprintf(s->name, sizeof s->name, "%s", name);
  return p->n_series++;
}

void micro_series_add(micro_plot_t *p, size_t series, double x, double y) {
  if (p->failed) return;
  micro_series_t *s = &p->series[series];
  size_t room = s->room; /* shared by both arrays */
  double *mx = grow(s->x, s->n + 1, &room, sizeof *mx);
  if (mx) s->x = mx;
  double *my = grow(s->y, s->n + 1, &s->room, sizeof *my);
  if (my) s->y = my;
  if (!mx || !my) {
    p->failed = true;
    return;
  }
  s->x[s->n] = x;
  s->y[s->n++] = y;
}

void micro_plot_mark(micro_plot_t *p, const char *name, double at, bool is_level,
                     bool is_published) {
  if (p->n_marks == MICRO_PLOT_MARKS) return;
  micro_mark_t *m = &p->mark[p->n_marks++];
  *m = (micro_mark_t){.at = at, .is_level = is_level, .is_published = is_published};
  snprintf(m->name, sizeof m->name, "%s", name);
}

void micro_plot_bar(micro_plot_t *p, unsigned row, double t0, double t1, unsigned colour) {
  micro_bar_t *more = grow(p->bar, p->n_bars + 1, &p->room_bars, sizeof *more);
  if (!more) {
    p->failed = true;
    return;
  }
  p->bar = more;
  p->bar[p->n_bars++] = (micro_bar_t){t0, t1, row, colour};
}

void micro_plot_free(micro_plot_t *p) {
  for (size_t i = 0; i < p->n_series; i++) {
    free(p->series[i].x);
    free(p->series[i].y);
  }
  free(p->series);
  free(p->bar);
  *p = (micro_plot_t){0};
}

/* ---- files ----------------------------------------------------------------- */

static void csv_text(FILE *f, const char *text) {
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"') fputc('"', f);
    fputc(*text, f);
  }
  fputc('"', f);
}

static void series_csv(const micro_plot_t *p, FILE *f) {
  fprintf(f, "series,");
  csv_text(f, p->xlabel);
  fprintf(f, ",value\n");
  for (size_t i = 0; i < p->n_series; i++)
    for (size_t k = 0; k < p->series[i].n; k++) {
      csv_text(f, p->series[i].name);
      fprintf(f, ",%.12g,%.12g\n", p->series[i].x[k], p->series[i].y[k]);
    }
}

static void bars_csv(const micro_plot_t *p, FILE *f) {
  fprintf(f, "row,t0,t1,colour\n");
  for (size_t i = 0; i < p->n_bars; i++)
    fprintf(f, "%u,%.12g,%.12g,%u\n", p->bar[i].row, p->bar[i].t0, p->bar[i].t1, p->bar[i].colour);
}

/* Writes to a temporary name, as the plot is. */
static int write_csv(const micro_plot_t *p, const char *path, const char *temp, bool bars,
                     mrpb_err_t *err) {
  FILE *f = fopen(temp, "w");
  if (!f) return mrpb_fail(err, "%s: %s", path, strerror(errno));
  (bars ? bars_csv : series_csv)(p, f);
  return output_end(f, false, path, temp, err);
}

static int check(const micro_plot_t *p, const char *name, bool bars, mrpb_err_t *err) {
  bool any = false, right = false;
  for (size_t i = 0; i < p->n_series; i++) {
    any = any || micro_script_points(p, i);
    right = right || p->series[i].on_right;
  }
  if (p->failed) return mrpb_fail(err, "plot %s: out of memory for its data", name);
  if (!p->xlabel[0] || !p->ylabel[0] || (right && !p->y2label[0]))
    return mrpb_fail(err, "plot %s: an axis has no label; legal: quantity and unit", name);
  if (bars ? !p->n_bars : !any) return mrpb_fail(err, "plot %s: nothing to draw", name);
  return 0;
}

/* Writes the plot and its data: both or neither; without gnuplot, the data alone. */
static int write_both(const micro_plot_t *p, const char *dir, const char *name, bool bars,
                      mrpb_err_t *err) {
  char csv[OUTPUT_NAME], svg[OUTPUT_NAME], csv_temp[OUTPUT_NAME], svg_temp[OUTPUT_NAME];
  if (check(p, name, bars, err) != 0 || output_folder(dir, err) != 0) return -1;
  int n = snprintf(csv, sizeof csv, "%s/%s.csv", dir, name);
  if (n < 0 || n >= OUTPUT_NAME) return mrpb_fail(err, "%.60s...: name too long", dir);
  snprintf(svg, sizeof svg, "%s/%s.svg", dir, name);
  if (output_temp(csv, csv_temp, err) != 0 || output_temp(svg, svg_temp, err) != 0) return -1;
  if (write_csv(p, csv, csv_temp, bars, err) != 0) return -1;
  if (!gnuplot_there()) return output_commit(csv, csv_temp, err);
  plot_script_fn *script = bars ? micro_script_bars : micro_script_lines;
  if (gnuplot_draw(svg, svg_temp, name, script, p, err) == 0)
    return output_commit_pair(svg, svg_temp, csv, csv_temp, err);
  output_discard(csv, csv_temp);
  return -1;
}

int micro_plot_write(const micro_plot_t *p, const char *dir, const char *name, mrpb_err_t *err) {
  return write_both(p, dir, name, false, err);
}

int micro_timeline_write(const micro_plot_t *p, const char *dir, const char *name,
                         mrpb_err_t *err) {
  return write_both(p, dir, name, true, err);
}
