/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of an experiment: clusters of bars, in as many rows as the width of a page
 * requires. */
#include "studies/figures/chart.h"

#include "base/gnuplot.h"
#include "base/output.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes in pixels. A page shows a picture of WIDTH unscaled. A cluster needs room for its bars and
 * for its slanted name below them. */
enum {
  PATH = 1024,
  WIDTH = 900,
  LEFT = 84,
  RIGHT = 16,
  TITLE = 40,
  KEY_LINE = 19,
  ROW = 230,
  NAMES = 96,
  BAR = 7,
  CLUSTER = 22,
  LETTER = 8,
  SAMPLE = 70,
  MAX_CLUSTERS = 2 * FIGURES_MAX_PROGRAMS,
  MAX_COLUMNS = FIGURES_MAX_POINTS + 1
};

/* The bars above one name, which is a program or the mean of a group. */
typedef struct {
  char name[FIGURES_NAME * 2];
  const char *group;
  double value[MAX_COLUMNS];
} cluster_t;

typedef struct {
  const figures_chart_t *chart;
  cluster_t cluster[MAX_CLUSTERS];
  unsigned n, row[MAX_CLUSTERS];         /* first cluster of each row */
  unsigned rows, widest;                 /* number of rows; clusters in the widest row */
  unsigned column[MAX_COLUMNS], columns; /* the columns that have a value */
  plot_axis_t x, y;
} picture_t;

/* ---- what is drawn ---------------------------------------------------------- */

/* The base is drawn only if bars are relative to something else. */
static unsigned last_column(const figures_chart_t *c) {
  return c->e->stacked || c->e->normalise[0] ? c->columns : c->columns - 1;
}

static double value(const figures_chart_t *c, unsigned p, unsigned k) {
  return c->value[p * c->columns + k];
}

static double geomean(const figures_chart_t *c, const char *group, unsigned k) {
  double sum = 0;
  unsigned n = 0;
  for (unsigned p = 0; p < c->e->n_programs; p++) {
    if (strcmp(c->e->program[p].group, group) != 0) continue;
    sum += log(value(c, p, k));
    n++;
  }
  return n ? exp(sum / n) : NAN;
}

static cluster_t *add(picture_t *d, const char *group) {
  cluster_t *to = &d->cluster[d->n++];
  to->group = group;
  return to;
}

/* Adds a group's programs and their mean. */
static void add_group(picture_t *d, const char *group) {
  const figures_chart_t *c = d->chart;
  const figures_experiment_t *e = c->e;
  for (unsigned p = 0; p < e->n_programs && !e->groups_only; p++) {
    if (strcmp(e->program[p].group, group) != 0) continue;
    cluster_t *to = add(d, group);
    const char suffix[] = {'-', e->program[p].base, '\0'};
    snprintf(to->name, sizeof to->name, "%s%s", e->program[p].name, e->one_base ? "" : suffix);
    for (unsigned k = 0; k < last_column(c); k++) to->value[k] = value(c, p, k);
  }
  if (e->stacked || e->normalise[0]) return;
  cluster_t *to = add(d, group);
  snprintf(to->name, sizeof to->name, "%s%s", e->groups_only ? "" : "mean ", group);
  for (unsigned k = 0; k < last_column(c); k++) to->value[k] = geomean(c, group, k);
}

static void add_clusters(picture_t *d) {
  const figures_experiment_t *e = d->chart->e;
  for (unsigned p = 0; p < e->n_programs; p++) {
    unsigned first = 0;
    while (strcmp(e->program[first].group, e->program[p].group) != 0) first++;
    if (first == p) add_group(d, e->program[p].group);
  }
}

/* Columns without any number are left out because gnuplot refuses them. */
static void choose_columns(picture_t *d) {
  for (unsigned k = 0; k < last_column(d->chart); k++) {
    bool any = false;
    for (unsigned i = 0; i < d->n; i++) any = any || isfinite(d->cluster[i].value[k]);
    if (any) d->column[d->columns++] = k;
  }
}

static unsigned group_size(const picture_t *d, unsigned at) {
  unsigned n = at;
  while (n < d->n && d->cluster[n].group == d->cluster[at].group) n++;
  return n - at;
}

/* A group begins a new row if it does not fit into the rest of this one. A group longer than a row
 * is spread evenly over several rows. */
static void break_rows(picture_t *d) {
  unsigned bars = d->chart->e->stacked ? 1 : d->columns;
  unsigned need = BAR * (bars + 1) > CLUSTER ? BAR * (bars + 1) : CLUSTER;
  unsigned most = (WIDTH - LEFT - RIGHT) / need, used = most;
  for (unsigned at = 0; at < d->n;) {
    unsigned left = group_size(d, at);
    for (unsigned parts = (left + most - 1) / most; parts > 0; parts--) {
      unsigned take = (left + parts - 1) / parts;
      if (used + take > most) {
        d->row[d->rows++] = at;
        used = 0;
      }
      used += take;
      at += take;
      left -= take;
      if (used > d->widest) d->widest = used;
    }
  }
}

/* ---- gnuplot's input -------------------------------------------------------- */

/* The height of a stacked bar is the sum of its parts. */
static double top(const picture_t *d, const cluster_t *c) {
  double sum = 0;
  for (unsigned b = 0; b < d->columns; b++) sum += c->value[d->column[b]];
  return sum;
}

static void y_axis(plot_script_t *s, picture_t *d) {
  bool stacked = d->chart->e->stacked;
  gnuplot_axis_widen(&d->y, stacked ? 0 : 1);
  for (unsigned i = 0; i < d->n; i++) {
    for (unsigned b = 0; b < d->columns; b++)
      gnuplot_axis_widen(&d->y, d->cluster[i].value[d->column[b]]);
    if (stacked) gnuplot_axis_widen(&d->y, top(d, &d->cluster[i]));
  }
  if (!stacked && d->y.most > 4 && d->y.least > 0) { /* logarithmic: 2x is as far as 1/2x */
    d->y.log = true;
    fprintf(s->f, "set logscale y 2\n");
    gnuplot_axis_range(s, &d->y, exp2(floor(log2(d->y.least) - 0.1)), 1.15 * d->y.most);
  } else {
    gnuplot_axis_range(s, &d->y, 1.06 * fmin(d->y.least, 0), 1.06 * fmax(d->y.most, 0));
  }
}

static void data(plot_script_t *s, const picture_t *d, unsigned row) {
  unsigned end = row + 1 < d->rows ? d->row[row + 1] : d->n;
  fprintf(s->f, "$row%u << END\n", row);
  for (unsigned i = d->row[row]; i < end; i++) {
    const cluster_t *c = &d->cluster[i];
    fprintf(s->f, "\"%s\"", c->name);
    gnuplot_check(s, &d->x, c->name, i - d->row[row]);
    for (unsigned b = 0; b < d->columns; b++) {
      if (isfinite(c->value[d->column[b]]))
        gnuplot_value(s, &d->y, c->name, c->value[d->column[b]]);
      else
        fprintf(s->f, " nan");
    }
    if (d->chart->e->stacked && isfinite(top(d, c))) gnuplot_check(s, &d->y, c->name, top(d, c));
    fprintf(s->f, "\n");
  }
  fprintf(s->f, "END\n");
}

static const char *column_name(const figures_experiment_t *e, unsigned k) {
  static const char *const parts[] = {"intra-warp", "cross-warp, intra-block",
                                      "cross-warp, cross-block"};
  if (e->stacked) return parts[k];
  return k < e->n_points ? e->point[k].name : "base";
}

/* The key stands above the rows, where it hides nothing. Returns how many entries fit into a
 * line. */
static unsigned key_columns(const picture_t *d) {
  size_t longest = 0;
  for (unsigned b = 0; b < d->columns; b++) {
    size_t n = strlen(column_name(d->chart->e, d->column[b]));
    if (n > longest) longest = n;
  }
  size_t n = (WIDTH - LEFT - RIGHT) / (LETTER * longest + SAMPLE);
  return n == 0 ? 1 : n < d->columns ? (unsigned)n : d->columns;
}

static unsigned key_height(const picture_t *d) {
  return (d->columns + key_columns(d) - 1) / key_columns(d) * KEY_LINE;
}

static unsigned height(const picture_t *d) {
  return TITLE + key_height(d) + d->rows * (ROW + NAMES);
}

/* Puts a label at a distance in pixels from the left and from the bottom. */
static void label(plot_script_t *s, const picture_t *d, const char *text, unsigned x, unsigned y,
                  const char *how) {
  fprintf(s->f, "set label ");
  gnuplot_text(s, text);
  fprintf(s->f, " at screen %.4f,%.4f %s\n", x / (double)WIDTH, y / (double)height(d), how);
}

/* PNG is for print: it has twice the pixels, with letters and lines as large as in the SVG. */
static void terminal(plot_script_t *s, const picture_t *d) {
  if (d->chart->png)
    fprintf(s->f, "set terminal pngcairo size %d,%u font 'Helvetica,12' fontscale 1.6 linewidth 2",
            2 * WIDTH, 2 * height(d));
  else
    fprintf(s->f, "set terminal svg size %d,%u dynamic font 'Helvetica,12'", WIDTH, height(d));
  fprintf(s->f, " background 'white' noenhanced\nset encoding utf8\nset output ");
}

static void frame(plot_script_t *s, const picture_t *d, const char *svg) {
  const figures_experiment_t *e = d->chart->e;
  unsigned h = height(d);
  terminal(s, d);
  gnuplot_text(s, svg);
  fprintf(s->f,
          "\nset style data histograms\nset style histogram %s\nset style fill solid 1 border rgb "
          "'#404040'\nset boxwidth 0.9\nset xtics rotate by 40 right scale 0\nset grid ytics\n",
          e->stacked ? "rowstacked" : "clustered gap 1");
  fprintf(s->f, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n",
          (double)LEFT / (double)WIDTH, 1 - (double)RIGHT / (double)WIDTH);
  fprintf(s->f, "set key at screen 0.5,%.4f center top horizontal maxcols %u\n",
          1 - (TITLE - 8) / (double)h, key_columns(d));
  fprintf(s->f, "set multiplot\n");
  label(s, d, e->title, WIDTH / 2, h - 16, "center");
  label(s, d, e->ylabel, 16, (h - TITLE - key_height(d) + NAMES) / 2, "center rotate by 90");
  if (d->chart->quick)
    label(s, d, "QUICK: loops and inputs are cut", 8, 10, "left textcolor rgb '#b00000'");
  if (!e->stacked) fprintf(s->f, "set arrow from graph 0,first 1 to graph 1,first 1 nohead dt 2\n");
}

static void plot_row(plot_script_t *s, const picture_t *d, unsigned row) {
  static const char *const colours[] = {"#1f4e79", "#e08214", "#5aae61", "#b2182b",
                                        "#8073ac", "#878787", "#dfc27d", "#35978f"};
  const figures_experiment_t *e = d->chart->e;
  double h = height(d), above = TITLE + key_height(d) + row * (double)(ROW + NAMES);
  fprintf(s->f, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", 1 - above / h,
          1 - (above + (double)ROW) / h);
  if (row == 1) fprintf(s->f, "unset label\nunset key\n");
  fprintf(s->f, "plot ");
  for (unsigned b = 0; b < d->columns; b++) {
    fprintf(s->f, "%s$row%u using %u%s lc rgb '%s' title ", b ? ", " : "", row, b + 2,
            b ? "" : ":xtic(1)", colours[d->column[b] % 8]);
    gnuplot_text(s, column_name(e, d->column[b]));
  }
  fprintf(s->f, "\n");
}

static void script(plot_script_t *s, const void *picture, const char *svg) {
  picture_t d = *(const picture_t *)picture;
  frame(s, &d, svg);
  gnuplot_axis_range(s, &d.x, -0.8, d.widest - 0.2);
  y_axis(s, &d);
  for (unsigned row = 0; row < d.rows; row++) data(s, &d, row);
  for (unsigned row = 0; row < d.rows; row++) plot_row(s, &d, row);
  fprintf(s->f, "unset multiplot\n");
}

/* ---- files ------------------------------------------------------------------ */

/* Draws into `temp`, the unfinished file for `svg`. Returns 1 if drawn, 0 if there is nothing to
 * draw, or -1 and a message. */
static int draw(const figures_chart_t *c, const char *svg, const char *temp, mrpb_err_t *err) {
  picture_t *d = calloc(1, sizeof *d);
  if (!d) return mrpb_fail(err, "plot %s: out of memory", c->e->id);
  d->chart = c;
  d->x.name = "x";
  d->y.name = "y";
  add_clusters(d);
  choose_columns(d);
  break_rows(d);
  int rc = d->columns > 0;
  if (rc && gnuplot_draw(svg, temp, c->e->id, script, d, err) != 0) rc = -1;
  free(d);
  return rc;
}

static int file_name(char path[PATH], const char *out, const char *id, const char *end,
                     mrpb_err_t *err) {
  if (snprintf(path, PATH, "%s/%s.%s", out, id, end) < PATH) return 0;
  return mrpb_fail(err, "%.60s...: name too long", out);
}

/* The names of an experiment's files and of the unfinished versions of them. */
typedef struct {
  char csv[PATH], svg[PATH], csv_temp[OUTPUT_NAME], svg_temp[OUTPUT_NAME];
} names_t;

static int name_files(names_t *n, const char *out, const char *id, const char *kind,
                      mrpb_err_t *err) {
  return file_name(n->csv, out, id, "csv", err) == 0 && file_name(n->svg, out, id, kind, err) == 0
             ? output_temp(n->svg, n->svg_temp, err)
             : -1;
}

/* Draws the CSV file `csv`. Returns 1 if drawn into n->svg_temp, 0 if there is nothing to draw, or
 * -1 and a message. */
static int draw_file(const names_t *n, const figures_experiment_t *e, const char *csv, bool quick,
                     mrpb_err_t *err) {
  figures_chart_t c;
  if (figures_read_csv(&c, e, csv, err) != 0) return -1;
  c.quick = quick;
  c.png = strcmp(n->svg + strlen(n->svg) - 3, "png") == 0;
  const int rc = draw(&c, n->svg, n->svg_temp, err);
  figures_free_chart(&c);
  return rc;
}

/* If there is nothing to draw, an older picture is removed. */
static int remove_picture(const char *svg, mrpb_err_t *err) {
  return remove(svg) == 0 || errno == ENOENT ? 0 : mrpb_fail(err, "%s: %s", svg, strerror(errno));
}

int figures_redraw(const figures_experiment_t *e, const char *out, const char *kind, bool quick,
                   mrpb_err_t *err) {
  names_t n;
  if (name_files(&n, out, e->id, kind, err) != 0) return -1;
  const int drawn = draw_file(&n, e, n.csv, quick, err);
  if (drawn > 0) return output_commit(n.svg, n.svg_temp, err);
  return drawn == 0 ? remove_picture(n.svg, err) : -1;
}

int figures_plot(const figures_results_t *r, const char *out, mrpb_err_t *err) {
  names_t n;
  if (name_files(&n, out, r->e->id, "svg", err) != 0 ||
      figures_write_csv(r, n.csv, n.csv_temp, err) != 0)
    return -1;
  const int drawn = draw_file(&n, r->e, n.csv_temp, r->quick, err);
  if (drawn > 0) return output_commit_pair(n.svg, n.svg_temp, n.csv, n.csv_temp, err);
  if (drawn == 0 && remove_picture(n.svg, err) == 0) return output_commit(n.csv, n.csv_temp, err);
  output_discard(n.csv, n.csv_temp);
  return -1;
}
