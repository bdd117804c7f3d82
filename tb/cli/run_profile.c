/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_profile.h"

#include "base/json_out.h"
#include "base/output.h"
#include "workload/ptx/where.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 600 };

/* A cell of a row: its name, and its value as text or as a number. */
typedef struct {
  void (*text)(void *ctx, const char *name, const char *text);
  void (*count)(void *ctx, const char *name, uint64_t n);
  void (*real)(void *ctx, const char *name, double x);
  void *ctx;
} cells_t;

/* ---- columns --------------------------------------------------------------------- */

static bool counted(const char *name, size_t n, gpu_shows_t shows) {
  char full[CELL];
  for (unsigned i = 0; i < GPU_COUNTS; i++) {
    const gpu_count_t *c = gpu_count(i);
    snprintf(full, sizeof full, "%s%s%s", c->part, c->part[0] ? "." : "", c->name);
    if (strlen(full) == n && strncmp(full, name, n) == 0) return gpu_count_shown(i, shows);
  }
  return false;
}

bool run_profile_shown(profile_column_t column, gpu_shows_t shows) {
  const char *total = profile_about(column)->total;
  bool shown = total[0] == '\0';
  for (size_t n; *total && !shown; total += n + (total[n] == '+')) {
    n = strcspn(total, "+");
    shown = counted(total, n, shows);
  }
  return shown;
}

/* ---- the cells of a row -------------------------------------------------------- */

/* What a list of rows shows. */
typedef struct {
  const run_profile_names_t *names;
  bool by_array, shown[PROFILE_COLUMNS];
} list_t;

static list_t list_of(const run_profile_names_t *names, bool by_array) {
  list_t t = {.names = names, .by_array = by_array};
  for (unsigned i = 0; i < PROFILE_COLUMNS; i++)
    t.shown[i] = (!by_array || profile_about((profile_column_t)i)->by_array) &&
                 run_profile_shown((profile_column_t)i, names->shows);
  return t;
}

static const char *part(char to[CELL], const char *from, size_t n) {
  snprintf(to, CELL, "%.*s", (int)(n < CELL ? n : CELL - 1), from ? from : "");
  return to;
}

static void instruction(const cells_t *c, const profile_row_t *row,
                        const run_profile_names_t *names) {
  char text[CELL], number[32] = "-";
  ptx_where_t w = {.kernel = ""};
  const bool known =
      row->pc != PROFILE_NOWHERE && names->module && ptx_where(names->module, row->pc, &w);
  if (row->pc != PROFILE_NOWHERE) snprintf(number, sizeof number, "0x%" PRIx32, row->pc);
  c->text(c->ctx, "pc", number);
  c->text(c->ctx, "kernel", w.kernel);
  c->count(c->ctx, "line", known ? w.line : 0);
  c->text(c->ctx, "text", part(text, w.text, w.bytes));
  c->text(c->ctx, "source", part(text, w.source, w.source_bytes));
  c->count(c->ctx, "source_line", w.source_line);
}

static void array(const cells_t *c, const profile_row_t *row, const run_profile_names_t *names) {
  char number[32] = "-";
  const bool known = row->pc != PROFILE_NOWHERE && names->arrays;
  const named_array_t *a = known ? &names->arrays->at[row->pc] : NULL;
  if (a) snprintf(number, sizeof number, "0x%" PRIx64, a->addr);
  c->text(c->ctx, "buffer", a ? a->name : "-");
  c->text(c->ctx, "address", number);
  c->count(c->ctx, "bytes", a ? a->bytes : 0);
}

static void row_cells(const cells_t *c, const profile_row_t *row, const list_t *t) {
  (t->by_array ? array : instruction)(c, row, t->names);
  for (unsigned i = 0; i < PROFILE_COLUMNS; i++)
    if (t->shown[i]) c->count(c->ctx, profile_about((profile_column_t)i)->name, row->count[i]);
  const uint64_t loads = row->count[PROFILE_LOADS];
  c->real(c->ctx, "latency_mean", loads ? (double)row->count[PROFILE_LATENCY] / (double)loads : 0);
  c->count(c->ctx, "latency_p50", profile_quantile(row, 0.5));
  c->count(c->ctx, "latency_p99", profile_quantile(row, 0.99));
}

/* ---- CSV ----------------------------------------------------------------------- */

typedef struct {
  FILE *f;
  bool head; /* names instead of values */
  const char *before;
} csv_t;

static FILE *next(csv_t *c, const char *name) {
  fputs(c->before, c->f);
  c->before = ",";
  if (c->head) fputs(name, c->f);
  return c->f;
}

/* In quotes, which are doubled inside. */
static void csv_text(void *ctx, const char *name, const char *text) {
  csv_t *c = ctx;
  FILE *f = next(c, name);
  if (c->head) return;
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"') fputc('"', f);
    fputc(*text, f);
  }
  fputc('"', f);
}

static void csv_count(void *ctx, const char *name, uint64_t n) {
  csv_t *c = ctx;
  FILE *f = next(c, name);
  if (!c->head) fprintf(f, "%" PRIu64, n);
}

static void csv_real(void *ctx, const char *name, double x) {
  csv_t *c = ctx;
  FILE *f = next(c, name);
  if (!c->head) fprintf(f, "%.6g", x);
}

static void csv_row(FILE *f, bool head, const profile_row_t *row, const list_t *t) {
  csv_t csv = {f, head, ""};
  row_cells(&(cells_t){csv_text, csv_count, csv_real, &csv}, row, t);
  fputc('\n', f);
}

int run_profile_write(const profile_t *p, const run_profile_names_t *names, bool by_array,
                      const char *path, mrpb_err_t *err) {
  const profile_row_t none = {.pc = PROFILE_NOWHERE};
  const list_t t = list_of(names, by_array);
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  csv_row(f, true, &none, &t);
  for (size_t i = 0; i < profile_rows(p, by_array); i++)
    csv_row(f, false, profile_row(p, by_array, i), &t);
  return output_close(f, ferror(f), path, temp, err);
}

/* ---- JSON ---------------------------------------------------------------------- */

static void json_text(void *ctx, const char *name, const char *text) {
  json_out_set(ctx, name, json_string(text));
}

static void json_count(void *ctx, const char *name, uint64_t n) {
  json_out_set(ctx, name, json_integer((json_int_t)n));
}

static void json_number(void *ctx, const char *name, double x) {
  json_out_set(ctx, name, json_real(x));
}

/* Those that have loads. */
static json_t *latencies(const profile_row_t *row) {
  json_t *list = json_array();
  for (unsigned i = 0; i < PROFILE_COARSE; i++) {
    uint64_t least;
    const uint64_t loads = profile_in_step(row, i, &least);
    json_t *step = loads ? json_object() : NULL;
    if (!loads) continue;
    json_out_set(&step, "cycles", json_integer((json_int_t)least));
    json_out_set(&step, "loads", json_integer((json_int_t)loads));
    json_out_append(&list, step);
  }
  return list;
}

json_t *run_profile_json(const profile_t *p, const run_profile_names_t *names, bool by_array) {
  const list_t t = list_of(names, by_array);
  json_t *list = json_array();
  for (size_t i = 0; list && i < profile_rows(p, by_array); i++) {
    json_t *o = json_object();
    row_cells(&(cells_t){json_text, json_count, json_number, &o}, profile_row(p, by_array, i), &t);
    if (!by_array) json_out_set(&o, "latencies", latencies(profile_row(p, by_array, i)));
    json_out_append(&list, o);
  }
  return list;
}
