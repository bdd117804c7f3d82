/* SPDX-License-Identifier: Apache-2.0 */
/* Tries whatever the environment owes at once; suffixes of the case after a reset; then without
 * halves, quarters ... single transactions and pairs of them; then without runs of cycles, with what
 * begins in them, and at any place if nothing does; then simpler values. Inputs that are no longer
 * legal become idle when a trial is played. */
#define _POSIX_C_SOURCE 200809L
#include "verify/contract/shrink.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEAD = CONTRACT_HEAD, PAIRS = 60 };

typedef struct {
  size_t cycle;
  unsigned source;
} item_t;

typedef struct {
  const contract_setup_t *setup;
  const contract_t *of;
  contract_case_t best, trial;
  size_t row; /* bytes */
  unsigned clause;
  clock_t end;
  bool (*stop)(void);
  contract_shrink_t *result;
  bool changed, lowers;
  bool prompt; /* in every trial, what the environment owes comes at once */
  int rc;
  item_t *items;
  size_t n;
} search_t;

static uint64_t *best(const search_t *s, size_t t) {
  return contract_row(s->of, &s->best, t);
}

static uint64_t *trial(const search_t *s, size_t t) {
  return contract_row(s->of, &s->trial, t);
}

static bool has(const search_t *s, const uint64_t *in, unsigned source) {
  return s->of->has(s->setup, in, source);
}

static bool goes_with(const contract_setup_t *s, const uint64_t *in, unsigned source) {
  return s->of->goes_with(s, in - s->of->cls->in_words, in, source);
}

static bool begins(const contract_setup_t *s, const uint64_t *in, unsigned source) {
  return s->of->has(s, in, source) && !goes_with(s, in, source);
}

/* Whether no transaction begins in the cycle. */
static bool idle(const search_t *s, const uint64_t *in) {
  for (unsigned k = 0; k < s->of->sources; k++)
    if (begins(s->setup, in, k)) return false;
  return true;
}

/* The number of transactions of a case, of the contract's sources, after the first reset. */
static size_t contract_shrink_count(const contract_setup_t *setup, const contract_case_t *c) {
  size_t n = 0;
  for (size_t t = HEAD; t < c->n; t++)
    for (unsigned k = 0; k < setup->of->sources; k++)
      n += begins(setup, contract_row(setup->of, c, t), k);
  return n;
}

static bool goes_on(search_t *s) {
  if (s->rc != 0 || s->result->bounded) return false;
  s->result->bounded = clock() > s->end || (s->stop && s->stop());
  return !s->result->bounded;
}

/* Fewer transactions; or the same number in fewer cycles, or with simpler values. `even`: no more
 * transactions than before. */
static bool is_less(const search_t *s, bool even) {
  const size_t b = contract_shrink_count(s->setup, &s->best);
  const size_t t = contract_shrink_count(s->setup, &s->trial);
  if (even) return t <= b;
  if (t != b || s->trial.n != s->best.n) return t < b || (t == b && s->trial.n < s->best.n);
  for (size_t i = 0; i < s->best.n && s->lowers; i++) {
    const int order = s->of->compare(s->setup, trial(s, i), best(s, i));
    if (order != 0) return order < 0;
  }
  return false;
}

/* Plays the trial. If it breaks the same clause and is less, it becomes the best. */
static bool play(search_t *s, bool even) {
  contract_found_t found = {.seen = NULL};
  if (!goes_on(s)) return false;
  s->result->tried++;
  for (size_t t = HEAD; s->prompt && t < s->trial.n; t++) s->of->prompt(s->setup, trial(s, t));
  const int rc = contract_play_case(s->setup, &s->trial, &found);
  if (rc < 0) s->rc = -1;
  if (rc != 1 || found.broken.clause != s->clause || !is_less(s, even)) return false;
  const contract_case_t old = s->best;
  s->best = s->trial;
  s->trial = old;
  s->changed = true;
  return true;
}

static bool try(search_t *s) {
  return play(s, false);
}

static void begin(search_t *s) {
  memcpy(s->trial.in, s->best.in, s->best.n * s->row);
  s->trial.n = s->best.n;
}

static void list(search_t *s) {
  s->n = 0;
  for (size_t t = HEAD; t < s->best.n; t++)
    for (unsigned k = 0; k < s->of->sources; k++)
      if (begins(s->setup, best(s, t), k)) s->items[s->n++] = (item_t){t, k};
}

/* Removes an item from the trial, with all cycles that belong to it. `stay`: the one before it stays
 * in these cycles. */
static void leave_out(search_t *s, const item_t *item, bool stay) {
  for (size_t t = item->cycle; t < s->trial.n; t++) {
    const uint64_t *in = best(s, t);
    if (t > item->cycle && !(has(s, in, item->source) && goes_with(s->setup, in, item->source)))
      return;
    if (!stay)
      s->of->silence(s->setup, trial(s, t), item->source);
    else if (item->source == 0 && t > HEAD)
      s->of->stay(s->setup, trial(s, t - 1), trial(s, t));
  }
}

static void suffix(search_t *s) {
  const size_t all = s->best.n;
  for (size_t k = 4; k + HEAD < all && goes_on(s); k *= 2) {
    memcpy(s->trial.in, s->best.in, HEAD * s->row);
    memcpy(trial(s, HEAD), best(s, all - k), k * s->row);
    s->trial.n = HEAD + k;
    if (try(s)) return;
  }
}

static void drop_cycles(search_t *s, bool stay) {
  list(s);
  for (size_t size = s->n; size > 0; size /= 2)
    for (size_t at = 0; at < s->n && goes_on(s);) {
      begin(s);
      for (size_t k = at; k < at + size && k < s->n; k++) leave_out(s, &s->items[k], stay);
      if (try(s))
        list(s);
      else
        at += size;
    }
}

static bool cut(search_t *s, size_t at, size_t size) {
  begin(s);
  memmove(trial(s, at), trial(s, at + size), (s->trial.n - at - size) * s->row);
  s->trial.n -= size;
  return try(s);
}

/* Removes runs of cycles with all that begins in them. A stall of many cycles becomes shorter only
 * so: without one stall in its middle, what was held up goes on at another time. */
static void cuts(search_t *s) {
  for (size_t size = s->best.n / 2; size > 0; size /= 2)
    for (size_t at = HEAD; at + size < s->best.n && goes_on(s);)
      if (!cut(s, at, size)) at += size;
}

/* Removes runs of cycles in which nothing begins, of lengths n, n/2, ... 1. */
static void gaps(search_t *s) {
  for (size_t size = s->best.n; size > 0; size /= 2)
    for (size_t at = HEAD; at + size <= s->best.n && goes_on(s); at++) {
      size_t k = 0;
      while (k < size && idle(s, best(s, at + k))) k++;
      if (k < size) {
        at += k;
        continue;
      }
      if (cut(s, at, size)) at--;
    }
}

static void pairs(search_t *s) {
  list(s);
  if (s->n > PAIRS) return;
  for (size_t a = 0; a < s->n; a++)
    for (size_t b = a + 1; b < s->n && goes_on(s); b++) {
      begin(s);
      leave_out(s, &s->items[a], false);
      leave_out(s, &s->items[b], false);
      if (try(s)) return;
    }
}

static void lower(search_t *s) {
  for (size_t k = 0; goes_on(s); k++) {
    const contract_simpler_t kind = s->of->simpler(s->setup, &s->best, k, false);
    if (kind == CONTRACT_END) return;
    if (kind == CONTRACT_SKIP) continue;
    begin(s);
    (void)s->of->simpler(s->setup, &s->trial, k, true);
    (void)try(s);
  }
}

/* Tries once whether the case also breaks if nothing is owed for longer than needed. */
static void promptly(search_t *s) {
  s->prompt = s->of->prompt != NULL;
  if (!s->prompt) return;
  begin(s);
  s->prompt = play(s, true);
}

static int search(search_t *s) {
  suffix(s);
  promptly(s);
  for (unsigned round = 0; round < 32 && goes_on(s); round++) {
    s->changed = false;
    drop_cycles(s, false);
    if (s->of->stay) drop_cycles(s, true);
    cuts(s);
    gaps(s);
    if (!s->prompt) promptly(s);
    if (!s->changed) pairs(s);
    if (!s->changed) break;
  }
  s->lowers = true;
  lower(s);
  return s->rc;
}

int contract_shrink(const contract_setup_t *setup, contract_case_t *c, unsigned clause,
                    unsigned seconds, bool (*stop)(void), contract_shrink_t *result) {
  *result = (contract_shrink_t){.cycles_before = c->n, .before = contract_shrink_count(setup, c)};
  search_t s = {.setup = setup,
                .of = setup->of,
                .best = *c,
                .row = setup->of->cls->in_words * sizeof *c->in,
                .clause = clause,
                .stop = stop,
                .result = result};
  s.end = clock() + (clock_t)seconds * CLOCKS_PER_SEC;
  s.trial = *c;
  s.trial.in = malloc(c->n * s.row);
  s.items = malloc(s.of->sources * c->n * sizeof *s.items);
  s.rc = s.trial.in && s.items ? 0 : -1;
  if (s.rc == 0) s.rc = search(&s);
  /* The best may be in either buffer: the caller keeps its own. */
  if (s.best.in != c->in && s.best.in) {
    memcpy(c->in, s.best.in, s.best.n * s.row);
    free(s.best.in);
  } else {
    free(s.trial.in);
  }
  c->n = s.best.n;
  free(s.items);
  result->left = contract_shrink_count(setup, c);
  return s.rc;
}
