/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a figure: written as CSV and read back. A picture is always drawn from the file, so
 * the file alone is enough to draw it again. */
#include "studies/figures/chart.h"
#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024 };

static const char *const stacked_parts[] = {"intra-warp", "cross-warp-intra-block",
                                            "cross-warp-cross-block"};
enum { STACKED_PARTS = sizeof stacked_parts / sizeof *stacked_parts };

static const char *point_name(const figures_experiment_t *e, unsigned q) {
  return q < e->n_points ? e->point[q].name : "base";
}

/* A stacked figure has one line per program, that of the base run; other figures have one line per
 * point and one for the base. */
static unsigned first_line(const figures_experiment_t *e) {
  return e->stacked ? e->n_points : 0;
}

static const char *header(const figures_experiment_t *e) {
  return e->stacked
             ? "program,base,group,type,point,config_hash,cycles,thread_instructions,"
               "mpki_intra_warp,mpki_cross_warp_intra_block,mpki_cross_warp_cross_block\n"
             : "program,base,group,type,point,config_hash,cycles,thread_instructions,ratio\n";
}

/* The beginning of a line, which says which bar it is. */
static void key(const figures_experiment_t *e, unsigned p, unsigned q, char text[LINE]) {
  const figures_program_t *program = &e->program[p];
  snprintf(text, LINE, "%s,%c,%s,%s,\"%s\",", program->name, program->base, program->group,
           program->type, point_name(e, q));
}

/* ---- writing --------------------------------------------------------------- */

/* The experiment's value of a bar, relative to the base run of the same program or of
 * `normalise`. */
static double ratio(const figures_results_t *r, unsigned p, unsigned q) {
  const figures_experiment_t *e = r->e;
  unsigned over = figures_reference(e, p, e->normalise);
  return figures_value(r, p, q, e->metric) / figures_value(r, over, e->n_points, e->metric);
}

unsigned figures_drawn(const figures_results_t *r, unsigned *all, unsigned *missing) {
  const figures_experiment_t *e = r->e;
  unsigned n = 0, last = e->n_points + (e->stacked || e->normalise[0] ? 1 : 0);
  *all = *missing = 0;
  for (unsigned p = 0; p < e->n_programs; p++)
    for (unsigned q = first_line(e); q < last; q++, ++*all) {
      unsigned over = e->stacked ? p : figures_reference(e, p, e->normalise);
      if (isnan(figures_value(r, p, q, "cycles") + figures_value(r, over, e->n_points, "cycles")))
        ++*missing;
      else if (e->stacked || isfinite(ratio(r, p, q)))
        n++;
    }
  return n;
}

/* Whether every bar of the programs in p's group is there. */
static bool group_is_there(const figures_results_t *r, unsigned p, unsigned q) {
  const figures_experiment_t *e = r->e;
  for (unsigned i = 0; i < e->n_programs; i++)
    if (strcmp(e->program[i].group, e->program[p].group) == 0 && !isfinite(ratio(r, i, q)))
      return false;
  return true;
}

bool figures_pictured(const figures_results_t *r) {
  unsigned all, missing;
  if (!r->e->groups_only) return figures_drawn(r, &all, &missing) > 0;
  for (unsigned p = 0; p < r->e->n_programs; p++)
    for (unsigned q = 0; q < r->e->n_points; q++)
      if (group_is_there(r, p, q)) return true;
  return false;
}

static void write_line(const figures_results_t *r, unsigned p, unsigned q, FILE *f) {
  const figures_experiment_t *e = r->e;
  const figures_point_t *point = q < e->n_points ? &e->point[q] : NULL;
  char bar[LINE];
  key(e, p, q, bar);
  fputs(bar, f);
  if (point && point->n_best)
    fprintf(f, "best of %s,", point->best_key);
  else
    fprintf(f, "%016" PRIx64 ",", figures_bar(r, p, q)->hash);
  double instructions = figures_value(r, p, q, "instructions");
  fprintf(f, "%.0f,%.0f", figures_value(r, p, q, "cycles"), instructions);
  for (unsigned k = 0; e->stacked && k < STACKED_PARTS; k++)
    fprintf(f, ",%.6f", figures_value(r, p, q, stacked_parts[k]) / (instructions / 1000));
  if (!e->stacked) fprintf(f, ",%.6f", ratio(r, p, q));
  fprintf(f, "\n");
}

int figures_write_csv(const figures_results_t *r, const char *path, char temp[OUTPUT_NAME],
                      mrpb_err_t *err) {
  const figures_experiment_t *e = r->e;
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  fputs(header(e), f);
  for (unsigned p = 0; p < e->n_programs; p++)
    for (unsigned q = first_line(e); q <= e->n_points; q++) write_line(r, p, q, f);
  return output_end(f, false, path, temp, err);
}

/* ---- reading --------------------------------------------------------------- */

/* Reads the `n` numbers at the end of a line; a missing run is "nan". */
static int read_values(const char *text, double *v, unsigned n, mrpb_err_t *err) {
  for (unsigned k = 0; k < n; k++) {
    char *end;
    v[k] = strtod(text, &end);
    if (end == text || *end != (k + 1 < n ? ',' : '\n'))
      return mrpb_fail(err, "'%.20s': legal: %u numbers at the end of the line", text, n);
    text = end + 1;
  }
  return 0;
}

static int read_line(figures_chart_t *c, unsigned p, unsigned q, const char *text,
                     mrpb_err_t *err) {
  const figures_experiment_t *e = c->e;
  char bar[LINE];
  key(e, p, q, bar);
  if (strncmp(text, bar, strlen(bar)) != 0)
    return mrpb_fail(err, "legal here: a line that begins with %s", bar);
  text += strlen(bar);
  for (unsigned skip = 0; skip < 3; skip++) { /* hash, cycles, instructions */
    text = strchr(text, ',');
    if (!text) return mrpb_fail(err, "the line is too short; legal: %s", header(e));
    text++;
  }
  unsigned k = e->stacked ? 0 : q;
  return read_values(text, &c->value[p * c->columns + k], e->stacked ? c->columns : 1, err);
}

static int read_all(figures_chart_t *c, FILE *f, unsigned *at, mrpb_err_t *err) {
  const figures_experiment_t *e = c->e;
  char text[LINE];
  *at = 1;
  if (!fgets(text, sizeof text, f) || strcmp(text, header(e)) != 0)
    return mrpb_fail(err, "legal: %s", header(e));
  for (unsigned p = 0; p < e->n_programs; p++)
    for (unsigned q = first_line(e); q <= e->n_points; q++) {
      ++*at;
      if (!fgets(text, sizeof text, f))
        return mrpb_fail(err, "ends early; legal: a line for each program and point");
      if (read_line(c, p, q, text, err) != 0) return -1;
    }
  ++*at;
  return fgetc(f) == EOF ? 0 : mrpb_fail(err, "continues after the last program and point");
}

int figures_read_csv(figures_chart_t *c, const figures_experiment_t *e, const char *path,
                     mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  unsigned at = 0;
  *c = (figures_chart_t){.e = e, .columns = e->stacked ? STACKED_PARTS : e->n_points + 1};
  c->value = calloc((size_t)e->n_programs * c->columns, sizeof *c->value);
  if (!c->value) return mrpb_fail(err, "%s: out of memory", path);
  FILE *f = fopen(path, "r");
  int rc = f ? read_all(c, f, &at, &why) : -1;
  if (!f)
    (void)mrpb_fail(err, "%s: %s", path, strerror(errno));
  else if (rc != 0)
    (void)mrpb_fail(err, "%s:%u: %s", path, at, why.text);
  if (f) fclose(f);
  if (rc != 0) figures_free_chart(c);
  return rc;
}

void figures_free_chart(figures_chart_t *c) {
  free(c->value);
  c->value = NULL;
}
