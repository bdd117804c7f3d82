/* SPDX-License-Identifier: Apache-2.0 */
/* See study.h. */
#include "studies/micro/study.h"
#include "studies/micro/kernels/measured.h"

#include <math.h>
#include <string.h>

enum { STUDY_FILE = 128 };

static const study_class_t studies[] = {
#define STUDY(id, name, gpus, regs, doc) {name, gpus, regs, doc, study_##id},
#include "studies/micro/studies.def"
#undef STUDY
};

const study_class_t *study_at(unsigned i) {
  return i < sizeof studies / sizeof *studies ? &studies[i] : NULL;
}

const study_class_t *study_find(const char *name) {
  for (unsigned i = 0; study_at(i); i++)
    if (strcmp(studies[i].name, name) == 0) return &studies[i];
  return NULL;
}

bool study_is_of(const study_class_t *c, const char *gpu) {
  char word[64];
  snprintf(word, sizeof word, " %.60s ", gpu);
  return strstr(c->gpus, word) != NULL;
}

bool study_fits(study_t *s, const study_class_t *c) {
  char why[MICRO_TABLE_TEXT];
  const uint32_t most = s->on.limits.registers_per_thread;
  if (c->regs <= most) return true;
  snprintf(why, sizeof why, "its kernels need %u registers a thread; this GPU has %u", c->regs,
           most);
  study_row_words(s, c->name, "not measured", NULL, why);
  return false;
}

bool study_has_shared(study_t *s, uint32_t bytes) {
  char why[MICRO_TABLE_TEXT];
  if (bytes <= s->on.limits.shared) return true;
  snprintf(why, sizeof why, "its kernels need %u bytes of shared memory; blocks here have %u",
           bytes, s->on.limits.shared);
  study_row_words(s, s->name, "not measured", NULL, why);
  return false;
}

/* ---- published values ------------------------------------------------------ */

typedef struct {
  const char *gpu, *study, *what, *words; /* words NULL: the number counts */
  double number;
  const char *where;
} published_t;

static const published_t published[] = {
#define PUBLISHED(gpu, study, what, value, where) {gpu, study, what, NULL, value, where},
#define PUBLISHED_WORDS(gpu, study, what, words, where) {gpu, study, what, words, 0, where},
#include "studies/micro/published.def"
#undef PUBLISHED
#undef PUBLISHED_WORDS
};

static const published_t *find(const study_t *s, const char *what) {
  for (unsigned i = 0; i < sizeof published / sizeof *published; i++) {
    const published_t *p = &published[i];
    if (strcmp(p->gpu, s->gpu) == 0 && strcmp(p->study, s->name) == 0 && strcmp(p->what, what) == 0)
      return p;
  }
  return NULL;
}

micro_value_t study_published(const study_t *s, const char *what) {
  const published_t *p = find(s, what);
  if (!p) return micro_none();
  return p->words ? micro_words("%s", p->words) : micro_number(p->number);
}

/* ---- rows ------------------------------------------------------------------ */

static const config_t no_model = {
#define KEY(has, name, field, min, max, deflt, ...) .field = deflt,
#define WORD(has, name, field, list, deflt, ...) .field = deflt,
#include "config/each_key.h"
};

const config_t *study_known(const study_t *s) {
  return s->cfg ? s->cfg : &no_model;
}

double study_issue(const study_t *s) {
  const config_t *c = study_known(s);
  return fmax(c->issue_cycles, c->fetch_cycles);
}

double study_l1d_hit(const study_t *s) {
  const config_t *c = study_known(s);
  return fmax(fmax(c->l1d_latency, study_issue(s)), fmax(c->load_cycles, c->lsu_cycles));
}

double study_texture_hit(const study_t *s) {
  const config_t *c = study_known(s);
  return c->tex_l1d ? fmax(c->tex_latency, c->l1d_latency) : c->tex_latency;
}

double study_texture_miss(const study_t *s) {
  const config_t *c = study_known(s);
  if (!c->tex_l1d) return c->tex_l2_latency + study_farther(s);
  return c->l2_latency + c->l1d_miss + study_texture_hit(s) - c->l1d_latency;
}

double study_farther(const study_t *s) {
  const config_t *c = study_known(s);
  int last = (int)((c->sms - 1) / c->cluster), at = (int)(s->on.limits.middle_sm / c->cluster);
  return last ? (2.0 * at - last) * c->cluster_spread / (2.0 * last) : 0;
}

void study_add(study_t *s, const micro_row_t *row) {
  micro_row_t full = *row;
  const published_t *p = find(s, row->what);
  if (p) {
    size_t n = strlen(full.note);
    snprintf(full.note + n, sizeof full.note - n, "%s%s", n ? "; " : "", p->where);
  }
  full.published = study_published(s, row->what);
  if (!s->cfg) full.configured = micro_none();
  if (s->from && !full.from[0]) snprintf(full.from, sizeof full.from, "%s", s->from);
  full.origin = full.configured.kind != MICRO_NONE ? MICRO_OF_KEYS
                : s->of_table                      ? MICRO_OF_TABLE
                                                   : MICRO_EMERGES;
  micro_table_add(&s->table, &full);
}

static void add(study_t *s, const char *what, micro_row_t *row, const char *note) {
  snprintf(row->what, sizeof row->what, "%s", what);
  snprintf(row->note, sizeof row->note, "%s", note ? note : "");
  study_add(s, row);
}

static micro_value_t number(double v) {
  return isnan(v) ? micro_none() : micro_number(v);
}

void study_row_value(study_t *s, const char *what, const char *unit, micro_value_t deduced,
                     double configured, micro_rule_t rule, const char *note) {
  micro_row_t row = {.deduced = deduced, .configured = number(configured), .rule = rule};
  snprintf(row.unit, sizeof row.unit, "%s", unit);
  add(s, what, &row, note);
}

void study_row(study_t *s, const char *what, const char *unit, double deduced, double configured,
               micro_rule_t rule, const char *note) {
  study_row_value(s, what, unit, number(deduced), configured, rule, note);
}

void study_row_within(study_t *s, const char *what, const char *unit, double deduced,
                      double configured, double within, const char *note) {
  micro_row_t row = {.deduced = number(deduced),
                     .configured = number(configured),
                     .rule = MICRO_WITHIN,
                     .within = within};
  snprintf(row.unit, sizeof row.unit, "%s", unit);
  add(s, what, &row, note);
}

micro_value_t study_cycles(const study_t *s, double cycles) {
  enum { SHORT = 2 };
  double tick = 1u << s->on.limits.clock_shift;
  return tick > (double)SHORT ? micro_range(cycles - tick, cycles + tick) : micro_number(cycles);
}

static micro_value_t words(const char *text) {
  return text ? micro_words("%s", text) : micro_none();
}

void study_row_words(study_t *s, const char *what, const char *deduced, const char *configured,
                     const char *note) {
  micro_row_t row = {.deduced = words(deduced), .configured = words(configured)};
  add(s, what, &row, note);
}

void study_row_open(study_t *s, const char *what, const char *configured, const char *why) {
  micro_row_t row = {.deduced = micro_undecided(), .configured = words(configured)};
  add(s, what, &row, why);
}

/* The last row of that name, because other studies may have rows of the same name. */
static micro_row_t *row_of(const study_t *s, const char *what) {
  for (size_t i = s->table.n; i > 0; i--)
    if (strcmp(s->table.row[i - 1].what, what) == 0) return &s->table.row[i - 1];
  return NULL;
}

const micro_row_t *study_find_row(const study_t *s, const char *what) {
  return row_of(s, what);
}

void study_instead(study_t *s, const char *what, micro_value_t value, const char *why) {
  micro_row_t *row = row_of(s, what);
  if (!row || row->deduced.kind == MICRO_NONE) return;
  row->deduced = value;
  snprintf(row->note, sizeof row->note, "%s", why);
}

void study_doubt(study_t *s, const char *what, const char *why) {
  study_instead(s, what, micro_undecided(), why);
}

int study_part(study_t *s, const char *name, bool *there, mrpb_err_t *err) {
  *there = true;
  if (s->measured && measured_part(s->measured, name, there, err) != 0) return -1;
  if (!*there)
    study_row_words(s, name, "not measured", NULL, "this record is from a version without them");
  return 0;
}

typedef int writer_t(const micro_plot_t *plot, const char *dir, const char *name, mrpb_err_t *err);

static int write(const study_t *s, const char *name, micro_plot_t *plot, writer_t *writer,
                 mrpb_err_t *err) {
  char file[STUDY_FILE];
  snprintf(file, sizeof file, "%.40s-%.80s", s->gpu, name);
  int rc = writer(plot, s->folder, file, err);
  micro_plot_free(plot);
  return rc;
}

int study_plot(const study_t *s, const char *name, micro_plot_t *plot, mrpb_err_t *err) {
  return write(s, name, plot, micro_plot_write, err);
}

int study_timeline(const study_t *s, const char *name, micro_plot_t *plot, mrpb_err_t *err) {
  return write(s, name, plot, micro_timeline_write, err);
}
