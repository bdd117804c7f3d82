/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of comma-separated values: see chips.h. */
#include "base/input.h"
#include "studies/chips/chips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 24 };

/* Cuts the field at *at off, without its quotes, and moves *at behind it. Returns the field; *end is
 * the character that ended it: a comma, a newline or 0. NULL: a quote that does not end. */
static char *next_field(char **at, char *end) {
  char *field = *at, *p = field;
  if (*p == '"') {
    field++;
    p = strchr(field, '"');
    if (!p) return NULL;
    *p++ = '\0';
  }
  p += strcspn(p, ",\n");
  *end = *p;
  *p = '\0';
  *at = *end ? p + 1 : p;
  return field;
}

static unsigned count(const char *text, char what) {
  unsigned n = 0;
  for (; *text; text++) n += *text == what;
  return n;
}

/* Cuts a line into `t->columns` fields. Returns how many it has. */
static unsigned cut(chips_table_t *t, const char **to, char **at) {
  unsigned n = 0;
  char end = ',';
  while (end == ',') {
    char *field = next_field(at, &end);
    if (!field) return 0;
    if (n < t->columns) to[n] = field;
    n++;
  }
  return n;
}

static int read_rows(chips_table_t *t, mrpb_err_t *err) {
  char *at = t->text;
  const unsigned lines = count(t->text, '\n');
  t->columns = 1 + count(t->text, ','); /* at most, until the names are cut */
  t->field = calloc((size_t)t->columns + 1, sizeof *t->field);
  if (!t->field) return mrpb_fail(err, "%s: out of memory", t->path);
  t->columns = cut(t, t->field, &at);
  if (lines == 0 || t->columns < 2)
    return mrpb_fail(err, "%s:1: no names; legal: a line of names with commas", t->path);
  const char **all = realloc(t->field, (size_t)t->columns * (lines + 1) * sizeof *all);
  if (!all) return mrpb_fail(err, "%s: out of memory", t->path);
  t->field = all;
  while (*at) {
    t->rows++;
    const unsigned n = cut(t, &all[t->rows * t->columns], &at);
    if (n != t->columns)
      return mrpb_fail(err, "%s:%u: %u fields; legal: %u", t->path, t->rows + 1, n, t->columns);
  }
  return 0;
}

int chips_table_read(chips_table_t *t, const char *path, mrpb_err_t *err) {
  *t = (chips_table_t){0};
  t->path = strdup(path);
  t->text = input_text(path, MOST_BYTES, NULL, err);
  if (t->text && t->path && read_rows(t, err) == 0) return 0;
  if (!t->path) mrpb_fail(err, "%s: out of memory", path);
  chips_table_free(t);
  return -1;
}

void chips_table_free(chips_table_t *t) {
  free(t->path);
  free(t->text);
  free(t->field);
  *t = (chips_table_t){0};
}

int chips_column(const chips_table_t *t, const char *name, mrpb_err_t *err) {
  for (unsigned i = 0; i < t->columns; i++)
    if (strcmp(t->field[i], name) == 0) return (int)i;
  return mrpb_fail(err, "%s:1: no column '%s'", t->path, name);
}

const char *chips_field(const chips_table_t *t, unsigned row, int column) {
  return t->field[(row + 1) * t->columns + (unsigned)column];
}

int chips_number(const chips_table_t *t, unsigned row, int column, double *value, mrpb_err_t *err) {
  const char *text = chips_field(t, row, column);
  char *end;
  *value = strtod(text, &end);
  if (*text && !*end && isfinite(*value) && *value >= 0) return 0;
  return mrpb_fail(err, "%s:%u: %s '%.40s'; legal: a number at least 0", t->path, row + 2,
                   t->field[column], text);
}
