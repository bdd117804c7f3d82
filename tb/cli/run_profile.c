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
  bool of_pc, shown[PROFILE_COLUMNS];
} list_t;

static list_t list_of(const run_profile_names_t *names, profile_by_t by) {
  list_t t = {.names = names, .of_pc = by == PROFILE_BY_PC};
  for (unsigned i = 0; i < PROFILE_COLUMNS; i++)
    t.shown[i] = (t.of_pc || profile_about((profile_column_t)i)->by_array) &&
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

/* NULL: an address in no array. */
static const named_array_t *array_of(const profile_row_t *row, const run_profile_names_t *names) {
  const bool known = row->array != PROFILE_NOWHERE && names->arrays;
  return known ? &names->arrays->at[row->array] : NULL;
}

static void array(const cells_t *c, const profile_row_t *row, const run_profile_names_t *names) {
  char number[32] = "-";
  const named_array_t *a = array_of(row, names);
  if (a) snprintf(number, sizeof number, "0x%" PRIx64, a->addr);
  c->text(c->ctx, "buffer", a ? a->name : "-");
  c->text(c->ctx, "address", number);
  c->count(c->ctx, "bytes", a ? a->bytes : 0);
}

static void row_cells(const cells_t *c, const profile_row_t *row, const list_t *t) {
  (t->of_pc ? instruction : array)(c, row, t->names);
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

/* Quotes are doubled inside of quotes. */
static void quoted(FILE *f, const char *text) {
  for (; *text; text++) {
    if (*text == '"') fputc('"', f);
    fputc(*text, f);
  }
}

static void csv_text(void *ctx, const char *name, const char *text) {
  csv_t *c = ctx;
  FILE *f = next(c, name);
  if (c->head) return;
  fputc('"', f);
  quoted(f, text);
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

/* The names of the arrays that an instruction accesses. */
static void csv_buffers(csv_t *c, const profile_t *p, uint32_t pc,
                        const run_profile_names_t *names) {
  size_t n;
  const profile_row_t *row = profile_arrays(p, pc, &n);
  FILE *f = next(c, "buffers");
  if (c->head) return;
  fputc('"', f);
  for (size_t i = 0; i < n; i++) {
    const named_array_t *a = array_of(&row[i], names);
    fputs(i ? ", " : "", f);
    quoted(f, a ? a->name : "-");
  }
  fputc('"', f);
}

static void csv_row(FILE *f, bool head, const profile_t *p, const profile_row_t *row,
                    const list_t *t) {
  csv_t csv = {f, head, ""};
  row_cells(&(cells_t){csv_text, csv_count, csv_real, &csv}, row, t);
  if (t->of_pc) csv_buffers(&csv, p, row->pc, t->names);
  fputc('\n', f);
}

int run_profile_write(const profile_t *p, const run_profile_names_t *names, profile_by_t by,
                      const char *path, mrpb_err_t *err) {
  const profile_row_t none = {.pc = PROFILE_NOWHERE, .array = PROFILE_NOWHERE};
  const list_t t = list_of(names, by);
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  csv_row(f, true, p, &none, &t);
  for (size_t i = 0; i < profile_rows(p, by); i++) csv_row(f, false, p, profile_row(p, by, i), &t);
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

static json_t *object(const profile_row_t *row, const list_t *t) {
  json_t *o = json_object();
  row_cells(&(cells_t){json_text, json_count, json_number, &o}, row, t);
  return o;
}

static json_t *buffers(const profile_t *p, uint32_t pc, const run_profile_names_t *names) {
  size_t n;
  const list_t t = list_of(names, PROFILE_BY_BOTH);
  const profile_row_t *row = profile_arrays(p, pc, &n);
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) json_out_append(&list, object(&row[i], &t));
  return list;
}

/* Those that an atomic changes most. */
static json_t *words(const profile_row_t *row, const run_profile_names_t *names) {
  profile_word_t most[PROFILE_WORDS];
  json_t *list = json_array();
  const unsigned n = profile_words(row, most);
  for (unsigned i = 0; i < n; i++) {
    const named_array_t *a = arrays_at(names->arrays, most[i].addr);
    char number[32];
    json_t *o = json_object();
    snprintf(number, sizeof number, "0x%" PRIx64, most[i].addr);
    json_out_set(&o, "address", json_string(number));
    json_out_set(&o, "buffer", json_string(a ? a->name : "-"));
    json_out_set(&o, "offset", json_integer((json_int_t)(a ? most[i].addr - a->addr : 0)));
    json_out_set(&o, "lanes", json_integer(most[i].lanes));
    json_out_append(&list, o);
  }
  return list;
}

json_t *run_profile_json(const profile_t *p, const run_profile_names_t *names, profile_by_t by) {
  const list_t t = list_of(names, by);
  json_t *list = json_array();
  for (size_t i = 0; list && i < profile_rows(p, by); i++) {
    const profile_row_t *row = profile_row(p, by, i);
    json_t *o = object(row, &t);
    if (t.of_pc) {
      json_out_set(&o, "latencies", latencies(row));
      json_out_set(&o, "buffers", buffers(p, row->pc, names));
      json_out_set(&o, "words", words(row, names));
    }
    json_out_append(&list, o);
  }
  return list;
}
