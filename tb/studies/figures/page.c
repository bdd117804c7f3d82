/* SPDX-License-Identifier: Apache-2.0 */
/* The page of all experiments: published numbers beside measured ones, the reading of the metric,
 * the plots. */
#include "studies/figures/figures.h"
#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PATH = 1024, COLUMNS = 100 };

static const char *aggregate_name(figures_aggregate_t a) {
  static const char *const names[] = {"geometric mean", "mean", "largest", "smallest"};
  return names[a];
}

static void published(const figures_results_t *r, FILE *f) {
  const figures_experiment_t *e = r->e;
  if (e->n_published == 0) return;
  fprintf(f,
          "\n| | published | measured | difference | metric |\n| --- | --- | --- | --- | --- |\n");
  for (unsigned i = 0; i < e->n_published; i++) {
    const figures_published_t *p = &e->published[i];
    double v = figures_aggregate(r, p);
    fprintf(f, "| %s | %.3g | ", p->text, p->value);
    if (isnan(v))
      fprintf(f, "not run | |");
    else
      fprintf(f, "%.3f | %+.1f %% |", v, 100 * (v / p->value - 1));
    fprintf(f, " %s of %s, %s over %s, %s |\n", aggregate_name(p->aggregate), p->metric, p->point,
            p->over, p->group);
  }
}

typedef struct {
  char name[FIGURES_MAX_PROGRAMS][FIGURES_NAME];
  unsigned n;
} groups_t;

static void add_group(groups_t *g, const char *name) {
  for (unsigned i = 0; i < g->n; i++)
    if (strcmp(g->name[i], name) == 0) return;
  if (g->n < FIGURES_MAX_PROGRAMS) snprintf(g->name[g->n++], FIGURES_NAME, "%s", name);
}

/* The groups whose means get a column: the suites, the types of contention, and all programs. */
static void collect_groups(const figures_experiment_t *e, groups_t *g) {
  g->n = 0;
  for (unsigned p = 0; p < e->n_programs; p++) add_group(g, e->program[p].group);
  unsigned suites = g->n;
  for (unsigned p = 0; p < e->n_programs; p++) {
    const figures_program_t *program = &e->program[p];
    char name[FIGURES_NAME];
    if (program->type[0] == '-') continue;
    snprintf(name, sizeof name, "%c%c-%c", program->type[0] | 0x20, program->type[1] | 0x20,
             program->base);
    add_group(g, name);
  }
  if (suites > 1) add_group(g, "all");
}

static double mean_of(const figures_results_t *r, unsigned q, const char *group) {
  const figures_experiment_t *e = r->e;
  figures_published_t what = {.aggregate = FIGURES_GEOMEAN, .over = "base"};
  snprintf(what.metric, sizeof what.metric, "%s", e->metric);
  snprintf(what.point, sizeof what.point, "%s", e->point[q].name);
  snprintf(what.group, sizeof what.group, "%s", group);
  return figures_aggregate(r, &what);
}

static void heading(const char *first, const char *second, const groups_t *g, FILE *f) {
  fprintf(f, "\n| %s |%s", first, second);
  for (unsigned i = 0; i < g->n; i++) fprintf(f, " %s |", g->name[i]);
  fprintf(f, "\n| --- |%s", second[0] ? " ---: |" : "");
  for (unsigned i = 0; i < g->n; i++) fprintf(f, " --- |");
  fprintf(f, "\n");
}

/* Prints means; with an area, the speed gain per hundredth of a square millimetre, in per cent of
 * the base's speed. */
static void cells(const figures_results_t *r, unsigned q, const groups_t *g, double area, FILE *f) {
  for (unsigned i = 0; i < g->n; i++) {
    double v = mean_of(r, q, g->name[i]);
    if (isnan(v))
      fprintf(f, " not run |");
    else if (area > 0)
      fprintf(f, " %+.1f %% |", (v - 1) / area);
    else
      fprintf(f, " %.3f |", v);
  }
  fprintf(f, "\n");
}

/* Prints the geometric means of all points: one row per point, one column per group. */
static void means(const figures_results_t *r, const groups_t *g, FILE *f) {
  heading("geometric mean", "", g, f);
  for (unsigned q = 0; q < r->e->n_points; q++) {
    fprintf(f, "| %s |", r->e->point[q].name);
    cells(r, q, g, 0, f);
  }
}

/* Prints the gain per area of the points whose area is given. */
static void gains(const figures_results_t *r, const groups_t *g, FILE *f) {
  bool any = false;
  for (unsigned q = 0; q < r->e->n_points; q++) {
    const figures_point_t *p = &r->e->point[q];
    if (p->area == 0) continue;
    if (!any) heading("gain per 0.01 mm2", " adds, mm2 |", g, f);
    any = true;
    fprintf(f, "| %s | %.4f |", p->name, p->area);
    cells(r, q, g, p->area, f);
  }
}

static void tables(const figures_results_t *r, FILE *f) {
  groups_t g;
  if (r->e->stacked || r->e->normalise[0]) return;
  collect_groups(r->e, &g);
  means(r, &g, f);
  gains(r, &g, f);
}

/* The page says what has not been run instead of leaving it out. */
static void picture(const figures_results_t *r, const char *images, FILE *f) {
  const char *id = r->e->id;
  unsigned all, missing, n = figures_drawn(r, &all, &missing);
  if (figures_pictured(r)) fprintf(f, "![%s](%s/%s.svg) ", id, images, id);
  fprintf(f, "([CSV](%s/%s.csv))\n", images, id);
  if (missing > 0)
    fprintf(
        f,
        "\n**%u of %u bars: the other runs have not been made yet; `make figures` makes them.**\n",
        all - missing, all);
  if (n + missing < all)
    fprintf(f, "\n**%u of %u bars have no value: their divisor is 0.**\n", all - missing - n, all);
}

/* A paragraph in lines of less than COLUMNS, so that a comma may follow. */
typedef struct {
  FILE *f;
  const char *next; /* what the second and later lines begin with */
  size_t column;
  bool begun; /* the line has a word */
} paragraph_t;

static void words(paragraph_t *p, const char *text) {
  while (*(text += strspn(text, " "))) {
    const size_t n = strcspn(text, " ");
    if (p->begun && p->column + 1 + n >= COLUMNS) {
      fprintf(p->f, "\n%s", p->next);
      p->column = strlen(p->next);
      p->begun = false;
    }
    p->column += (size_t)fprintf(p->f, "%s%.*s", p->begun ? " " : "", (int)n, text);
    p->begun = true;
    text += n;
  }
}

static void note(const char *text, FILE *f) {
  paragraph_t p = {.f = f, .next = "  "};
  words(&p, "-");
  words(&p, text);
  fputs("\n", f);
}

static void hash(paragraph_t *p, const char *name, char base, uint64_t of) {
  char text[FIGURES_NAME + 40];
  snprintf(text, sizeof text, "%s-%c `%016" PRIx64 "`", name, base, of);
  words(p, text);
}

static void hashes(const figures_results_t *r, FILE *f) {
  const figures_experiment_t *e = r->e;
  const char *bases = "sl";
  paragraph_t line = {.f = f, .next = ""};
  words(&line, "Configuration hashes:");
  for (unsigned b = 0; b < 2; b++) {
    unsigned p = 0;
    while (p < e->n_programs && e->program[p].base != bases[b]) p++;
    if (p == e->n_programs) continue;
    hash(&line, "base", bases[b], figures_bar(r, p, e->n_points)->hash);
    for (unsigned q = 0; q < e->n_points; q++) {
      if (e->point[q].n_best) continue;
      line.column += (size_t)fprintf(f, ",");
      hash(&line, e->point[q].name, bases[b], figures_bar(r, p, q)->hash);
    }
  }
}

static void experiment(const figures_results_t *r, const char *images, FILE *f) {
  const figures_experiment_t *e = r->e;
  fprintf(f, "\n## %s\n\n", e->title);
  if (e->reading[0]) {
    paragraph_t p = {.f = f, .next = ""};
    words(&p, "Metric:");
    words(&p, e->reading);
    fputs("\n\n", f);
  }
  picture(r, images, f);
  published(r, f);
  tables(r, f);
  if (e->n_notes) fputs("\n", f);
  for (unsigned i = 0; i < e->n_notes; i++) note(e->note[i], f);
  fputs("\n", f);
  hashes(r, f);
  fputs("\n", f);
}

int figures_page(const figures_results_t *r, unsigned n, const char *path, const char *images,
                 mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  fprintf(f, "# The MRPB paper's figures, regenerated\n\n");
  if (r->quick) fprintf(f, "**QUICK: loops and inputs are cut. Ratios of cut runs mislead.**\n\n");
  paragraph_t p = {.f = f, .next = ""};
  words(&p, r->quick ? "Written by `make figures QUICK=1`;" : "Written by `make figures`;");
  words(&p,
        "do not edit. Every bar is the ratio of two runs of `mrpb run`; a design point is named by "
        "the hash of its configuration. The paper's plots are available as pictures only; the "
        "numbers that its text gives are listed here under \"published\". A difference is "
        "reported, never tuned away.");
  fputs("\n", f);
  for (unsigned i = 0; i < n; i++) experiment(&r[i], images, f);
  return output_close(f, false, path, temp, err);
}
