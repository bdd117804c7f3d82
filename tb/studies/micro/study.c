/* SPDX-License-Identifier: Apache-2.0 */
/* See study.h. */
#include "studies/micro/study.h"
#include "studies/micro/kernels/measured.h"

#include <math.h>
#include <stdarg.h>
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

/* Whether a list of words has this one. */
static bool has_word(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = strstr(list, word); at; at = strstr(at + n, word))
    if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' ')) return true;
  return false;
}

bool study_is_of(const study_class_t *c, const char *gpu) {
  return has_word(c->gpus, gpu);
}

/* Whether the study's kernels can be launched on s->on. If not, a row says that nothing was
 * measured, and why. */
static bool fits(study_t *s, const study_class_t *c) {
  char why[MICRO_TABLE_TEXT];
  const uint32_t most = s->on.limits.registers_per_thread;
  snprintf(why, sizeof why, "its kernels need %u registers a thread; this GPU has %u", c->regs,
           most);
  study_of(s, "%s", c->name);
  return study_can(s, c->regs <= most, ROW_NOT_MEASURED, why);
}

int study_run(study_t *s, const study_class_t *c, mrpb_err_t *err) {
  s->on.err = err;
  if (!fits(s, c)) return 0;
  if (s->measured && measured_study(s->measured, c->name, err) != 0) return -1;
  c->run(s);
  return study_ok(s) ? 0 : -1;
}

bool study_has_shared(study_t *s, uint32_t bytes) {
  char why[MICRO_TABLE_TEXT];
  snprintf(why, sizeof why, "its kernels need %u bytes of shared memory; blocks here have %u",
           bytes, s->on.limits.shared);
  study_of(s, "%s", s->name);
  return study_can(s, bytes <= s->on.limits.shared, ROW_NOT_MEASURED, why);
}

/* ---- published values ------------------------------------------------------ */

typedef struct {
  const char *gpus;
  study_row_t id;
  const char *of, *words; /* words NULL: the number counts */
  double number;
  const char *where;
} published_t;

static const published_t published[] = {
#define PUBLISHED(gpus, id, value, where) {gpus, ROW_##id, "", NULL, value, where},
#define PUBLISHED_OF(gpus, id, of, value, where) {gpus, ROW_##id, of, NULL, value, where},
#define PUBLISHED_WORDS(gpus, id, words, where) {gpus, ROW_##id, "", words, 0, where},
#define PUBLISHED_WORDS_OF(gpus, id, of, words, where) {gpus, ROW_##id, of, words, 0, where},
#define OPERATION(name, latency, throughput, unit, where, ...)                                     \
  PUBLISHED_OF("gtx280", OP_LATENCY, name, latency, where)                                         \
  PUBLISHED_OF("gtx280", OP_THROUGHPUT, name, throughput, where)                                   \
  PUBLISHED_WORDS_OF(sizeof(unit) > 1 ? "gtx280" : "", OP_UNIT, name, unit, where)
#include "studies/micro/published.def"
#include "studies/micro/operations.def"
};

static const struct {
  const char *text, *unit;
  micro_rule_t rule;
  double percent; /* with MICRO_WITHIN: of the deduced value; 0: the study says how much */
} rows[] = {
#define EXACT MICRO_EXACT, 0
#define WORDS MICRO_EXACT, 0
#define LATENCY MICRO_LATENCY, 0
#define WITHIN MICRO_WITHIN, 0
#define PERCENT(n) MICRO_WITHIN, n
#define ROW(id, text, unit, ...) {text, unit, __VA_ARGS__},
#include "studies/micro/rows.def"
};

static const published_t *find(const study_t *s, study_row_t id) {
  const char *of = strchr(rows[id].text, '%') ? s->of : "";
  for (unsigned i = 0; i < sizeof published / sizeof *published; i++) {
    const published_t *p = &published[i];
    if (p->id == id && strcmp(p->of, of) == 0 && has_word(p->gpus, s->gpu)) return p;
  }
  return NULL;
}

micro_value_t study_published(const study_t *s, study_row_t id) {
  const published_t *p = find(s, id);
  if (!p) return micro_none();
  return p->words ? micro_words("%s", p->words) : micro_number(p->number);
}

/* ---- what is configured ----------------------------------------------------- */

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

double study_lines_awaited(const study_t *s, uint32_t lines) {
  const config_t *c = study_known(s);
  const bool taken = lines && c->l1d_allocate == CONFIG_ALLOCATE_MISS;
  if (c->table != DEVICE_TABLE_MSHR) return study_if(taken, lines);
  return taken && lines < c->mshr_entries ? lines : c->mshr_entries;
}

double study_farther(const study_t *s) {
  const config_t *c = study_known(s);
  int last = (int)((c->sms - 1) / c->cluster), at = (int)(s->on.limits.middle_sm / c->cluster);
  return last ? (2.0 * at - last) * c->cluster_spread / (2.0 * last) : 0;
}

/* ---- rows ------------------------------------------------------------------ */

void study_of(study_t *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(s->of, sizeof s->of, format, args);
  va_end(args);
}

void study_row_text(study_row_t id, const char *of, char text[MICRO_TABLE_TEXT]) {
  size_t n = 0;
  for (const char *c = rows[id].text; *c && n + 1 < MICRO_TABLE_TEXT; c++) {
    if (c[0] != '%' || c[1] != 's') {
      text[n++] = *c;
      continue;
    }
    c++;
    while (*of && *of != '|' && n + 1 < MICRO_TABLE_TEXT) text[n++] = *of++;
    of += *of == '|';
  }
  text[n] = '\0';
}

static void add(study_t *s, study_row_t id, const char *unit, const micro_row_t *row,
                const char *note) {
  micro_row_t full = *row;
  if (!study_ok(s)) return;
  const published_t *p = find(s, id);
  study_row_text(id, s->of, full.what);
  snprintf(full.note, sizeof full.note, "%s%s%s", note ? note : "", note && *note && p ? "; " : "",
           p ? p->where : "");
  full.published = study_published(s, id);
  snprintf(full.unit, sizeof full.unit, "%s", unit);
  if (!s->cfg) full.configured = micro_none();
  if (s->from) snprintf(full.from, sizeof full.from, "%s", s->from);
  full.origin = full.configured.kind != MICRO_NONE ? MICRO_OF_KEYS
                : s->of_table                      ? MICRO_OF_TABLE
                                                   : MICRO_EMERGES;
  micro_table_add(&s->table, &full);
}

void study_add(study_t *s, study_row_t id, const micro_row_t *row, const char *note) {
  add(s, id, rows[id].unit, row, note);
}

static micro_value_t number(double v) {
  return isnan(v) ? micro_none() : micro_number(v);
}

void study_row_value(study_t *s, study_row_t id, micro_value_t deduced, double configured,
                     const char *note) {
  study_add(s, id,
            &(micro_row_t){.deduced = deduced,
                           .configured = number(configured),
                           .rule = rows[id].rule,
                           .within = rows[id].percent / 100 * deduced.number},
            note);
}

void study_row_unless(study_t *s, const char *why, study_row_t id, micro_value_t deduced,
                      double configured, const char *note) {
  study_row_value(s, id, why ? micro_undecided() : deduced, configured, why ? why : note);
}

void study_row(study_t *s, study_row_t id, double deduced, double configured, const char *note) {
  study_row_value(s, id, number(deduced), configured, note);
}

void study_row_within(study_t *s, study_row_t id, double deduced, double configured, double within,
                      const char *note) {
  study_add(s, id,
            &(micro_row_t){.deduced = number(deduced),
                           .configured = number(configured),
                           .rule = MICRO_WITHIN,
                           .within = within},
            note);
}

micro_value_t study_cycles(const study_t *s, double cycles) {
  enum { SHORT = 2 };
  double tick = 1u << s->on.limits.clock_shift;
  return tick > (double)SHORT ? micro_range(cycles - tick, cycles + tick) : micro_number(cycles);
}

static micro_value_t words(const char *text) {
  return text ? micro_words("%s", text) : micro_none();
}

void study_row_words(study_t *s, study_row_t id, const char *deduced, const char *configured,
                     const char *note) {
  add(s, id, "", &(micro_row_t){.deduced = words(deduced), .configured = words(configured)}, note);
}

void study_row_open(study_t *s, study_row_t id, const char *configured, const char *why) {
  add(s, id, "", &(micro_row_t){.deduced = micro_undecided(), .configured = words(configured)},
      why);
}

void study_row_words_unless(study_t *s, const char *why, study_row_t id, const char *deduced,
                            const char *configured, const char *note) {
  if (why)
    study_row_open(s, id, configured, why);
  else
    study_row_words(s, id, deduced, configured, note);
}

void study_not_measured(study_t *s, study_row_t id, const char *why) {
  study_row_words(s, id, "not measured", NULL, why);
}

bool study_can(study_t *s, bool can, study_row_t id, const char *why) {
  if (!can) study_not_measured(s, id, why);
  return can;
}

/* The last row of that name, because other studies may have rows of the same name. */
static micro_row_t *row_of(const study_t *s, study_row_t id) {
  char text[MICRO_TABLE_TEXT];
  study_row_text(id, s->of, text);
  for (size_t i = s->table.n; i > 0; i--)
    if (strcmp(s->table.row[i - 1].what, text) == 0) return &s->table.row[i - 1];
  return NULL;
}

const micro_row_t *study_find_row(const study_t *s, study_row_t id) {
  return row_of(s, id);
}

void study_instead(study_t *s, study_row_t id, micro_value_t value, const char *why) {
  micro_row_t *row = row_of(s, id);
  if (!row || row->deduced.kind == MICRO_NONE) return;
  row->deduced = value;
  snprintf(row->note, sizeof row->note, "%s", why);
}

void study_doubt(study_t *s, study_row_t id, const char *why) {
  study_instead(s, id, micro_undecided(), why);
}

bool study_part(study_t *s, const char *name) {
  bool there = true;
  if (!study_ok(s)) return false;
  if (s->measured && measured_part(s->measured, name, &there, s->on.err) != 0) return false;
  if (!there) study_of(s, "%s", name);
  return study_can(s, there, ROW_NOT_MEASURED, "this record is from a version without them");
}

micro_plot_t study_new_plot(const study_t *s, const char *xlabel, const char *ylabel,
                            const char *format, ...) {
  micro_plot_t p = {.failed = false};
  va_list args;
  const int n = snprintf(p.title, sizeof p.title, "%.40s: ", s->gpu);
  va_start(args, format);
  vsnprintf(p.title + n, sizeof p.title - (size_t)n, format, args);
  va_end(args);
  snprintf(p.xlabel, sizeof p.xlabel, "%s", xlabel);
  snprintf(p.ylabel, sizeof p.ylabel, "%s", ylabel);
  return p;
}

void study_mark_published(const study_t *s, study_row_t id, micro_plot_t *plot) {
  const micro_value_t v = study_published(s, id);
  if (v.kind == MICRO_NUMBER) micro_plot_mark(plot, "published", v.number, false, true);
}

void study_plot(const study_t *s, const char *name, micro_plot_t *plot) {
  char file[STUDY_FILE];
  snprintf(file, sizeof file, "%.40s-%.80s", s->gpu, name);
  if (study_ok(s))
    (void)(plot->n_bars ? micro_timeline_write : micro_plot_write)(plot, s->folder, file,
                                                                   s->on.err);
  micro_plot_free(plot);
}
