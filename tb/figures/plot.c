/* CSV and SVG of an experiment. The plot is gnuplot's, fed through a pipe. */
#include "figures/figures.h"
#include "gpu/output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 1024 };

/* The experiment's value of a bar: over the base run of the same program, or of `normalise`. */
static double ratio(const figures_results_t *r, unsigned p, unsigned q) {
  const figures_experiment_t *e = r->e;
  unsigned over = figures_reference(e, p, e->normalise);
  return figures_value(r, p, q, e->metric) / figures_value(r, over, e->n_points, e->metric);
}

static const char *point_name(const figures_experiment_t *e, unsigned q) {
  return q < e->n_points ? e->point[q].name : "base";
}

static void csv_row(const figures_results_t *r, unsigned p, unsigned q, FILE *f) {
  const figures_experiment_t *e = r->e;
  const figures_program_t *program = &e->program[p];
  const figures_point_t *point = q < e->n_points ? &e->point[q] : NULL;
  fprintf(f, "%s,%c,%s,%s,\"%s\",", program->name, program->base, program->group, program->type,
          point_name(e, q));
  if (point && point->n_best)
    fprintf(f, "best of %s,", point->best_key);
  else
    fprintf(f, "%016" PRIx64 ",", figures_bar(r, p, q)->hash);
  fprintf(f, "%.0f,%.0f", figures_value(r, p, q, "cycles"), figures_value(r, p, q, "instructions"));
  if (e->stacked) {
    double kilo = figures_value(r, p, q, "instructions") / 1000;
    for (const char *const *m = (const char *const[]){"intra-warp", "cross-warp-intra-block",
                                                      "cross-warp-cross-block", NULL};
         *m; m++)
      fprintf(f, ",%.6f", figures_value(r, p, q, *m) / kilo);
    fprintf(f, "\n");
  } else {
    fprintf(f, ",%.6f\n", ratio(r, p, q));
  }
}

static int write_csv(const figures_results_t *r, const char *out, mrpb_err_t *err) {
  const figures_experiment_t *e = r->e;
  char path[PATH], temp[OUTPUT_NAME];
  snprintf(path, sizeof path, "%s/%s.csv", out, e->id);
  if (output_temp(path, temp, err) != 0) return -1;
  FILE *f = fopen(temp, "w");
  if (!f) return mrpb_fail(err, "%s: %s", path, strerror(errno));
  fprintf(f, "program,base,group,type,point,config_hash,cycles,thread_instructions,%s\n",
          e->stacked ? "mpki_intra_warp,mpki_cross_warp_intra_block,mpki_cross_warp_cross_block"
                     : "ratio");
  for (unsigned p = 0; p < e->n_programs; p++)
    for (unsigned q = e->stacked ? e->n_points : 0; q <= e->n_points; q++) csv_row(r, p, q, f);
  return output_close(f, false, path, temp, err);
}

/* ---- gnuplot --------------------------------------------------------------- */

/* The points that are drawn. */
static unsigned first_point(const figures_experiment_t *e) {
  return e->stacked ? e->n_points : 0;
}
static unsigned last_point(const figures_experiment_t *e) {
  return e->n_points + (e->stacked || e->normalise[0] ? 1 : 0);
}

/* The groups in the order in which they come. */
static unsigned groups(const figures_experiment_t *e, const char *group[FIGURES_MAX_PROGRAMS]) {
  unsigned n = 0;
  for (unsigned p = 0; p < e->n_programs; p++) {
    unsigned i = 0;
    while (i < n && strcmp(group[i], e->program[p].group) != 0) i++;
    if (i == n) group[n++] = e->program[p].group;
  }
  return n;
}

static bool is_known(const figures_results_t *r, unsigned p, unsigned q) {
  return !isnan(r->e->stacked ? figures_value(r, p, q, "cycles") : ratio(r, p, q));
}

/* gnuplot refuses a column without a number. */
static bool column_known(const figures_results_t *r, unsigned q) {
  for (unsigned p = 0; p < r->e->n_programs; p++)
    if (is_known(r, p, q)) return true;
  return false;
}

unsigned figures_drawn(const figures_results_t *r, unsigned *all) {
  const figures_experiment_t *e = r->e;
  unsigned n = 0;
  *all = 0;
  for (unsigned p = 0; p < e->n_programs; p++)
    for (unsigned q = first_point(e); q < last_point(e); q++, ++*all)
      if (is_known(r, p, q)) n++;
  return n;
}

static double geomean(const figures_results_t *r, const char *group, unsigned q) {
  const figures_experiment_t *e = r->e;
  double sum = 0;
  unsigned n = 0;
  for (unsigned p = 0; p < e->n_programs; p++) {
    if (strcmp(e->program[p].group, group) != 0) continue;
    sum += log(ratio(r, p, q));
    n++;
  }
  return n ? exp(sum / n) : NAN;
}

/* The bars' extremes. */
typedef struct {
  double least, most;
} range_t;

static void data_row(const figures_results_t *r, unsigned p, range_t *range, FILE *f) {
  const figures_experiment_t *e = r->e;
  fprintf(f, "\"%s-%c\"", e->program[p].name, e->program[p].base);
  if (e->stacked) {
    double kilo = figures_value(r, p, e->n_points, "instructions") / 1000;
    fprintf(f, " %.6f %.6f %.6f\n", figures_value(r, p, e->n_points, "intra-warp") / kilo,
            figures_value(r, p, e->n_points, "cross-warp-intra-block") / kilo,
            figures_value(r, p, e->n_points, "cross-warp-cross-block") / kilo);
    return;
  }
  for (unsigned q = 0; q < last_point(e); q++) {
    double v = ratio(r, p, q);
    range->least = fmin(range->least, v);
    range->most = fmax(range->most, v);
    fprintf(f, " %.6f", v);
  }
  fprintf(f, "\n");
}

static range_t data(const figures_results_t *r, FILE *f) {
  const figures_experiment_t *e = r->e;
  const char *group[FIGURES_MAX_PROGRAMS];
  unsigned n = groups(e, group);
  range_t range = {1, 1};
  fprintf(f, "$data << END\n");
  for (unsigned g = 0; g < n; g++) {
    for (unsigned p = 0; p < e->n_programs && !e->groups_only; p++)
      if (strcmp(e->program[p].group, group[g]) == 0) data_row(r, p, &range, f);
    if (e->stacked || e->normalise[0]) continue;
    fprintf(f, "\"%s%s\"", e->groups_only ? "" : "mean ", group[g]);
    for (unsigned q = 0; q < e->n_points; q++) fprintf(f, " %.6f", geomean(r, group[g], q));
    fprintf(f, "\n");
  }
  fprintf(f, "END\n");
  return range;
}

/* Frame, axes, key; room for the key above the highest bar. */
static void frame(const figures_results_t *r, const char *svg, unsigned bars, range_t range,
                  FILE *f) {
  const figures_experiment_t *e = r->e;
  unsigned width = 260 + (e->groups_only ? 6 : e->n_programs) * (18 + 8 * (e->stacked ? 1 : bars));
  fprintf(f, "set terminal svg size %u,420 dynamic font 'Helvetica,12' background 'white'\n",
          width < 640 ? 640 : width);
  fprintf(f, "set output ");
  output_quoted(f, svg);
  fprintf(f, "\nset title ");
  output_quoted(f, e->title);
  fprintf(f, "\nset ylabel ");
  output_quoted(f, e->ylabel);
  if (r->quick)
    fprintf(f, "\nset label 1 'QUICK: loops and inputs are cut' at graph 0.01,0.95 front "
               "textcolor rgb '#b00000'");
  fprintf(f,
          "\nset style data histograms\nset style histogram %s\nset style fill solid 1 "
          "border rgb '#404040'\nset boxwidth 0.9\nset xtics rotate by -40 scale 0\n"
          "set grid ytics\nset key inside top right horizontal opaque\nset bmargin 7\n"
          "set rmargin 8\n",
          e->stacked ? "rowstacked" : "clustered gap 1");
  if (e->stacked) return;
  if (range.most > 4)
    fprintf(f, "set logscale y 2\nset yrange [%g:%g]\n", exp2(floor(log2(range.least) - 0.1)),
            2.5 * range.most);
  else
    fprintf(f, "set yrange [0:%g]\n", 1.25 * range.most);
  fprintf(f, "set arrow from graph 0,first 1 to graph 1,first 1 nohead dt 2\n");
}

static void script(const figures_results_t *r, const char *svg, FILE *f) {
  const figures_experiment_t *e = r->e;
  static const char *const parts[] = {"intra-warp", "cross-warp, intra-block",
                                      "cross-warp, cross-block"};
  static const char *const colours[] = {"#1f4e79", "#e08214", "#5aae61", "#b2182b",
                                        "#8073ac", "#878787", "#dfc27d", "#35978f"};
  unsigned bars = e->stacked ? 3 : last_point(e);
  range_t range = data(r, f);
  frame(r, svg, bars, range, f);
  fprintf(f, "plot ");
  for (unsigned b = 0, drawn = 0; b < bars; b++) {
    if (!column_known(r, e->stacked ? e->n_points : b)) continue;
    fprintf(f, "%s$data using %u%s lc rgb '%s' title ", drawn ? ", " : "", b + 2,
            drawn ? "" : ":xtic(1)", colours[b % 8]);
    output_quoted(f, e->stacked ? parts[b] : point_name(e, b));
    drawn++;
  }
  fprintf(f, "\n");
}

int figures_plot(const figures_results_t *r, const char *out, mrpb_err_t *err) {
  const figures_experiment_t *e = r->e;
  char svg[PATH];
  unsigned all;
  if (write_csv(r, out, err) != 0) return -1;
  snprintf(svg, sizeof svg, "%s/%s.svg", out, e->id);
  if (figures_drawn(r, &all) == 0) { /* gnuplot draws nothing of nothing */
    (void)remove(svg);
    return 0;
  }
  fflush(NULL);
  FILE *f = popen("exec timeout -k 5 300 gnuplot", "w");
  if (!f) return mrpb_fail(err, "gnuplot cannot be run: %s", strerror(errno));
  script(r, svg, f);
  int status = pclose(f);
  if (status != 0) return mrpb_fail(err, "gnuplot failed on %s.svg", e->id);
  return 0;
}
