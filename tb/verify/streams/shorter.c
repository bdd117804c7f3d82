/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/shorter.h"

#include <time.h>

typedef struct {
  pair_t *b;
  pair_verdict_t wanted;
  script_t *best, trial;
  shorter_t *result;
  clock_t end;
  bool changed;
  mrpb_err_t *err;
  int rc;
} search_t;

typedef bool make_t(script_t *to, const script_t *from, size_t at, size_t n);

/* Whether the trial runs into the same mismatch; then it is the best. */
static bool try(search_t *s) {
  s->result->tried++;
  s->rc = pair_play(s->b, &s->trial, s->err);
  if (s->rc != 0 || !pair_verdict_same(pair_verdict(s->b), s->wanted)) return false;
  const script_t best = *s->best;
  *s->best = s->trial;
  s->trial = best;
  return true;
}

static bool goes_on(search_t *s) {
  s->result->bounded |= clock() > s->end || (s->b->stop && s->b->stop());
  return s->rc == 0 && !s->result->bounded;
}

/* Tries a change of all, of halves, of quarters ... of single ones. */
static void change(search_t *s, size_t (*count)(const script_t *), make_t *make) {
  for (size_t n = count(s->best); n > 0 && goes_on(s); n /= 2)
    for (size_t at = 0; at < count(s->best) && goes_on(s);) {
      const size_t left = count(s->best) - at, some = n < left ? n : left;
      if (!make(&s->trial, s->best, at, some)) {
        s->rc = mrpb_fail(s->err, "out of memory");
        return;
      }
      const bool removes = count(&s->trial) < count(s->best);
      const bool good = !script_same(&s->trial, s->best) && try(s);
      s->changed |= good;
      if (!good || !removes) at += some;
    }
}

static size_t cycles(const script_t *s) {
  return s->n;
}

static int search(search_t *s) {
  /* First without any gap or stall: most mismatches need none, and such plays are short. */
  if (!script_without_cycles(&s->trial, s->best, 0, s->best->n))
    return mrpb_fail(s->err, "out of memory");
  (void)try(s);
  do {
    s->changed = false;
    change(s, script_items, script_without_items);
    change(s, cycles, script_without_cycles);
    change(s, cycles, script_prompt);
    change(s, script_items, script_plain);
  } while (s->changed && goes_on(s));
  return s->rc;
}

/* The last episode, or as many as it takes; all are made before the first play, which forgets the
 * run. Returns 1, 0 if all that were kept do not do it, or -1. */
static int begin(search_t *s) {
  const unsigned kept = pair_kept(s->b);
  script_t from[PAIR_KEPT] = {{.cycle = NULL}};
  unsigned n = 0;
  int rc = 0;
  for (unsigned episodes = 1; n < PAIR_KEPT && episodes < 2 * kept && rc == 0; episodes *= 2)
    if (pair_script(s->b, &from[n++], episodes < kept ? episodes : kept) != 0)
      rc = mrpb_fail(s->err, "out of memory");
  for (unsigned i = 0; i < n && rc == 0; i++) {
    const script_t trial = s->trial;
    s->trial = from[i];
    from[i] = trial;
    rc = try(s) ? 1 : s->rc;
  }
  for (unsigned i = 0; i < n; i++) script_close(&from[i]);
  return rc;
}

int shorter(pair_t *b, shorter_t *result, mrpb_err_t *err) {
  *result = (shorter_t){.tried = 0};
  search_t s = {.b = b,
                .wanted = pair_verdict(b),
                .best = &result->script,
                .result = result,
                .end = clock() + (clock_t)SHORTER_SECONDS * CLOCKS_PER_SEC,
                .err = err};
  int rc = begin(&s);
  if (rc == 1) {
    result->items_before = script_items(s.best);
    result->cycles_before = s.best->n;
    rc = search(&s) == 0 && pair_play(b, s.best, err) == 0 ? 1 : -1;
  }
  script_close(&s.trial);
  if (rc != 1) script_close(s.best);
  return rc;
}
