/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's figures: the experiments and the bars of their CSV files, each with the command that
 * reproduces it. */
#include "studies/report/parts.h"

#include "base/files.h"
#include "base/home.h"
#include "studies/figures/figures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COMMAND = 4096, LOG_ABOVE = 4 };

typedef struct {
  const figures_experiment_t *e;
  const report_inputs_t *in;
  config_t base_s, base_l;
  report_table_t table;
} figure_t;

/* One line of the CSV file. */
typedef struct {
  const figures_program_t *program;
  const figures_point_t *point; /* NULL: the base */
  unsigned p, q;
  size_t row;
} bar_t;

static const char *const columns[] = {"program", "base",        "group",  "type",
                                      "point",   "config_hash", "cycles", "thread_instructions"};
static const char *const ratio[] = {"ratio"};
static const char *const stack[] = {"mpki_intra_warp", "mpki_cross_warp_intra_block",
                                    "mpki_cross_warp_cross_block"};
enum {
  COLUMNS = sizeof columns / sizeof *columns,
  STACK = sizeof stack / sizeof *stack,
  HASH = 5,
  CYCLES = 6
};

static int check_columns(const figure_t *f, mrpb_err_t *err) {
  const char *name[COLUMNS + STACK];
  const size_t more = f->e->stacked ? STACK : 1;
  memcpy(name, columns, sizeof columns);
  memcpy(name + COLUMNS, f->e->stacked ? stack : ratio, more * sizeof *name);
  return report_table_is(&f->table, name, COLUMNS + more, err);
}

/* ---- a bar's configuration and command --------------------------------------------------------- */

static bool applies(const figures_setting_t *s, const bar_t *b) {
  return s->base == 0 || s->base == b->program->base;
}

static int configure(const figure_t *f, const bar_t *b, config_t *cfg, mrpb_err_t *err) {
  *cfg = b->program->base == 'l' ? f->base_l : f->base_s;
  for (unsigned i = 0; b->point && i < b->point->n_settings; i++)
    if (applies(&b->point->setting[i], b) && config_set(cfg, b->point->setting[i].text, err) != 0)
      return -1;
  return 0;
}

/* If the point has several best values, the command runs them all to find the fastest. */
static json_t *command(const bar_t *b) {
  char text[COMMAND];
  const figures_point_t *point = b->point;
  size_t n = 0;
  if (point && point->n_best) {
    n += (size_t)snprintf(text + n, sizeof text - n, "for v in");
    for (unsigned i = 0; i < point->n_best; i++)
      n += (size_t)snprintf(text + n, sizeof text - n, " %s", point->best[i]);
    n += (size_t)snprintf(text + n, sizeof text - n, "; do ");
  }
  n += (size_t)snprintf(text + n, sizeof text - n,
                        "build/mrpb run -c configs/base-%c.conf --kernel %s", b->program->base,
                        b->program->name);
  for (unsigned i = 0; point && i < point->n_settings; i++)
    if (applies(&point->setting[i], b))
      n += (size_t)snprintf(text + n, sizeof text - n, " --set %s", point->setting[i].text);
  if (point && point->n_best)
    n += (size_t)snprintf(text + n, sizeof text - n, " --set %s=$v; done", point->best_key);
  return json_string(text);
}

/* The hash in the file must equal that of the command's configuration; otherwise the command would
 * reproduce something else. */
static int check_hash(const figure_t *f, const bar_t *b, const config_t *cfg, mrpb_err_t *err) {
  char hash[32];
  const char *is = report_cell(&f->table, b->row, HASH);
  snprintf(hash, sizeof hash, "%016" PRIx64, config_hash(cfg));
  if (b->point && b->point->n_best)
    return strncmp(is, "best of ", 8) == 0
               ? 0
               : mrpb_fail(err, "%s:%zu: '%s'; legal: best of %s", f->table.path, b->row + 1, is,
                           b->point->best_key);
  if (strcmp(is, hash) == 0) return 0;
  return mrpb_fail(err, "%s:%zu: configuration %s; legal: %s, that of %s of %s.fig", f->table.path,
                   b->row + 1, is, hash, b->point ? b->point->name : "base", f->e->id);
}

static int describe(const figure_t *f, const bar_t *b, json_t **to, mrpb_err_t *err) {
  config_t cfg;
  if (configure(f, b, &cfg, err) != 0 || check_hash(f, b, &cfg, err) != 0) return -1;
  json_t *differs = report_differs(b->program->base == 'l' ? &f->base_l : &f->base_s, &cfg);
  if (b->point && b->point->n_best) {
    json_t *best = json_object();
    json_out_set(&best, "key", json_string(b->point->best_key));
    json_out_set(&best, "base", json_null());
    json_out_set(&best, "value", json_string("the fastest"));
    json_out_append(&differs, best);
  }
  json_out_set(to, "differs", differs);
  json_out_set(to, "command", command(b));
  return 0;
}

/* ---- bars ---------------------------------------------------------------------------------------- */

/* Checks that the line belongs to this program at this point. */
static int check_line(const figure_t *f, const bar_t *b, mrpb_err_t *err) {
  const figures_program_t *p = b->program;
  const char base[2] = {p->base, '\0'};
  const char *want[] = {p->name, base, p->group, p->type, b->point ? b->point->name : "base"};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++)
    if (strcmp(report_cell(&f->table, b->row, i), want[i]) != 0)
      return mrpb_fail(err, "%s:%zu: '%s'; legal here: '%s'", f->table.path, b->row + 1,
                       report_cell(&f->table, b->row, i), want[i]);
  return 0;
}

/* Whether the picture shows the bar: the base is shown only if bars are relative to something
 * else. */
static bool is_drawn(const figures_experiment_t *e, const bar_t *b) {
  return b->point || e->stacked || e->normalise[0];
}

static int add_bar(const figure_t *f, const bar_t *b, json_t **list, mrpb_err_t *err) {
  const figures_program_t *p = b->program;
  json_t *bar = json_object();
  if (check_line(f, b, err) != 0 || describe(f, b, &bar, err) != 0) {
    json_decref(bar);
    return -1;
  }
  char suite[FIGURES_NAME];
  snprintf(suite, sizeof suite, "%.*s", (int)strcspn(p->group, "-"), p->group);
  json_out_set(&bar, "program", json_string(p->name));
  json_out_set(&bar, "base", json_stringn(&p->base, 1));
  json_out_set(&bar, "suite", json_string(suite));
  json_out_set(&bar, "type", json_string(p->type));
  json_out_set(&bar, "point", json_integer(b->q));
  json_out_set(&bar, "drawn", json_boolean(is_drawn(f->e, b)));
  json_out_set(&bar, "over", json_integer(figures_reference(f->e, b->p, f->e->normalise)));
  json_out_set(&bar, "of", json_integer(b->p));
  json_out_set(&bar, columns[HASH], json_string(report_cell(&f->table, b->row, HASH)));
  for (size_t i = CYCLES; i < COLUMNS; i++)
    json_out_set(&bar, columns[i], report_json_cell(report_cell(&f->table, b->row, i)));
  json_t *value = json_array();
  for (size_t i = COLUMNS; i < f->table.columns; i++)
    json_out_append(&value, report_json_cell(report_cell(&f->table, b->row, i)));
  json_out_set(&bar, "value", value);
  json_out_append(list, bar);
  return 0;
}

static json_t *bars(const figure_t *f, mrpb_err_t *err) {
  const figures_experiment_t *e = f->e;
  const unsigned first = e->stacked ? e->n_points : 0;
  const size_t lines = e->n_programs * (size_t)(e->n_points + 1 - first);
  json_t *list = json_array();
  bar_t b = {.row = 1};
  int rc = 0;
  if (f->table.rows != lines + 1)
    rc = mrpb_fail(err, "%s: %zu lines; legal: %zu, one for each program and point", f->table.path,
                   f->table.rows, lines + 1);
  for (b.p = 0; b.p < e->n_programs && rc == 0; b.p++)
    for (b.q = first; b.q <= e->n_points && rc == 0; b.q++, b.row++) {
      b.program = &e->program[b.p];
      b.point = b.q < e->n_points ? &e->point[b.q] : NULL;
      rc = add_bar(f, &b, &list, err);
    }
  if (rc == 0) return list;
  json_decref(list);
  return NULL;
}

/* ---- published numbers --------------------------------------------------------------------------- */

static int add_published(const figure_t *f, const report_table_t *t, unsigned i, json_t **list,
                         mrpb_err_t *err) {
  const figures_published_t *p = &f->e->published[i];
  json_t *o = json_object();
  json_out_set(&o, "text", json_string(p->text));
  json_out_set(&o, "published", json_real(p->value));
  json_out_set(&o, "measured", json_null());
  if (t->rows > 0) {
    char value[32];
    snprintf(value, sizeof value, "%.3g", p->value);
    if (t->rows != f->e->n_published + 1 || strcmp(report_cell(t, i + 1, 0), p->text) != 0 ||
        strcmp(report_cell(t, i + 1, 1), value) != 0) {
      json_decref(o);
      return mrpb_fail(err, "%s: below '%s': legal: the %u published numbers of %s.fig", t->path,
                       f->e->title, f->e->n_published, f->e->id);
    }
    json_t *measured = report_json_cell(report_cell(t, i + 1, 2));
    json_out_set(&o, "measured", json_is_string(measured) ? json_null() : json_incref(measured));
    if (json_is_number(measured)) {
      const double far = strtod(report_cell(t, i + 1, 3), NULL);
      json_out_set(&o, "difference", json_real(far));
    }
    json_decref(measured);
    json_out_set(&o, "metric", json_string(report_cell(t, i + 1, 4)));
  }
  json_out_append(list, o);
  return 0;
}

/* The means of metrics that no CSV file has are taken from the page. */
static json_t *published(const figure_t *f, mrpb_err_t *err) {
  char heading[FIGURES_TEXT + 4];
  json_t *list = json_array();
  report_table_t t = {0};
  int rc = 0;
  snprintf(heading, sizeof heading, "## %s", f->e->title);
  if (f->in->published && f->e->n_published)
    rc = report_table_markdown(&t, f->in->published, heading, err);
  for (unsigned i = 0; i < f->e->n_published && rc == 0; i++)
    rc = add_published(f, &t, i, &list, err);
  report_table_free(&t);
  if (rc == 0) return list;
  json_decref(list);
  return NULL;
}

/* ---- a figure ------------------------------------------------------------------------------------ */

/* As in docs/experiments.md: some bar is above 4, and none is impossible on a logarithmic axis. */
static bool is_logarithmic(const figure_t *f) {
  bool above = false;
  for (size_t r = 1; r < f->table.rows && !f->e->stacked; r++) {
    const double v = strtod(report_cell(&f->table, r, COLUMNS), NULL);
    if (v <= 0) return false;
    above = above || v > (double)LOG_ABOVE;
  }
  return above;
}

static json_t *point_names(const figures_experiment_t *e) {
  json_t *list = json_array();
  for (unsigned q = 0; q < e->n_points; q++) json_out_append(&list, json_string(e->point[q].name));
  json_out_append(&list, json_string("base"));
  return list;
}

static json_t *notes(const figures_experiment_t *e) {
  json_t *list = json_array();
  for (unsigned i = 0; i < e->n_notes; i++) json_out_append(&list, json_string(e->note[i]));
  return list;
}

static json_t *parts_of(const figures_experiment_t *e) {
  json_t *list = json_array();
  for (size_t i = 0; e->stacked && i < STACK; i++)
    json_out_append(&list, json_string(stack[i] + 5));
  return list;
}

static json_t *make(const figure_t *f, mrpb_err_t *err) {
  const figures_experiment_t *e = f->e;
  char text[COMMAND];
  json_t *bar = bars(f, err), *number = bar ? published(f, err) : NULL, *o = json_object();
  json_out_set(&o, "id", json_string(e->id));
  json_out_set(&o, "title", json_string(e->title));
  json_out_set(&o, "ylabel", json_string(e->ylabel));
  json_out_set(&o, "reading", json_string(e->reading));
  json_out_set(&o, "source", json_string(f->table.path));
  snprintf(text, sizeof text, "make figures FIG=%s", e->id);
  json_out_set(&o, "command", json_string(text));
  json_out_set(&o, "relative", json_string(e->normalise));
  json_out_set(&o, "groups_only", json_boolean(e->groups_only));
  json_out_set(&o, "logarithmic", json_boolean(is_logarithmic(f)));
  json_out_set(&o, "parts", parts_of(e));
  json_out_set(&o, "points", point_names(e));
  json_out_set(&o, "notes", notes(e));
  if (number) {
    json_out_set(&o, "bars", bar);
    json_out_set(&o, "published", number);
    return o;
  }
  json_decref(bar);
  json_decref(o);
  return NULL;
}

static json_t *figure(figure_t *f, const char *name, mrpb_err_t *err) {
  char path[FILES_PATH], list[FILES_PATH], csv[FILES_PATH];
  json_t *made = NULL;
  figures_experiment_t *e = calloc(1, sizeof *e);
  f->e = e;
  if (!e)
    (void)mrpb_fail(err, "out of memory for the report");
  else if (!files_path(path, "%s/%s", f->in->experiments, name) ||
           !files_path(list, "%s/programs.list", f->in->experiments))
    (void)mrpb_fail(err, "%s: legal: shorter names", f->in->experiments);
  else if (figures_read(e, path, list, err) == 0) {
    if (!files_path(csv, "%s/%s.csv", f->in->figures, e->id))
      (void)mrpb_fail(err, "%s: legal: a shorter name", f->in->figures);
    else if (report_table_csv(&f->table, csv, err) == 0 && check_columns(f, err) == 0)
      made = make(f, err);
    report_table_free(&f->table);
  }
  free(e);
  return made;
}

static int read_bases(figure_t *f, mrpb_err_t *err) {
  char path[FILES_PATH];
  if (config_load(&f->base_s, home_config(path, "configs/base-s.conf"), err) != 0) return -1;
  return config_load(&f->base_l, home_config(path, "configs/base-l.conf"), err);
}

json_t *report_figures(const report_inputs_t *in, mrpb_err_t *err) {
  figure_t f = {.in = in};
  struct dirent **entry;
  if (read_bases(&f, err) != 0) return NULL;
  const int n = figures_files(in->experiments, &entry, err);
  if (n < 0) return NULL;
  json_t *list = json_array();
  int rc = 0;
  for (int i = 0; i < n; i++) {
    json_t *one = rc == 0 ? figure(&f, entry[i]->d_name, err) : NULL;
    if (!one) rc = -1;
    if (one) json_out_append(&list, one);
    free(entry[i]);
  }
  free(entry);
  if (rc == 0) return list;
  json_decref(list);
  return NULL;
}
