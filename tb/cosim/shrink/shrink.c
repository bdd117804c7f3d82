/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinks by transactions: suffixes first, then delta debugging over transactions and idle cycles,
 * then transactions that can cancel each other, then values. Every step builds a trial from the
 * best case so far. A trial that differs becomes the best case, cut after the differing cycle. */
#include "cosim/shrink/shrink.h"

#include "cosim/shrink/steps.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 64 };

static int make_room(search_t *s, vectors_t *v, uint64_t cycles) {
  const size_t words = v->cls->in_words;
  free(v->in);
  v->room = cycles;
  v->in = calloc((size_t)cycles * words, sizeof *v->in);
  return v->in ? 0 : mrpb_fail(s->err, "%s: out of memory", v->cls->stem);
}

/* Tries a reset and the last k cycles. */
static bool try_suffix(search_t *s, const vectors_t *v, uint64_t k) {
  const uint64_t keep = search_head(s);
  s->rc = make_room(s, &s->trial, keep + k);
  if (s->rc != 0) return false;
  search_copy(&s->trial, 0, v, 0, keep);
  search_copy(&s->trial, keep, v, v->n - k, k);
  return search_try(s);
}

/* Returns 0 with a first best case, 1 if nothing differs, or -1 and a message in err. If stopped
 * before there is a best case, it uses the whole stimulus. */
static int find_suffix(search_t *s, const vectors_t *v) {
  const uint64_t keep = search_head(s);
  if (v->n == 0 || v->n < keep) return 1;
  const uint64_t all = v->n - keep;
  for (uint64_t k = all > 0 ? 1 : 0;; k = 2 * k < all ? 2 * k : all) {
    if (try_suffix(s, v, k)) return 0;
    if (s->rc != 0) return -1;
    if (s->result->interrupted) break;
    if (k == all) return 1;
  }
  bool (*stop)(void) = s->stop;
  s->stop = NULL;
  s->result->bounded = s->result->interrupted = false;
  const bool differs = try_suffix(s, v, all);
  s->result->bounded = s->result->interrupted = true;
  s->stop = stop;
  return differs ? 0 : s->rc != 0 ? -1 : 1;
}

uint64_t shrink_transactions(const vectors_t *v) {
  sources_t sources;
  uint64_t n = 0;
  sources_init(&sources, v->cls, v->cfg);
  for (uint64_t t = sources.starts_reset ? 1 : 0; t < v->n; t++)
    n += (uint64_t)__builtin_popcount(sources_active(&sources, vectors_cycle(v, t)));
  return n;
}

/* The steps that remove most per trial come first. The pairs come only when nothing else helps,
 * because there are many. */
static void rounds(search_t *s, items_t *items) {
  for (unsigned n = 0; n < MOST_ROUNDS && search_goes_on(s); n++) {
    s->changed = false;
    if (n == 0) drop_by_value(s);
    shrink_drop(s, ACTIVITY, items);
    shrink_drop(s, ENTRIES, items);
    shrink_drop(s, GAPS, items);
    fields_lower_together(s);
    drop_entries(s, items);
    drop_matched(s, items);
    if (s->changed) continue;
    fields_lower(s);
    if (s->changed) continue;
    drop_pairs(s, items);
    if (!s->changed) return;
  }
  s->result->bounded = true;
}

/* Searches from the first best case on. */
static int search(search_t *s, uint64_t budget) {
  if (make_room(s, &s->trial, s->best.room) != 0) return -1;
  items_t items = {.items = malloc((size_t)(s->best.room * s->sources.n + 1) * sizeof(item_t))};
  if (!items.items) return mrpb_fail(s->err, "%s: out of memory", s->best.cls->stem);
  s->end = search_now() + budget;
  rounds(s, &items);
  free(items.items);
  return s->rc;
}

/* Returns 0 if `v` is now the best case, 2 if the best case does not differ from power-up. */
static int keep_best(search_t *s, vectors_t *v) {
  play_t play;
  if (play_run(&play, &s->best, s->lib, s->err) != 0) return -1;
  if (!play.differs || play.cycle + 1 != s->best.n) return 2;
  s->result->play = play;
  search_copy(v, 0, &s->best, 0, s->best.n);
  s->result->transactions = shrink_transactions(v);
  return 0;
}

static int shrink_with(search_t *s, vectors_t *v, uint64_t budget) {
  *s->result = (shrink_t){.cycles_before = v->n, .transactions_before = shrink_transactions(v)};
  int rc = search_open(s, v);
  if (rc == 0) rc = find_suffix(s, v);
  if (rc == 0) rc = search(s, budget);
  if (rc == 0) rc = keep_best(s, v);
  search_close(s);
  return rc;
}

int shrink(vectors_t *v, const rtl_lib_t *lib, uint64_t budget, bool (*stop)(void),
           shrink_t *result, mrpb_err_t *err) {
  const search_t start = {.lib = lib, .stop = stop, .result = result, .err = err};
  search_t s = start;
  int rc = shrink_with(&s, v, budget);
  if (rc != 2) return rc;
  /* Verilog with state outside its registers ($random) is played from power-up only. */
  s = start;
  s.no_marks = true;
  rc = shrink_with(&s, v, budget);
  return rc == 2 ? 1 : rc;
}
