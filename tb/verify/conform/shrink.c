/* SPDX-License-Identifier: Apache-2.0 */
/* Tries suffixes of the case after a reset; then without halves, quarters ... single transactions
 * and pairs of them; then without idle cycles; then lower lines and tags. Inputs that are no longer
 * legal become idle when a trial is played. */
#define _POSIX_C_SOURCE 200809L
#include "verify/conform/shrink.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEAD = 2, PAIRS = 60, SOURCES = 5 };
typedef enum { READ, FILL, STALL, LINE_STALL, RESET } source_t;

typedef struct {
  size_t cycle;
  source_t source;
} item_t;

typedef struct {
  const conform_setup_t *setup;
  conform_case_t best, trial;
  unsigned clause;
  clock_t end;
  bool (*stop)(void);
  conform_shrink_t *result;
  bool changed, lowers;
  int rc;
  item_t *items;
  size_t n;
} search_t;

static bool has(const conform_setup_t *s, const conform_in_t *in, source_t source) {
  switch (source) {
  case READ:
    return in->read_valid_i;
  case FILL:
    return in->fill_valid_i;
  case STALL:
    return s->has.answer_ready && !in->answer_ready_i && in->srst_ni;
  case LINE_STALL:
    return s->has.line && s->has.line_ready && !in->line_ready_i && in->srst_ni;
  case RESET:
    return !in->srst_ni;
  }
  return false;
}

static void silence(conform_in_t *in, source_t source) {
  switch (source) {
  case READ:
    in->read_valid_i = in->read_addr_i = in->read_tag_i = 0;
    break;
  case FILL:
    in->fill_valid_i = in->fill_addr_i = in->fill_ticket_i = 0;
    break;
  case STALL:
    in->answer_ready_i = 1;
    break;
  case LINE_STALL:
    in->line_ready_i = 1;
    break;
  case RESET:
    in->srst_ni = 1;
    break;
  }
}

static bool idle(const conform_setup_t *s, const conform_in_t *in) {
  for (int k = 0; k < SOURCES; k++)
    if (has(s, in, (source_t)k)) return false;
  return true;
}

/* A fill or read that was not taken and is offered again, or the next cycle of a reset, belongs to
 * the cycle before. */
static bool goes_with(const conform_in_t *in, source_t source) {
  if (source == RESET) return !in[-1].srst_ni;
  if (source == READ)
    return in[-1].read_valid_i && in[-1].read_addr_i == in->read_addr_i &&
           in[-1].read_tag_i == in->read_tag_i;
  return source == FILL && in[-1].fill_valid_i && in[-1].fill_addr_i == in->fill_addr_i;
}

size_t conform_shrink_count(const conform_setup_t *setup, const conform_case_t *c) {
  size_t n = 0;
  for (size_t t = HEAD; t < c->n; t++)
    for (int k = 0; k < SOURCES; k++)
      n += has(setup, &c->in[t], (source_t)k) && !goes_with(&c->in[t], (source_t)k);
  return n;
}

static bool goes_on(search_t *s) {
  if (s->rc != 0 || s->result->bounded) return false;
  s->result->bounded = clock() > s->end || (s->stop && s->stop());
  return !s->result->bounded;
}

/* Fewer transactions; or the same number in fewer cycles, or with lower values. */
static bool is_less(const search_t *s) {
  const size_t best = conform_shrink_count(s->setup, &s->best);
  const size_t trial = conform_shrink_count(s->setup, &s->trial);
  if (trial != best || s->trial.n != s->best.n)
    return trial < best || (trial == best && s->trial.n < s->best.n);
  for (size_t t = 0; t < s->best.n && s->lowers; t++) {
    if (s->trial.in[t].read_addr_i != s->best.in[t].read_addr_i)
      return s->trial.in[t].read_addr_i < s->best.in[t].read_addr_i;
    if (s->trial.in[t].read_tag_i != s->best.in[t].read_tag_i)
      return s->trial.in[t].read_tag_i < s->best.in[t].read_tag_i;
  }
  return false;
}

/* Plays the trial. If it breaks the same clause and is less, it becomes the best. */
static bool try(search_t *s) {
  conform_model_t broken;
  if (!goes_on(s)) return false;
  s->result->tried++;
  const int rc = conform_play_case(s->setup, &s->trial, &broken);
  if (rc < 0) s->rc = -1;
  if (rc != 1 || broken.clause != s->clause || !is_less(s)) return false;
  const conform_case_t old = s->best;
  s->best = s->trial;
  s->trial = old;
  s->changed = true;
  return true;
}

static void begin(search_t *s) {
  memcpy(s->trial.in, s->best.in, s->best.n * sizeof *s->best.in);
  s->trial.n = s->best.n;
}

static void list(search_t *s) {
  s->n = 0;
  for (size_t t = HEAD; t < s->best.n; t++)
    for (int k = 0; k < SOURCES; k++)
      if (has(s->setup, &s->best.in[t], (source_t)k) && !goes_with(&s->best.in[t], (source_t)k))
        s->items[s->n++] = (item_t){t, (source_t)k};
}

/* Removes an item from the trial, with all cycles that belong to it. */
static void leave_out(search_t *s, const item_t *item) {
  const conform_in_t *best = &s->best.in[item->cycle];
  for (size_t t = item->cycle; t < s->trial.n; t++, best++) {
    if (t > item->cycle && !(has(s->setup, best, item->source) && goes_with(best, item->source)))
      return;
    silence(&s->trial.in[t], item->source);
  }
}

static void suffix(search_t *s) {
  const size_t all = s->best.n;
  for (size_t k = 4; k + HEAD < all && goes_on(s); k *= 2) {
    memcpy(s->trial.in, s->best.in, HEAD * sizeof *s->best.in);
    memcpy(s->trial.in + HEAD, s->best.in + all - k, k * sizeof *s->best.in);
    s->trial.n = HEAD + k;
    if (try(s)) return;
  }
}

static void drop_cycles(search_t *s) {
  list(s);
  for (size_t size = s->n; size > 0; size /= 2)
    for (size_t at = 0; at < s->n && goes_on(s);) {
      begin(s);
      for (size_t k = at; k < at + size && k < s->n; k++) leave_out(s, &s->items[k]);
      if (try(s))
        list(s);
      else
        at += size;
    }
}

/* Removes runs of idle cycles, of lengths n, n/2, ... 1. */
static void gaps(search_t *s) {
  for (size_t size = s->best.n; size > 0; size /= 2)
    for (size_t at = HEAD; at + size <= s->best.n && goes_on(s); at++) {
      size_t k = 0;
      while (k < size && idle(s->setup, &s->best.in[at + k])) k++;
      if (k < size) {
        at += k;
        continue;
      }
      begin(s);
      memmove(s->trial.in + at, s->trial.in + at + size,
              (s->trial.n - at - size) * sizeof *s->trial.in);
      s->trial.n -= size;
      if (try(s)) at--;
    }
}

static void pairs(search_t *s) {
  list(s);
  if (s->n > PAIRS) return;
  for (size_t a = 0; a < s->n; a++)
    for (size_t b = a + 1; b < s->n && goes_on(s); b++) {
      begin(s);
      leave_out(s, &s->items[a]);
      leave_out(s, &s->items[b]);
      if (try(s)) return;
    }
}

/* Replaces line `from` by `to` wherever it occurs. */
static void rename_line(search_t *s, uint64_t from, uint64_t to) {
  begin(s);
  for (size_t t = 0; t < s->trial.n; t++) {
    conform_in_t *in = &s->trial.in[t];
    if (in->read_valid_i && in->read_addr_i == from) in->read_addr_i = to;
    if (in->fill_valid_i && in->fill_addr_i == from) in->fill_addr_i = to;
  }
  (void)try(s);
}

static void lower(search_t *s) {
  const uint64_t most = bits_mask(s->setup->cfg.ADDR_W);
  for (size_t t = HEAD; t < s->best.n && goes_on(s); t++) {
    const uint64_t a = s->best.in[t].read_addr_i;
    for (uint64_t to = 0; s->best.in[t].read_valid_i && to < a && to < 4 && to <= most; to++) {
      bool known = false; /* two lines must not become one */
      for (size_t i = HEAD; i < s->best.n; i++)
        known |= s->best.in[i].read_valid_i && s->best.in[i].read_addr_i == to;
      if (!known) rename_line(s, a, to);
      if (s->best.in[t].read_addr_i == to) break;
    }
    if (t >= s->best.n || !s->best.in[t].read_valid_i || s->best.in[t].read_tag_i == 0) continue;
    begin(s);
    s->trial.in[t].read_tag_i = 0;
    (void)try(s);
  }
}

static int search(search_t *s) {
  suffix(s);
  for (unsigned round = 0; round < 32 && goes_on(s); round++) {
    s->changed = false;
    drop_cycles(s);
    gaps(s);
    if (!s->changed) pairs(s);
    if (!s->changed) break;
  }
  s->lowers = true;
  lower(s);
  return s->rc;
}

int conform_shrink(const conform_setup_t *setup, conform_case_t *c, unsigned clause,
                   unsigned seconds, bool (*stop)(void), conform_shrink_t *result) {
  *result = (conform_shrink_t){.cycles_before = c->n, .before = conform_shrink_count(setup, c)};
  search_t s = {.setup = setup, .best = *c, .clause = clause, .stop = stop, .result = result};
  s.end = clock() + (clock_t)seconds * CLOCKS_PER_SEC;
  s.trial = *c;
  s.trial.in = malloc(c->n * sizeof *c->in);
  s.items = malloc(SOURCES * c->n * sizeof *s.items);
  s.rc = s.trial.in && s.items ? 0 : -1;
  if (s.rc == 0) s.rc = search(&s);
  /* The best may be in either buffer: the caller keeps its own. */
  if (s.best.in != c->in && s.best.in) {
    memcpy(c->in, s.best.in, s.best.n * sizeof *c->in);
    free(s.best.in);
  } else {
    free(s.trial.in);
  }
  c->n = s.best.n;
  free(s.items);
  result->left = conform_shrink_count(setup, c);
  return s.rc;
}
