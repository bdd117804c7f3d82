/* SPDX-License-Identifier: Apache-2.0 */
/* Deduced, configured, published: see table.h. */
#include "studies/micro/plots/table.h"

#include "base/grow.h"
#include "base/json_out.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum column {
  WHAT,
  UNIT,
  DEDUCED,
  CONFIGURED,
  DEDUCTION,
  PUBLISHED,
  PUBLICATION,
  ORIGIN,
  FROM,
  NOTE,
  COLUMNS
};
enum { DIGITS = 6 };

micro_value_t micro_none(void) {
  return (micro_value_t){.kind = MICRO_NONE};
}

micro_value_t micro_number(double v) {
  return (micro_value_t){.kind = MICRO_NUMBER, .number = v};
}

micro_value_t micro_range(double lo, double hi) {
  if (lo > hi) return micro_undecided();
  if (!(lo < hi)) return micro_number(lo);
  return (micro_value_t){.kind = MICRO_RANGE, .number = lo, .hi = hi};
}

micro_value_t micro_at_least(double lo) {
  return micro_range(lo, INFINITY);
}

micro_value_t micro_at_most(double hi) {
  return micro_range(-INFINITY, hi);
}

micro_value_t micro_undecided(void) {
  return (micro_value_t){.kind = MICRO_UNDECIDED};
}

micro_value_t micro_words(const char *fmt, ...) {
  micro_value_t v = {.kind = MICRO_WORDS};
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(v.words, sizeof v.words, fmt, ap);
  va_end(ap);
  return v;
}

void micro_table_add(micro_table_t *t, const micro_row_t *row) {
  micro_row_t *more = grow(t->row, t->n + 1, &t->room, sizeof *more);
  if (!more) {
    t->failed = true;
    return;
  }
  t->row = more;
  t->row[t->n++] = *row;
}

void micro_table_free(micro_table_t *t) {
  free(t->row);
  *t = (micro_table_t){0};
}

/* ---- verdicts -------------------------------------------------------------- */

double micro_tolerance(double cycles) {
  return fmax(2, 0.02 * fabs(cycles));
}

static micro_verdict_t compare(const micro_row_t *row, const micro_value_t *a,
                               const micro_value_t *b) {
  if (b->kind == MICRO_NONE) return MICRO_NOT_KNOWN;
  if (a->kind == MICRO_UNDECIDED) return MICRO_OPEN;
  double may = 0;
  if (row->rule == MICRO_LATENCY) may = micro_tolerance(b->number);
  if (row->rule == MICRO_WITHIN) may = row->within;
  if (a->kind == MICRO_RANGE && b->kind == MICRO_NUMBER)
    return b->number >= a->number - may && b->number <= a->hi + may ? MICRO_IS_WITHIN
                                                                    : MICRO_DIFFERS;
  if (a->kind != b->kind) return MICRO_DIFFERS;
  if (a->kind == MICRO_WORDS) return strcmp(a->words, b->words) == 0 ? MICRO_EQUAL : MICRO_DIFFERS;
  double apart = fabs(a->number - b->number);
  if (!(apart > 0) && !isnan(apart)) return MICRO_EQUAL;
  return apart <= may * (1 + 1e-12) ? MICRO_IS_WITHIN : MICRO_DIFFERS;
}

micro_verdict_t micro_deduction(const micro_row_t *row) {
  return compare(row, &row->deduced, &row->configured);
}

micro_verdict_t micro_publication(const micro_row_t *row) {
  return compare(row, &row->deduced, &row->published);
}

static const char *word(micro_verdict_t v, const char *not_known) {
  static const char *const name[] = {"equal", "within", "differs", NULL, "not decided"};
  return v == MICRO_NOT_KNOWN ? not_known : name[v];
}

const char *micro_deduction_word(const micro_row_t *row) {
  return word(micro_deduction(row), "not configured");
}

const char *micro_publication_word(const micro_row_t *row) {
  return word(micro_publication(row), "not published");
}

const char *micro_sure_word(const micro_row_t *row) {
  const micro_value_t *v = &row->deduced;
  if (v->kind == MICRO_NUMBER) return row->rule == MICRO_EXACT ? "exact" : "measured";
  if (v->kind == MICRO_RANGE)
    return isinf(v->hi) ? "at least" : isinf(v->number) ? "at most" : "interval";
  return v->kind == MICRO_WORDS ? "exact" : v->kind == MICRO_UNDECIDED ? "not decided" : "none";
}

static const char *origin_word(const micro_row_t *row) {
  static const char *const name[] = {"emerges", "key", "table"};
  return name[row->origin];
}

size_t micro_table_failures(const micro_table_t *t) {
  size_t n = 0;
  for (size_t i = 0; i < t->n; i++) n += micro_deduction(&t->row[i]) == MICRO_DIFFERS;
  return n;
}

/* ---- writing --------------------------------------------------------------- */

static int check(const micro_table_t *t, mrpb_err_t *err) {
  return t->failed ? mrpb_fail(err, "table of results: out of memory after %zu rows", t->n) : 0;
}

static void number_text(double v, char text[MICRO_TABLE_TEXT]) {
  if (v == floor(v) && fabs(v) < 1e15)
    snprintf(text, MICRO_TABLE_TEXT, "%.0f", v);
  else
    snprintf(text, MICRO_TABLE_TEXT, "%.*g", DIGITS, v);
}

static void range_text(const micro_value_t *v, char text[MICRO_TABLE_TEXT]) {
  char lo[MICRO_TABLE_TEXT], hi[MICRO_TABLE_TEXT];
  number_text(v->number, lo);
  number_text(v->hi, hi);
  if (isinf(v->hi))
    snprintf(text, MICRO_TABLE_TEXT, "at least %.40s", lo);
  else if (isinf(v->number))
    snprintf(text, MICRO_TABLE_TEXT, "at most %.40s", hi);
  else
    snprintf(text, MICRO_TABLE_TEXT, "%.40s to %.40s", lo, hi);
}

static void value_text(const micro_value_t *v, const char *none, char text[MICRO_TABLE_TEXT]) {
  const char *const words[] = {
      [MICRO_WORDS] = v->words, [MICRO_UNDECIDED] = "not decided", [MICRO_NONE] = none};
  if (v->kind == MICRO_NUMBER)
    number_text(v->number, text);
  else if (v->kind == MICRO_RANGE)
    range_text(v, text);
  else
    snprintf(text, MICRO_TABLE_TEXT, "%s", words[v->kind]);
}

void micro_value_text(const micro_value_t *v, char text[MICRO_TABLE_TEXT]) {
  value_text(v, "none", text);
}

/* Without any published value, the table has no such columns. */
static bool is_shown(const micro_table_t *t, unsigned column) {
  if (column != PUBLISHED && column != PUBLICATION) return true;
  for (size_t i = 0; i < t->n; i++)
    if (t->row[i].published.kind != MICRO_NONE) return true;
  return false;
}

/* The cell of a row; row NULL: the heading. */
static void cell(const micro_row_t *row, unsigned column, char text[MICRO_TABLE_TEXT]) {
  static const char *const heading[COLUMNS] = {
      "what",      "unit",        "deduced", "configured", "deduction",
      "published", "publication", "origin",  "from",       "note"};
  if (!row) {
    snprintf(text, MICRO_TABLE_TEXT, "%s", heading[column]);
    return;
  }
  const char *words[COLUMNS] = {
      [WHAT] = row->what, [UNIT] = row->unit, [FROM] = row->from, [NOTE] = row->note};
  words[DEDUCTION] = micro_deduction_word(row);
  words[PUBLICATION] = micro_publication_word(row);
  words[ORIGIN] = origin_word(row);
  if (column == DEDUCED)
    value_text(&row->deduced, "none", text);
  else if (column == CONFIGURED)
    value_text(&row->configured, "-", text);
  else if (column == PUBLISHED)
    value_text(&row->published, "-", text);
  else
    snprintf(text, MICRO_TABLE_TEXT, "%s", words[column]);
}

/* Counts characters of UTF-8, not bytes. */
static int width_of(const char *text) {
  int n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

static bool is_right(const micro_row_t *row, unsigned column) {
  const micro_value_t *v = !row                   ? NULL
                           : column == DEDUCED    ? &row->deduced
                           : column == CONFIGURED ? &row->configured
                           : column == PUBLISHED  ? &row->published
                                                  : NULL;
  return v && v->kind == MICRO_NUMBER;
}

static void text_line(const micro_table_t *t, const micro_row_t *row, const int width[COLUMNS],
                      FILE *f) {
  char text[MICRO_TABLE_TEXT];
  int blanks = 0; /* written late, so that no line ends with blanks */
  for (unsigned c = 0; c < COLUMNS; c++) {
    if (!is_shown(t, c)) continue;
    cell(row, c, text);
    int pad = width[c] - width_of(text), before = is_right(row, c) ? pad : 0;
    if (text[0]) {
      fprintf(f, "%*s%s", blanks + before, "", text);
      blanks = pad - before + 2;
    } else {
      blanks += width[c] + 2;
    }
  }
  fputc('\n', f);
}

int micro_table_text(const micro_table_t *t, FILE *f, mrpb_err_t *err) {
  int width[COLUMNS] = {0};
  char text[MICRO_TABLE_TEXT];
  if (check(t, err) != 0) return -1;
  for (size_t i = 0; i <= t->n; i++)
    for (unsigned c = 0; c < COLUMNS; c++) {
      cell(i < t->n ? &t->row[i] : NULL, c, text);
      if (width_of(text) > width[c]) width[c] = width_of(text);
    }
  text_line(t, NULL, width, f);
  for (size_t i = 0; i < t->n; i++) text_line(t, &t->row[i], width, f);
  return 0;
}

static void markdown_line(const micro_table_t *t, const micro_row_t *row, FILE *f) {
  char text[MICRO_TABLE_TEXT];
  fputc('|', f);
  for (unsigned c = 0; c < COLUMNS; c++) {
    if (!is_shown(t, c)) continue;
    cell(row, c, text);
    fputc(' ', f);
    for (const char *p = text; *p; p++) {
      if (*p == '|') fputc('\\', f);
      fputc(*p, f);
    }
    fputs(" |", f);
  }
  fputc('\n', f);
}

int micro_table_markdown(const micro_table_t *t, FILE *f, mrpb_err_t *err) {
  if (check(t, err) != 0) return -1;
  markdown_line(t, NULL, f);
  fprintf(f, "| --- | --- | ---: | ---: | --- |%s --- | --- | --- |\n",
          is_shown(t, PUBLISHED) ? " ---: | --- |" : "");
  for (size_t i = 0; i < t->n; i++) markdown_line(t, &t->row[i], f);
  return 0;
}

static json_t *value_json(const micro_value_t *v) {
  if (v->kind == MICRO_WORDS) return json_string(v->words);
  if (v->kind == MICRO_RANGE) {
    json_t *o = json_object();
    if (!isinf(v->number)) json_out_set(&o, "from", json_real(v->number));
    if (!isinf(v->hi)) json_out_set(&o, "to", json_real(v->hi));
    return o;
  }
  if (v->kind != MICRO_NUMBER || !isfinite(v->number)) return json_null();
  if (v->number == floor(v->number) && fabs(v->number) < 1e15)
    return json_integer((json_int_t)v->number);
  return json_real(v->number);
}

json_t *micro_table_json(const micro_table_t *t) {
  json_t *all = t->failed ? NULL : json_array();
  for (size_t i = 0; i < t->n; i++) {
    const micro_row_t *r = &t->row[i];
    json_t *o = json_object();
    json_out_set(&o, "what", json_string(r->what));
    json_out_set(&o, "unit", json_string(r->unit));
    json_out_set(&o, "deduced", value_json(&r->deduced));
    json_out_set(&o, "configured", value_json(&r->configured));
    json_out_set(&o, "published", value_json(&r->published));
    json_out_set(&o, "deduction", json_string(micro_deduction_word(r)));
    json_out_set(&o, "publication", json_string(micro_publication_word(r)));
    json_out_set(&o, "sure", json_string(micro_sure_word(r)));
    json_out_set(&o, "origin", json_string(origin_word(r)));
    json_out_set(&o, "from", json_string(r->from));
    json_out_set(&o, "note", json_string(r->note));
    json_out_append(&all, o);
  }
  return all;
}
