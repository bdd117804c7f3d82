/* SPDX-License-Identifier: Apache-2.0 */
/* See export.h. */
#include "studies/micro/export.h"
#include "studies/micro/study.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { VALUE = 40 };

typedef struct {
  study_row_t row;
  const char *of, *key;
  double times; /* 0: the key's words contain more than this number */
  const char *line;
} export_t;

static const export_t exports[] = {
#define EXPORT(row, of, key, times, line) {ROW_##row, of, #key, times, line},
#include "studies/micro/export.def"
};
enum { EXPORTS = sizeof exports / sizeof *exports };

int export_form(const char *name, export_form_t *form, mrpb_err_t *err) {
  static const char *const names[] = {[EXPORT_MRPB] = "mrpb", [EXPORT_ACCEL_SIM] = "accel-sim"};
  for (unsigned i = EXPORT_MRPB; i <= EXPORT_ACCEL_SIM; i++)
    if (strcmp(name, names[i]) == 0) return *form = (export_form_t)i, 0;
  return mrpb_fail(err, "--export %.40s: legal: mrpb, accel-sim", name);
}

static const micro_row_t *find_row(const micro_table_t *t, const export_t *e) {
  char what[MICRO_TABLE_TEXT];
  study_row_text(e->row, e->of, what);
  for (size_t i = 0; i < t->n; i++)
    if (strcmp(t->row[i].what, what) == 0) return &t->row[i];
  return NULL;
}

/* Makes the key's word: "PRT" becomes prt, "in order" becomes in-order. */
static void as_word(const char *words, char value[VALUE]) {
  size_t n = 0;
  for (; words[n] && n + 1 < VALUE; n++)
    value[n] = words[n] == ' ' ? '-' : (char)tolower((unsigned char)words[n]);
  value[n] = 0;
}

/* The row's value as a file has it; of bounds, the middle. False if the row has none. */
static bool value_of(const micro_row_t *row, double times, char value[VALUE]) {
  if (!row) return false;
  if (row->deduced.kind == MICRO_WORDS && strcmp(row->deduced.words, "not measured") == 0)
    return false;
  if (row->deduced.kind == MICRO_WORDS) return as_word(row->deduced.words, value), true;
  const micro_value_t *d = &row->deduced;
  const bool bounds = d->kind == MICRO_RANGE && isfinite(d->number) && isfinite(d->hi);
  if (d->kind != MICRO_NUMBER && !bounds) return false;
  snprintf(value, VALUE, "%.0f", round((bounds ? (d->number + d->hi) / 2 : d->number) * times));
  return true;
}

static void evidence(const micro_row_t *row, char text[MICRO_TABLE_TEXT + VALUE]) {
  char value[MICRO_TABLE_TEXT];
  micro_value_text(&row->deduced, value);
  snprintf(text, MICRO_TABLE_TEXT + VALUE, "measured: %.60s: %.30s%s%.50s", row->what, value,
           row->note[0] ? "; " : "", row->note);
}

/* ---- for mrpb micro ------------------------------------------------------------------ */

/* Values that the driver gives and no study measures. The L2 has that many `ways`. */
static bool of_head(const measured_head_t *h, const char *key, uint32_t ways, char value[VALUE]) {
  const struct {
    const char *key;
    double value;
  } known[] = {{"SMS", h->limits.sms},
               {"CLOCK_MHZ", h->mhz},
               {"THREADS_PER_BLOCK", h->limits.threads_per_block},
               {"L1D_WAYS", h->limits.l1d_lines / 4.0},
               {"L2_TOTAL_SETS", (double)h->limits.l2_bytes / (128.0 * ways)}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].key, key) == 0 && known[i].value > 0)
      return snprintf(value, VALUE, "%.0f", round(known[i].value)), true;
  return false;
}

/* The key's first row that has a value; else NULL. */
static const micro_row_t *find_value(const micro_table_t *t, const char *key, char value[VALUE]) {
  for (unsigned i = 0; i < EXPORTS; i++) {
    const export_t *e = &exports[i];
    const micro_row_t *row = strcmp(e->key, key) == 0 ? find_row(t, e) : NULL;
    if (e->times > 0 && value_of(row, e->times, value)) return row;
  }
  return NULL;
}

static int write_keys(const micro_table_t *t, const measured_head_t *head, const config_t *like,
                      const char *name, FILE *out, mrpb_err_t *err) {
  config_t cfg = *like;
  fprintf(out, "# %s, driver %u.%u, %s: what was measured; all else as in %s\n", head->gpu,
          head->driver / 1000, head->driver % 1000 / 10, head->date, name);
  for (unsigned i = 0; i < config_count(); i++) {
    if (!config_has(&cfg, i)) continue;
    const char *key = config_key(i)->name;
    char value[VALUE], why[MICRO_TABLE_TEXT + VALUE], set[2 * VALUE + 64];
    const micro_row_t *row = find_value(t, key, value);
    snprintf(why, sizeof why, "not measured; of %.60s", name);
    if (row)
      evidence(row, why);
    else if (of_head(head, key, like->l2_ways, value))
      snprintf(why, sizeof why, "from the driver");
    else
      config_print_value(&cfg, i, value, sizeof value);
    snprintf(set, sizeof set, "%s=%s", key, value);
    if (config_set(&cfg, set, err) != 0) return -1;
    fprintf(out, "%-20s = %-9s # %s\n", key, value, why);
  }
  return config_check(&cfg, "--export", err);
}

/* ---- for Accel-Sim --------------------------------------------------------------------- */

static void write_lines(const micro_table_t *t, const measured_head_t *head, FILE *out) {
  fprintf(out,
          "# %s, driver %u.%u, %s\n# %u SMs, %.0f MHz: from the driver\n-gpgpu_n_clusters %u\n",
          head->gpu, head->driver / 1000, head->driver % 1000 / 10, head->date, head->limits.sms,
          head->mhz, head->limits.sms);
  for (unsigned i = 0; i < EXPORTS; i++) {
    const export_t *e = &exports[i];
    const micro_row_t *row = find_row(t, e);
    const char *hole = strstr(e->line, "%s");
    char value[VALUE], why[MICRO_TABLE_TEXT + VALUE];
    if (!hole || !value_of(row, 1, value)) continue;
    evidence(row, why);
    fprintf(out, "# %s\n%.*s%s%s\n", why, (int)(hole - e->line), e->line, value, hole + 2);
  }
}

int export_write(export_form_t form, const micro_table_t *t, const measured_head_t *head,
                 const config_t *like, const char *name, FILE *out, mrpb_err_t *err) {
  if (form == EXPORT_MRPB) return write_keys(t, head, like, name, out, err);
  write_lines(t, head, out);
  return 0;
}
