/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a list of modules and sizes, each as several equivalent netlists. */
#include "estimate/study.h"
#include "base/sizes.h"

#include "base/json_out.h"

#include <stdlib.h>
#include <string.h>

/* A row: the parameters that differ from the defaults, and the number of netlists. */
typedef struct {
  const char *table, *label, *module, *set;
  unsigned netlists;
} row_t;

enum { MANY = 5, SOME = 3, ONE = 1, MOST_SET = 64 };

static const row_t rows[] = {
    {"Drain selector alone, 48 queues x 8", "fixed", "drain_selector", "POLICY=0", MANY},
    {"", "greedy fixed", "drain_selector", "POLICY=1", MANY},
    {"", "round robin", "drain_selector", "POLICY=2", MANY},
    {"", "greedy round robin", "drain_selector", "POLICY=3", MANY},
    {"", "longest first", "drain_selector", "POLICY=4", MANY},
    {"", "greedy longest first", "drain_selector", "POLICY=5", MANY},
    {"The same in the whole MRPB, 48 queues x 8", "fixed", "mrpb", "POLICY=0", SOME},
    {"", "greedy fixed", "mrpb", "POLICY=1", SOME},
    {"", "round robin", "mrpb", "POLICY=2", SOME},
    {"", "greedy round robin", "mrpb", "POLICY=3", SOME},
    {"", "longest first", "mrpb", "POLICY=4", SOME},
    {"", "greedy longest first", "mrpb", "POLICY=5", SOME},
    {"Depth of the queues, fixed order, 48 queues", "4", "mrpb", "DEPTH=4", SOME},
    {"", "8", "mrpb", "DEPTH=8", SOME},
    {"", "16", "mrpb", "DEPTH=16", SOME},
    {"", "32", "mrpb", "DEPTH=32", SOME},
    {"Number of queues, fixed order, depth 8", "8", "mrpb", "QUEUES=8", SOME},
    {"", "32", "mrpb", "QUEUES=32", SOME},
    {"", "48", "mrpb", "QUEUES=48", SOME},
    {"MSHR table and PRT", "MSHR 32 x 8", "mshr", "ENTRIES=32", ONE},
    {"", "MSHR 128 x 8", "mshr", "ENTRIES=128", ONE},
    {"", "PRT 44 x 32", "prt", "ENTRIES=44", ONE},
};
enum { ROWS = sizeof rows / sizeof *rows, JOBS = ROWS * MANY };

typedef struct {
  logic_job_t job[JOBS];
  logic_result_t result[JOBS];
  unsigned first[ROWS], n;
} study_t;

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

spread_t study_spread(const double *v, unsigned n) {
  double sorted[MANY * MANY];
  if (n == 0 || n > MANY * MANY) return (spread_t){0, 0, 0};
  memcpy(sorted, v, n * sizeof *v);
  qsort(sorted, n, sizeof *sorted, by_value);
  return (spread_t){sorted[(n - 1) / 2], sorted[0], sorted[n - 1]};
}

spread_t study_ratio(const double *over, const double *under, unsigned n) {
  double v[MANY * MANY];
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < n; k++) v[i * n + k] = over[i] / under[k];
  return study_spread(v, n * n);
}

static int add_row(study_t *s, const flow_t *f, unsigned i, mrpb_err_t *err) {
  const row_t *row = &rows[i];
  const module_class_t *cls = sizes_module(row->module, err);
  uint32_t sizes[MODULE_MAX_PARAMS];
  if (!cls) return -1;
  module_defaults(cls, sizes);
  if (sizes_set(cls, sizes, row->set, err) != 0) return -1;
  s->first[i] = s->n;
  for (unsigned k = 0; k < row->netlists; k++) {
    logic_job_t *job = &s->job[s->n++];
    if (flow_job(f, cls, sizes, job, err) != 0) return -1;
    job->synth.seed = k;
  }
  return 0;
}

static double area_of(const logic_result_t *r) {
  return r->nand2;
}
static double period_of(const logic_result_t *r) {
  return r->sta.all.period_ns;
}
static double register_period_of(const logic_result_t *r) {
  return r->sta.reg.period_ns;
}

static void values(const study_t *s, unsigned row, double (*of)(const logic_result_t *),
                   double v[MANY]) {
  for (unsigned k = 0; k < rows[row].netlists; k++) v[k] = of(&s->result[s->first[row] + k]);
}

static spread_t spread(const study_t *s, unsigned row, double (*of)(const logic_result_t *)) {
  double v[MANY] = {0};
  values(s, row, of, v);
  return study_spread(v, rows[row].netlists);
}

static json_t *spread_json(spread_t v) {
  json_t *o = json_array();
  json_out_append(&o, json_real(v.median));
  json_out_append(&o, json_real(v.least));
  json_out_append(&o, json_real(v.most));
  return o;
}

static void put_spread(FILE *md, spread_t v, unsigned n, int digits) {
  fprintf(md, " %.*f", digits, v.median);
  if (n > 1) fprintf(md, " (%.*f to %.*f)", digits, v.least, digits, v.most);
  fputs(" |", md);
}

static json_t *put_row(const study_t *s, const flow_t *f, FILE *md, unsigned i) {
  const unsigned n = rows[i].netlists;
  const logic_result_t *r = &s->result[s->first[i]];
  spread_t area = spread(s, i, area_of), period = spread(s, i, period_of);
  spread_t reg = spread(s, i, register_period_of);
  fprintf(md, "| %s | %u |", rows[i].label, n);
  put_spread(md, area, n, 0);
  fprintf(md, " %u | %u / %u | %u |", r->synth.flops, r->synth.aig_nodes, r->synth.aig_levels,
          r->sta.all.depth);
  put_spread(md, period, n, 3);
  fprintf(md, " %.3f | %.1f |", 1 / period.median, period.median / f->fo4_ns);
  put_spread(md, reg, n, 3);
  fputc('\n', md);
  json_t *o = json_object();
  json_out_set(&o, "module", json_string(rows[i].module));
  json_out_set(&o, "set", json_string(rows[i].set));
  json_out_set(&o, "netlists", json_integer(n));
  json_out_set(&o, "nand2", spread_json(area));
  json_out_set(&o, "period_ns", spread_json(period));
  json_out_set(&o, "register_period_ns", spread_json(reg));
  json_out_set(&o, "first", logic_json(r));
  return o;
}

static void put_head(FILE *md, const char *title) {
  fprintf(
      md,
      "\n%s:\n\n"
      "| | netlists | NAND2s | flops | AIG nodes / levels | depth, cells | period ns | fmax GHz "
      "| FO4s | register to register ns |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
      title);
}

/* Writes longest-first over fixed, for one module. */
static json_t *put_ratio(const study_t *s, FILE *md, const char *what, unsigned fixed,
                         unsigned longest) {
  double over[MANY] = {0}, under[MANY] = {0};
  const unsigned n = rows[fixed].netlists;
  values(s, longest, area_of, over);
  values(s, fixed, area_of, under);
  spread_t area = study_ratio(over, under, n);
  values(s, longest, period_of, over);
  values(s, fixed, period_of, under);
  spread_t period = study_ratio(over, under, n);
  fprintf(md, "| %s |", what);
  put_spread(md, area, n, 2);
  put_spread(md, period, n, 2);
  fputc('\n', md);
  json_t *o = json_object();
  json_out_set(&o, "area", spread_json(area));
  json_out_set(&o, "period", spread_json(period));
  return o;
}

static unsigned row_of(const char *module, const char *set) {
  unsigned i = 0;
  while (i + 1 < ROWS && (strcmp(rows[i].module, module) != 0 || strcmp(rows[i].set, set) != 0))
    i++;
  return i;
}

static void put_all(const study_t *s, const flow_t *f, FILE *md, json_t **json) {
  json_t *list = json_array(), *ratio = json_object();
  fputs("\n### Alternatives side by side\n\n"
        "Median of several equivalent netlists, which differ in nothing but the order of their "
        "parts (least to largest in\nbrackets); all with the other parameters at the modules' "
        "defaults.\n",
        md);
  for (unsigned i = 0; i < ROWS; i++) {
    if (rows[i].table[0]) put_head(md, rows[i].table);
    json_out_append(&list, put_row(s, f, md, i));
  }
  fputs("\nLongest first over fixed order; in brackets the least and the largest ratio of any two "
        "of the netlists:\n\n"
        "| | area | period |\n| --- | ---: | ---: |\n",
        md);
  json_out_set(&ratio, "drain_selector",
               put_ratio(s, md, "selector alone", row_of("drain_selector", "POLICY=0"),
                         row_of("drain_selector", "POLICY=4")));
  json_out_set(
      &ratio, "mrpb",
      put_ratio(s, md, "whole MRPB", row_of("mrpb", "POLICY=0"), row_of("mrpb", "POLICY=4")));
  json_out_set(json, "alternatives", list);
  json_out_set(json, "longest_over_fixed", ratio);
}

int study_make(const flow_t *f, FILE *md, json_t **json, mrpb_err_t *err) {
  study_t *s = calloc(1, sizeof *s);
  if (!s) return mrpb_fail(err, "out of memory");
  int rc = 0;
  for (unsigned i = 0; i < ROWS && rc == 0; i++) rc = add_row(s, f, i, err);
  if (rc == 0)
    rc = logic_estimate_all(s->job, s->result, s->n, flow_jobs(f->opt), f->opt->stop, err);
  if (rc == 0) put_all(s, f, md, json);
  free(s);
  return rc;
}
