/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/align/pairs.h"

#include <stdlib.h>
#include <string.h>

enum { AHEAD = 64 }; /* requests that may be left out until both sides agree again */

/* ---- the order of a side ---------------------------------------------------------------------- */

typedef struct {
  uint32_t who;
  size_t row;
} item_t;

static int by_who(const void *x, const void *y) {
  const item_t *a = x, *b = y;
  if (a->who != b->who) return a->who < b->who ? -1 : 1;
  return a->row < b->row ? -1 : a->row > b->row;
}

/* Whether a comma list names the word. */
static bool listed(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
    if (strncmp(at, word, n) == 0 && (at[n] == ',' || at[n] == '\0')) return true;
  return false;
}

static bool taken(const align_rows_t *r, const align_row_t *row, const align_choice_t *choice) {
  const char *who = align_word_text(r->words, row->who);
  if (choice->who && strcmp(who, "-") != 0 && strncmp(who, choice->who, strlen(choice->who)) != 0)
    return false;
  return !choice->kinds || listed(choice->kinds, align_word_text(r->words, row->kind));
}

/* The rows that are taken, sorted; *n: their number. NULL if out of memory. */
static item_t *sorted(const align_rows_t *r, bool whos, const align_choice_t *choice, size_t *n) {
  item_t *item = malloc((r->n + 1) * sizeof *item);
  *n = 0;
  for (size_t i = 0; item && i < r->n; i++)
    if (taken(r, &r->row[i], choice)) item[(*n)++] = (item_t){whos ? r->row[i].who : 0, i};
  if (item) qsort(item, *n, sizeof *item, by_who);
  return item;
}

align_row_t align_pairs_of_side(const align_pairs_t *p, unsigned side, size_t row) {
  align_row_t r = p->side[side]->row[row];
  if (p->choice.accepted) {
    r.begin += r.waited;
    r.waited = 0;
  }
  if (side == 0) return r;
  r.begin += (uint64_t)p->shift;
  if (r.end != ALIGN_OPEN) r.end += (uint64_t)p->shift;
  return r;
}

align_row_t align_pairs_row(const align_pairs_t *p, size_t pair, unsigned side) {
  return align_pairs_of_side(p, side, p->pair[pair].row[side]);
}

/* ---- pairs ------------------------------------------------------------------------------------ */

typedef struct {
  align_pairs_t *p;
  const item_t *at[2], *end[2];
} walk_t;

static uint32_t address(const walk_t *w, unsigned side, size_t ahead) {
  return w->p->side[side]->row[w->at[side][ahead].row].address;
}

static bool inside(const walk_t *w, unsigned side, size_t ahead) {
  return (size_t)(w->end[side] - w->at[side]) > ahead;
}

/* The next `n` requests of a side have no partner. */
static void alone(walk_t *w, unsigned side, size_t n) {
  align_pairs_t *p = w->p;
  for (; n > 0; n--, w->at[side]++) {
    const uint64_t begin = align_pairs_of_side(p, side, w->at[side]->row).begin;
    if (p->only[0] + p->only[1] == 0 || begin < p->alone.moment) {
      p->alone.side = side;
      p->alone.row = w->at[side]->row;
      p->alone.moment = begin;
    }
    p->only[side]++;
  }
}

/* Leaves out the least number of requests until both sides agree. */
static void leave_out(walk_t *w) {
  for (size_t all = 1; all <= AHEAD; all++)
    for (size_t x = 0; x <= all; x++) {
      if (!inside(w, 0, x) || !inside(w, 1, all - x) || address(w, 0, x) != address(w, 1, all - x))
        continue;
      alone(w, 0, x);
      alone(w, 1, all - x);
      return;
    }
  for (unsigned s = 0; s < 2; s++) alone(w, s, 1);
}

static void walk(walk_t *w) {
  while (w->at[0] < w->end[0] && w->at[1] < w->end[1]) {
    if (address(w, 0, 0) != address(w, 1, 0)) {
      leave_out(w);
      continue;
    }
    w->p->pair[w->p->n++] = (align_pair_t){{w->at[0]->row, w->at[1]->row}};
    for (unsigned s = 0; s < 2; s++) w->at[s]++;
  }
  for (unsigned s = 0; s < 2; s++) alone(w, s, (size_t)(w->end[s] - w->at[s]));
}

/* The end of a run of items of one who. */
static const item_t *run_end(const item_t *at, const item_t *end) {
  const uint32_t who = at < end ? at->who : 0;
  while (at < end && at->who == who) at++;
  return at;
}

static void pair_all(align_pairs_t *p, const item_t *a, size_t na, const item_t *b, size_t nb) {
  const item_t *end_a = a + na, *end_b = b + nb;
  while (a < end_a || b < end_b) {
    const item_t *to_a = run_end(a, end_a), *to_b = run_end(b, end_b);
    const bool only_a = b == end_b || (a < end_a && a->who < b->who);
    const bool only_b = a == end_a || (b < end_b && b->who < a->who);
    if (only_a) to_b = b;
    if (only_b) to_a = a;
    walk_t w = {p, {a, b}, {to_a, to_b}};
    walk(&w);
    a = to_a;
    b = to_b;
  }
}

/* ---- what differs first ----------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Whether one side has an answer that the other did not have by then, or not in this cycle. Where a
 * side's record ends, nothing is known. */
static bool ends_differ(const align_pairs_t *p, const align_row_t *a, const align_row_t *b) {
  if (a->end != ALIGN_OPEN && b->end != ALIGN_OPEN) return a->end != b->end;
  return a->end == ALIGN_OPEN ? b->end < p->last[0] : a->end < p->last[1];
}

/* What of a pair differs earliest, and when. A kind is known when the request is accepted. */
static align_difference_t compare(const align_pairs_t *p, const align_row_t *a,
                                  const align_row_t *b, uint64_t *moment) {
  const uint64_t accepted = least(a->begin + a->waited, b->begin + b->waited);
  const struct {
    align_difference_t what;
    bool differs;
    uint64_t when;
  } of[] = {{ALIGN_KIND, a->kind != b->kind && p->common_kind[a->kind] && p->common_kind[b->kind],
             accepted},
            {ALIGN_END, ends_differ(p, a, b), least(a->end, b->end)},
            {ALIGN_WAITED, a->begin == b->begin && a->waited != b->waited, accepted},
            {ALIGN_BEGIN, a->begin != b->begin, least(a->begin, b->begin)}};
  align_difference_t first = ALIGN_SAME;
  for (unsigned i = 0; i < sizeof of / sizeof *of; i++)
    if (of[i].differs && (first == ALIGN_SAME || of[i].when < *moment)) {
      first = of[i].what;
      *moment = of[i].when;
    }
  return first;
}

/* Of two differences of one cycle, an answer goes before a begin, which may follow from it; of two
 * alike, that of the request which the first side accepted first. */
static bool is_earlier(const align_pairs_t *p, size_t i, align_difference_t d, uint64_t moment) {
  if (p->first == p->n || moment != p->moment) return p->first == p->n || moment < p->moment;
  if (d != p->difference) return d < p->difference;
  return p->pair[i].row[0] < p->pair[p->first].row[0];
}

static void find_first(align_pairs_t *p) {
  uint64_t latency_moment = 0;
  p->first = p->first_latency = p->n;
  for (size_t i = 0; i < p->n; i++) {
    const align_row_t a = align_pairs_row(p, i, 0), b = align_pairs_row(p, i, 1);
    uint64_t moment = 0;
    const align_difference_t d = compare(p, &a, &b, &moment);
    if (d == ALIGN_SAME) continue;
    p->differ++;
    if (is_earlier(p, i, d, moment)) {
      p->first = i;
      p->moment = moment;
      p->difference = d;
    }
    if (a.end == ALIGN_OPEN || b.end == ALIGN_OPEN || a.end - a.begin == b.end - b.begin) continue;
    if (p->first_latency < p->n && least(a.end, b.end) >= latency_moment) continue;
    p->first_latency = i;
    latency_moment = least(a.end, b.end);
  }
  if (p->only[0] + p->only[1] == 0 || (p->first < p->n && p->moment <= p->alone.moment)) return;
  p->difference = ALIGN_ALONE;
  p->moment = p->alone.moment;
}

static void find_last(align_pairs_t *p) {
  for (unsigned s = 0; s < 2; s++) {
    bool answers = false;
    for (size_t i = 0; i < p->side[s]->n; i++) {
      const align_row_t r = align_pairs_of_side(p, s, i);
      const uint64_t last = r.end != ALIGN_OPEN ? r.end : r.begin + r.waited;
      answers |= r.end != ALIGN_OPEN;
      if (last > p->last[s]) p->last[s] = last;
    }
    if (!answers) p->last[s] = 0;
  }
}

/* A word that only one side uses as a kind is not compared. */
static bool find_kinds(align_pairs_t *p) {
  uint32_t most = 0;
  for (unsigned s = 0; s < 2; s++)
    for (size_t i = 0; i < p->side[s]->n; i++)
      if (p->side[s]->row[i].kind > most) most = p->side[s]->row[i].kind;
  bool *a = calloc(most + 1, sizeof *a);
  p->common_kind = calloc(most + 1, sizeof *p->common_kind);
  for (size_t i = 0; a && i < p->side[0]->n; i++) a[p->side[0]->row[i].kind] = true;
  for (size_t i = 0; a && p->common_kind && i < p->side[1]->n; i++)
    p->common_kind[p->side[1]->row[i].kind] = a[p->side[1]->row[i].kind];
  const bool good = a && p->common_kind;
  free(a);
  return good;
}

int align_pairs(align_pairs_t *p, const align_rows_t *a, const align_rows_t *b, int64_t shift,
                const align_choice_t *choice, mrpb_err_t *err) {
  const bool whos = !a->anonymous && !b->anonymous;
  size_t na = 0, nb = 0;
  *p = (align_pairs_t){.side = {a, b}, .choice = *choice, .shift = shift};
  item_t *one = sorted(a, whos, choice, &na), *two = sorted(b, whos, choice, &nb);
  p->pair = malloc(((na < nb ? na : nb) + 1) * sizeof *p->pair);
  const bool good = one && two && p->pair && find_kinds(p);
  if (good) pair_all(p, one, na, two, nb);
  free(one);
  free(two);
  if (!good) return mrpb_fail(err, "out of memory");
  find_last(p);
  find_first(p);
  if (p->n == 0)
    return mrpb_fail(err, "%s and %s: no request of one is in the other", a->path, b->path);
  return 0;
}

void align_pairs_close(align_pairs_t *p) {
  free(p->pair);
  free(p->common_kind);
}
