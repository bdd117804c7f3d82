/* SPDX-License-Identifier: Apache-2.0 */
/* Reads tables from files that other commands wrote: comma-separated files, and tables of pages. */
#include "studies/report/parts.h"

#include "base/files.h"
#include "base/grow.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int open_table(report_table_t *t, const char *path, mrpb_err_t *err) {
  size_t size;
  *t = (report_table_t){.path = path};
  t->text = files_read(path, &size);
  if (!t->text) return mrpb_fail(err, "%s: %s", path, strerror(errno));
  if (strlen(t->text) == size) return 0;
  report_table_free(t);
  return mrpb_fail(err, "%s: a byte 0; legal: text", path);
}

void report_table_free(report_table_t *t) {
  free(t->text);
  free(t->cell);
  *t = (report_table_t){0};
}

const char *report_cell(const report_table_t *t, size_t row, size_t column) {
  return t->cell[row * t->columns + column];
}

static int add_cell(report_table_t *t, size_t n, char *text, mrpb_err_t *err) {
  char **cell = grow(t->cell, t->rows * t->columns + n + 1, &t->room, sizeof *cell);
  if (!cell) return mrpb_fail(err, "out of memory");
  t->cell = cell;
  t->cell[t->rows * t->columns + n] = text;
  return 0;
}

/* Ends a row, which must have `n` cells like the first one. */
static int end_row(report_table_t *t, size_t n, mrpb_err_t *err) {
  if (t->rows == 0) t->columns = n;
  if (n != t->columns)
    return mrpb_fail(err, "%zu columns; legal: %zu, as in the first line", n, t->columns);
  t->rows++;
  return 0;
}

/* ---- comma-separated ----------------------------------------------------------------------------- */

/* Takes the cell at *at and terminates it. Returns the character that ended it; 0: its quote is not
 * closed. */
static char take_cell(char **at, char **cell) {
  char *from = *at, *to = *at;
  const bool quoted = *from == '"';
  if (quoted) from++;
  *cell = to;
  while (*from && (quoted || (*from != ',' && *from != '\n'))) {
    if (quoted && *from == '"' && *++from != '"') break;
    *to++ = *from++;
  }
  const char end = *from;
  if (end) *at = from + 1;
  *to = '\0';
  return end;
}

static int csv_rows(report_table_t *t, unsigned long *line, mrpb_err_t *err) {
  for (char *at = t->text; *at; ++*line) {
    size_t n = 0;
    for (char end = ','; end != '\n'; n++) {
      char *cell;
      end = take_cell(&at, &cell);
      if (end != ',' && end != '\n')
        return mrpb_fail(err, "legal: cells between commas, each line with its end");
      if (add_cell(t, n, cell, err) != 0) return -1;
    }
    if (end_row(t, n, err) != 0) return -1;
  }
  return t->rows > 0 ? 0 : mrpb_fail(err, "empty; legal: a line with the columns' names");
}

static int fail_at(report_table_t *t, unsigned long line, const mrpb_err_t *why, mrpb_err_t *err) {
  (void)mrpb_fail(err, "%s:%lu: %s", t->path, line, why->text);
  report_table_free(t);
  return -1;
}

int report_table_csv(report_table_t *t, const char *path, mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  unsigned long line = 1;
  if (open_table(t, path, err) != 0) return -1;
  return csv_rows(t, &line, &why) == 0 ? 0 : fail_at(t, line, &why, err);
}

/* ---- pages --------------------------------------------------------------------------------------- */

static char *trim(char *text) {
  while (*text == ' ') text++;
  for (char *end = text + strlen(text); end > text && end[-1] == ' ';) *--end = '\0';
  return text;
}

/* "| a | b |" */
static int page_row(report_table_t *t, char *line, mrpb_err_t *err) {
  size_t n = 0, length = strlen(line);
  if (length < 2 || line[length - 1] != '|') return mrpb_fail(err, "legal: | at the line's end");
  for (char *at = line + 1, *bar; (bar = strchr(at, '|')) != NULL; at = bar + 1) {
    *bar = '\0';
    if (add_cell(t, n++, trim(at), err) != 0) return -1;
  }
  return end_row(t, n, err);
}

static bool is_rule(const char *line) {
  return line[strspn(line, "|-: ")] == '\0';
}

/* Compares whole lines, so a deeper heading does not match. */
static bool is_heading(const char *line, const char *heading) {
  return strcmp(line, heading) == 0;
}

static bool same_kind(const char *line, const char *heading) {
  const size_t n = strspn(heading, "#");
  return n > 0 && strncmp(line, heading, n) == 0 && line[n] == ' ';
}

static int page_rows(report_table_t *t, const char *heading, unsigned long *number,
                     mrpb_err_t *err) {
  bool inside = !heading, found = inside;
  for (char *at = t->text, *next; *at; at = next, ++*number) {
    next = at + strcspn(at, "\n");
    if (*next) *next++ = '\0';
    if (!inside) {
      inside = found = is_heading(at, heading);
    } else if (at[0] != '|') {
      if (t->rows > 0 || (heading && same_kind(at, heading))) break;
    } else if (!is_rule(at) && page_row(t, at, err) != 0) {
      return -1;
    }
  }
  return found ? 0 : mrpb_fail(err, "the page has no '%s'", heading);
}

int report_table_markdown(report_table_t *t, const char *path, const char *heading,
                          mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  unsigned long line = 1;
  if (open_table(t, path, err) != 0) return -1;
  return page_rows(t, heading, &line, &why) == 0 ? 0 : fail_at(t, line, &why, err);
}

/* ---- cells --------------------------------------------------------------------------------------- */

json_t *report_json_cell(const char *text) {
  char *end;
  if (text[0] == '\0' || strcmp(text, "-") == 0) return json_null();
  const bool number = text[strspn(text, "-+.0123456789eE")] == '\0';
  const bool whole = text[strspn(text, "-0123456789")] == '\0' && strlen(text) < 18;
  errno = 0;
  const double v = strtod(text, &end);
  if (strcmp(text, "nan") == 0 || strcmp(text, "-nan") == 0) return json_null();
  if (!number || *end != '\0' || !isfinite(v)) return json_string(text);
  return whole ? json_integer(strtoll(text, NULL, 10)) : json_real(v);
}

int report_table_is(const report_table_t *t, const char *const *name, size_t n, mrpb_err_t *err) {
  for (size_t i = 0; i < n; i++)
    if (t->rows == 0 || t->columns != n || strcmp(report_cell(t, 0, i), name[i]) != 0)
      return mrpb_fail(err, "%s: legal: a table of %zu columns, the %zuth is '%s'", t->path, n,
                       i + 1, name[i]);
  return 0;
}
