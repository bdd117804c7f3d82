/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/align/rows.h"

#include "base/grow.h"
#include "base/lines.h"
#include "base/names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WHO, ADDRESS, KIND, BEGIN, END, WAITED, NAMED, COLUMNS = NAMED + ALIGN_LEVELS };

static const char *const column_name[NAMED] = {"who", "address", "kind", "begin", "end", "waited"};
static const char first_line[] = "# mrpb-requests 1";

typedef struct {
  align_rows_t *r;
  unsigned column[COLUMNS]; /* what stands there: one of those above, or NAMED + a level */
  unsigned n;
  uint64_t *accepted; /* by word: when the last request of this who was */
  size_t whos, room;
} reader_t;

size_t align_rows_add(align_rows_t *r, const align_row_t *row, const uint32_t *levels) {
  align_row_t *rows = grow(r->row, r->n + 1, &r->room, sizeof *rows);
  if (!rows) return SIZE_MAX;
  r->row = rows;
  uint32_t *all = grow(r->levels, (r->n + 1) * r->n_levels, &r->room_levels, sizeof *all);
  if (!all) return SIZE_MAX;
  r->levels = all;
  memcpy(r->levels + r->n * r->n_levels, levels, r->n_levels * sizeof *levels);
  r->row[r->n] = *row;
  return r->n++;
}

void align_rows_close(align_rows_t *r) {
  free(r->row);
  free(r->levels);
}

/* Without the carriage return with which some systems end a line. */
static size_t length(const char *line) {
  const size_t n = strlen(line);
  return n > 0 && line[n - 1] == '\r' ? n - 1 : n;
}

int align_rows_known(const char *path, mrpb_err_t *err) {
  lines_t *lines = NULL;
  const char *line;
  mrpb_err_t unheard = {""};
  if (lines_open(&lines, path, err) != 0) return -1;
  const bool known = lines_next(lines, &line, &unheard) > 0 && strlen(first_line) == length(line) &&
                     strncmp(line, first_line, length(line)) == 0;
  lines_close(lines);
  return known;
}

static int number(const char *at, size_t n, const char *what, uint64_t *value, mrpb_err_t *err) {
  *value = 0;
  for (size_t i = 0; i < n; i++) {
    if (!isdigit((unsigned char)at[i]) || *value > UINT64_MAX / 10 - 1)
      return mrpb_fail(err, "%s '%.*s'; legal: a number", what, (int)(n < 40 ? n : 40), at);
    *value = 10 * *value + (uint64_t)(at[i] - '0');
  }
  return n ? 0 : mrpb_fail(err, "%s is missing", what);
}

/* ---- the line of names ------------------------------------------------------------------------ */

static int take_name(reader_t *p, const char *at, size_t n, unsigned *seen, mrpb_err_t *err) {
  if (p->n == COLUMNS || n >= ALIGN_WORD || n == 0)
    return mrpb_fail(err, "column %u: legal: a name below %d characters, at most %d levels",
                     p->n + 1, (int)ALIGN_WORD, (int)ALIGN_LEVELS);
  for (unsigned i = 0; i < NAMED; i++) {
    if (strncmp(column_name[i], at, n) != 0 || column_name[i][n]) continue;
    if (*seen >> i & 1) return mrpb_fail(err, "column %s again", column_name[i]);
    *seen |= 1u << i;
    p->column[p->n++] = i;
    return 0;
  }
  if (p->r->n_levels == ALIGN_LEVELS)
    return mrpb_fail(err, "more than %d levels", (int)ALIGN_LEVELS);
  snprintf(p->r->level[p->r->n_levels], ALIGN_WORD, "%.*s", (int)n, at);
  p->column[p->n++] = NAMED + p->r->n_levels++;
  return 0;
}

static int take_names(reader_t *p, const char *line, mrpb_err_t *err) {
  unsigned seen = 0;
  for (const char *at = line;; at++) {
    const size_t n = strcspn(at, ",\r");
    if (take_name(p, at, n, &seen, err) != 0) return -1;
    at += n;
    if (*at != ',') break;
  }
  for (unsigned i = 0; i < NAMED; i++)
    if (!(seen >> i & 1))
      return mrpb_fail(err, "no column %s; legal: who,address,kind,begin,end,waited and levels",
                       column_name[i]);
  return 0;
}

/* ---- rows ------------------------------------------------------------------------------------- */

static int take_field(reader_t *p, unsigned column, const char *at, size_t n, align_row_t *row,
                      uint32_t *levels, mrpb_err_t *err) {
  uint32_t *word = column == WHO       ? &row->who
                   : column == ADDRESS ? &row->address
                   : column == KIND    ? &row->kind
                                       : NULL;
  uint64_t *time = column == BEGIN ? &row->begin : column == END ? &row->end : &row->waited;
  uint64_t level;
  if (word && n == 0) return mrpb_fail(err, "%s is missing", column_name[column]);
  if (word) {
    if (column == WHO && !(n == 1 && *at == '-')) p->r->anonymous = false;
    *word = align_word(p->r->words, at, n);
    return *word == UINT32_MAX ? mrpb_fail(err, "out of memory") : 0;
  }
  if (column == END && n == 1 && *at == '-') return *time = ALIGN_OPEN, 0;
  if (column < NAMED) return number(at, n, column_name[column], time, err);
  if (number(at, n, p->r->level[column - NAMED], &level, err) != 0) return -1;
  if (level > UINT32_MAX)
    return mrpb_fail(err, "%s %" PRIu64 "; legal: up to %" PRIu32, p->r->level[column - NAMED],
                     level, UINT32_MAX);
  levels[column - NAMED] = (uint32_t)level;
  return 0;
}

/* Requests of one who are aligned in this order. */
static int check_order(reader_t *p, const align_row_t *row, mrpb_err_t *err) {
  const uint64_t now = row->begin + row->waited;
  uint64_t *all = grow(p->accepted, row->who + 1, &p->room, sizeof *all);
  if (!all) return mrpb_fail(err, "out of memory");
  p->accepted = all;
  while (p->whos <= row->who) p->accepted[p->whos++] = 0;
  if (now < p->accepted[row->who])
    return mrpb_fail(err,
                     "accepted in cycle %" PRIu64 ", after one of %s in cycle %" PRIu64
                     "; legal: in the order in which they were accepted",
                     now, align_word_text(p->r->words, row->who), p->accepted[row->who]);
  p->accepted[row->who] = now;
  return 0;
}

static int take_row(reader_t *p, const char *line, mrpb_err_t *err) {
  align_row_t row = {.who = 0};
  uint32_t levels[ALIGN_LEVELS] = {0};
  unsigned i = 0;
  for (const char *at = line;; at++, i++) {
    const size_t n = strcspn(at, ",\r");
    if (i == p->n) return mrpb_fail(err, "more than %u columns", p->n);
    if (take_field(p, p->column[i], at, n, &row, levels, err) != 0) return -1;
    at += n;
    if (*at != ',') break;
  }
  if (i + 1 != p->n) return mrpb_fail(err, "%u columns; legal: %u", i + 1, p->n);
  if (row.end < row.begin)
    return mrpb_fail(err, "it ends in cycle %" PRIu64 ", before it begins", row.end);
  if (row.end != ALIGN_OPEN && row.waited > row.end - row.begin)
    return mrpb_fail(err, "it waited %" PRIu64 " cycles of %" PRIu64, row.waited,
                     row.end - row.begin);
  if (check_order(p, &row, err) != 0) return -1;
  return align_rows_add(p->r, &row, levels) == SIZE_MAX ? mrpb_fail(err, "out of memory") : 0;
}

int align_rows_read(align_rows_t *r, const char *path, align_words_t *words, mrpb_err_t *err) {
  lines_t *lines = NULL;
  reader_t p = {.r = r};
  const char *line;
  int rc;
  *r = (align_rows_t){.path = path, .words = words, .anonymous = true};
  if (lines_open(&lines, path, err) != 0) return -1;
  while ((rc = lines_next(lines, &line, err)) > 0) {
    mrpb_err_t why = {""};
    if (*line == '#' || length(line) == 0) continue;
    if ((p.n == 0 ? take_names(&p, line, &why) : take_row(&p, line, &why)) == 0) continue;
    rc = mrpb_fail(err, "%s:%lu: %s", path, lines_number(lines), why.text);
    break;
  }
  lines_close(lines);
  free(p.accepted);
  if (rc == 0 && r->n == 0) rc = mrpb_fail(err, "%s: no request", path);
  return rc;
}
