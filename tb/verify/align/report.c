/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/align/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8, BINS = 9, KIND_TEXT = 2 * ALIGN_WORD + 16, ROWS = 256 };

static const char side_name[] = "ab";

static const char *text(const align_pairs_t *p, uint32_t word) {
  return align_word_text(p->side[0]->words, word);
}

/* ---- the first difference --------------------------------------------------------------------- */

static void print_row(FILE *out, const align_pairs_t *p, const align_row_t *r) {
  fprintf(out, "%s, cycle %" PRIu64 " to ", text(p, r->kind), r->begin);
  if (r->end == ALIGN_OPEN)
    fputs("?", out);
  else
    fprintf(out, "%" PRIu64, r->end);
  fprintf(out, ", %" PRIu64 " of them refused", r->waited);
}

static void print_by(FILE *out, const char *what, uint64_t a, uint64_t b) {
  fprintf(out, "%s %" PRIu64 " cycle%s %s", what, b > a ? b - a : a - b,
          (b > a ? b - a : a - b) == 1 ? "" : "s", b > a ? "later" : "earlier");
}

static void print_difference(FILE *out, const align_pairs_t *p, align_difference_t d,
                             const align_row_t *a, const align_row_t *b) {
  if (d == ALIGN_KIND) fprintf(out, "a %s, there a %s", text(p, a->kind), text(p, b->kind));
  const bool only = a->end == ALIGN_OPEN || b->end == ALIGN_OPEN;
  if (d == ALIGN_END && only)
    fprintf(out, "answered in %c only", side_name[a->end == ALIGN_OPEN]);
  else if (d == ALIGN_END)
    print_by(out, "answered", a->end, b->end);
  if (d == ALIGN_WAITED) print_by(out, "accepted", a->begin + a->waited, b->begin + b->waited);
  if (d == ALIGN_BEGIN) print_by(out, "begins", a->begin, b->begin);
  fputc('\n', out);
}

static void print_pair(FILE *out, const align_pairs_t *p, const char *title, size_t pair,
                       align_difference_t d) {
  const align_row_t row[2] = {align_pairs_row(p, pair, 0), align_pairs_row(p, pair, 1)};
  fprintf(out, "  %-12s%s %s: ", title, text(p, row[0].who), text(p, row[0].address));
  print_difference(out, p, d, &row[0], &row[1]);
  for (unsigned s = 0; s < 2; s++) {
    fprintf(out, "  %-12s%c: ", "", side_name[s]);
    print_row(out, p, &row[s]);
    fputc('\n', out);
  }
}

/* The levels of a side when it accepted the request. */
static void print_held(FILE *out, const align_pairs_t *p, unsigned side, size_t row) {
  const align_rows_t *r = p->side[side];
  if (r->n_levels == 0) return;
  fprintf(out, "  %-12s%c:", "held", side_name[side]);
  for (unsigned i = 0; i < r->n_levels; i++)
    fprintf(out, "%s %s %u", i ? "," : "", r->level[i], r->levels[row * r->n_levels + i]);
  fputc('\n', out);
}

/* The first request without a partner. */
static void print_alone(FILE *out, const align_pairs_t *p) {
  const unsigned side = p->alone.side;
  const align_row_t row = align_pairs_of_side(p, side, p->alone.row);
  fprintf(out, "  %-12s%s %s: in %c only\n", "first", text(p, row.who), text(p, row.address),
          side_name[side]);
  fprintf(out, "  %-12s%c: ", "", side_name[side]);
  print_row(out, p, &row);
  fputc('\n', out);
}

/* Requests that had begun and had no answer before the moment. */
static void print_in_flight(FILE *out, const align_pairs_t *p, unsigned side) {
  const align_rows_t *r = p->side[side];
  const uint64_t moment = p->moment - (side ? (uint64_t)p->shift : 0);
  size_t n = 0;
  for (size_t i = 0; i < r->n; i++) {
    const align_row_t *q = &r->row[i];
    if (q->begin > moment || q->end < moment) continue;
    if (n++ >= SHOWN) continue;
    fprintf(out, "  %-12s%c: %s %s %s, since cycle %" PRIu64 "\n", n == 1 ? "in flight" : "",
            side_name[side], text(p, q->who), text(p, q->address), text(p, q->kind),
            q->begin + (side ? (uint64_t)p->shift : 0));
  }
  if (n > SHOWN) fprintf(out, "  %-12s%c: and %zu more\n", "", side_name[side], n - SHOWN);
}

static void print_first(FILE *out, const align_pairs_t *p) {
  const bool alone = p->difference == ALIGN_ALONE;
  if (alone)
    print_alone(out, p);
  else
    print_pair(out, p, "first", p->first, p->difference);
  if (p->first_latency < p->n && (alone || p->first_latency != p->first))
    print_pair(out, p, "latency", p->first_latency, ALIGN_END);
  for (unsigned s = 0; s < 2; s++)
    if (!alone || s == p->alone.side)
      print_held(out, p, s, alone ? p->alone.row : p->pair[p->first].row[s]);
  fprintf(out, "  %-12s%" PRIu64 "\n", "cycle", p->moment);
  for (unsigned s = 0; s < 2; s++) print_in_flight(out, p, s);
}

/* ---- the histogram ---------------------------------------------------------------------------- */

typedef struct {
  char kind[KIND_TEXT];
  uint64_t n, equal, earlier, later, bin[BINS];
  double sum;
} line_t;

static unsigned bin_of(int64_t d) {
  static const int64_t from[BINS] = {INT64_MIN, -15, -3, 0, 1, 2, 4, 8, 16};
  unsigned i = BINS - 1;
  while (d < from[i]) i--;
  return i;
}

/* The kind of a row: a request that waited is `full`. */
static const char *kind_of(const align_pairs_t *p, const align_row_t *r) {
  return r->waited > 0 ? "full" : text(p, r->kind);
}

static line_t *line_of(line_t *line, size_t *n, const char *kind) {
  for (size_t i = 0; i < *n; i++)
    if (strcmp(line[i].kind, kind) == 0) return &line[i];
  if (*n == ROWS) return &line[ROWS - 1];
  snprintf(line[*n].kind, KIND_TEXT, "%s", kind);
  return &line[(*n)++];
}

static void add(const align_pairs_t *p, size_t i, line_t *line, size_t *n) {
  const align_row_t a = align_pairs_row(p, i, 0), b = align_pairs_row(p, i, 1);
  const char *of_a = kind_of(p, &a), *of_b = kind_of(p, &b);
  char kind[KIND_TEXT];
  if (a.end == ALIGN_OPEN || b.end == ALIGN_OPEN) return;
  snprintf(kind, sizeof kind, strcmp(of_a, of_b) == 0 ? "%s" : "%s, there %s", of_a, of_b);
  line_t *l = line_of(line, n, kind);
  const int64_t d = (int64_t)(b.end - b.begin) - (int64_t)(a.end - a.begin);
  l->n++;
  l->equal += d == 0;
  l->earlier += d < 0;
  l->later += d > 0;
  l->bin[bin_of(d)]++;
  l->sum += (double)d;
}

static int print_histogram(FILE *out, const align_pairs_t *p, mrpb_err_t *err) {
  static const char *const heads[BINS] = {"..-16", "..-4", "..-1", "0",   "1",
                                          "2..",   "4..",  "8..",  "16.."};
  line_t *line = calloc(ROWS, sizeof *line);
  size_t n = 0;
  if (!line) return mrpb_fail(err, "out of memory");
  for (size_t i = 0; i < p->n; i++) add(p, i, line, &n);
  fprintf(out, "  %-24s%9s%9s%9s%9s%9s ", "latency by kind", "pairs", "equal", "earlier", "later",
          "mean");
  for (unsigned k = 0; k < BINS; k++) fprintf(out, "%8s", heads[k]);
  fputc('\n', out);
  for (size_t i = 0; i < n; i++) {
    const line_t *l = &line[i];
    fprintf(out, "  %-24s%9" PRIu64 "%9" PRIu64 "%9" PRIu64 "%9" PRIu64 "%9.1f ", l->kind, l->n,
            l->equal, l->earlier, l->later, l->sum / (double)l->n);
    for (unsigned k = 0; k < BINS; k++) fprintf(out, "%8" PRIu64, l->bin[k]);
    fputc('\n', out);
  }
  free(line);
  return 0;
}

int align_report(FILE *out, const align_pairs_t *p, mrpb_err_t *err) {
  fprintf(out, "%s: %zu pairs of requests, %" PRIu64 " differ\n",
          p->differ + p->only[0] + p->only[1] == 0 ? "aligned" : "DIFFERENT", p->n, p->differ);
  for (unsigned s = 0; s < 2; s++)
    fprintf(out, "  %-12s%s: %zu requests, %zu of them without a partner\n", s ? "b" : "a",
            p->side[s]->path, p->side[s]->n, p->only[s]);
  if (p->difference != ALIGN_SAME) print_first(out, p);
  return print_histogram(out, p, err);
}
