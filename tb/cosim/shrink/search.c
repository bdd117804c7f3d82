/* SPDX-License-Identifier: Apache-2.0 */
/* Plays the trials. A mark holds the whole state of both sides, so a play from a mark is the same
 * as the end of a play from power-up. */
#define _POSIX_C_SOURCE 200809L
#include "cosim/shrink/search.h"

#include "cosim/shrink/entries.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The least number of cycles between two marks; a mark costs about as much as some tens of
 * cycles. */
enum { MARK_GAP = 64 };

uint64_t search_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void forget_marks(search_t *s, uint64_t after) {
  while (s->n_marks > 0 && s->marks[s->n_marks - 1].cycle > after)
    lockstep_save_free(s->marks[--s->n_marks].save);
}

static void close_instance(search_t *s) {
  while (s->n_marks > 0) lockstep_save_free(s->marks[--s->n_marks].save);
  lockstep_close(s->ls);
  s->ls = NULL;
}

static int open_instance(search_t *s) {
  if (lockstep_open(&s->ls, s->best.cls, s->best.cfg, s->lib, s->best.seed, s->err) != 0) return -1;
  if (s->no_marks) return 0;
  s->marks[0] = (search_mark_t){0, lockstep_save_new(s->ls)};
  if (!s->marks[0].save) return mrpb_fail(s->err, "%s: out of memory", s->best.cls->stem);
  s->n_marks = 1;
  return 0;
}

int search_open(search_t *s, const vectors_t *v) {
  sources_init(&s->sources, v->cls, v->cfg);
  if (vectors_init(&s->best, v->cls, v->cfg, v->seed, s->err) != 0) return -1;
  if (vectors_init(&s->trial, v->cls, v->cfg, v->seed, s->err) != 0) return -1;
  return s->sources.gives ? entries_open(&s->entries, &s->best, &s->sources, s->err) : 0;
}

void search_close(search_t *s) {
  close_instance(s);
  entries_close(s->entries);
  vectors_free(&s->best);
  vectors_free(&s->trial);
}

bool search_goes_on(search_t *s) {
  if (s->rc != 0 || s->result->bounded) return false;
  if (s->stop && s->result->tried % 16 == 0 && s->stop()) s->result->interrupted = true;
  s->result->bounded = s->result->interrupted || (s->end != 0 && search_now() >= s->end);
  return !s->result->bounded;
}

/* The number of cycles, from the first on, in which the trial equals the best case. */
static uint64_t common(const search_t *s) {
  const size_t words = s->best.cls->in_words;
  const uint64_t n = s->best.n < s->trial.n ? s->best.n : s->trial.n;
  uint64_t t = 0;
  while (t < n &&
         memcmp(s->best.in + t * words, s->trial.in + t * words, words * sizeof *s->best.in) == 0)
    t++;
  return t;
}

/* When there is no room, every second mark is dropped; the power-up mark stays. */
static void add_mark(search_t *s, unsigned after) {
  if (s->n_marks == SEARCH_MARKS) {
    unsigned left = 1;
    for (unsigned k = 1; k < SEARCH_MARKS; k++) {
      if (k % 2 == 0)
        s->marks[left++] = s->marks[k];
      else
        lockstep_save_free(s->marks[k].save);
    }
    s->n_marks = left;
    return; /* a later trial sets this mark */
  }
  lockstep_save_t *save = lockstep_save_new(s->ls);
  if (!save) return; /* without the mark it is only slower */
  memmove(&s->marks[after + 2], &s->marks[after + 1], (s->n_marks - after - 1) * sizeof *s->marks);
  s->marks[after + 1] = (search_mark_t){lockstep_cycle(s->ls), save};
  s->n_marks++;
}

/* Plays the trial on s->ls, from a mark if there are any. */
static play_t play_trial(search_t *s) {
  const uint64_t same = common(s);
  unsigned m = s->n_marks;
  while (m > 1 && s->marks[m - 1].cycle > same) m--;
  if (m > 0) lockstep_load(s->ls, s->marks[m - 1].save);
  const uint64_t first = lockstep_cycle(s->ls);
  for (uint64_t t = first; t < s->trial.n; t++) {
    if (m > 0 && t == same && t - first >= MARK_GAP) add_mark(s, m - 1);
    if (!lockstep_comb(s->ls, vectors_cycle(&s->trial, t)))
      return (play_t){.differs = true, .cycle = t};
    if (!lockstep_edge(s->ls)) return (play_t){.differs = true, .regs = true, .cycle = t};
  }
  return (play_t){.cycle = s->trial.n};
}

bool search_try(search_t *s) {
  if (!search_goes_on(s)) return false;
  if (s->best.n > 0 && s->trial.n == s->best.n && common(s) == s->best.n) return false;
  if (!s->ls) s->rc = open_instance(s);
  if (s->rc != 0) return false;
  const play_t play = play_trial(s);
  s->result->tried++;
  /* A check of the Verilog that has fired stays fired. */
  if (s->no_marks || lockstep_stopped(s->ls)) close_instance(s);
  if (!play.differs) return false;
  s->trial.n = play.cycle + 1;
  forget_marks(s, common(s));
  vectors_t old = s->best;
  s->best = s->trial;
  s->trial = old;
  s->result->play = play;
  s->changed = true;
  s->version++;
  return true;
}

void search_copy(vectors_t *to, uint64_t at, const vectors_t *from, uint64_t first, uint64_t n) {
  const size_t words = from->cls->in_words;
  memcpy(to->in + at * words, from->in + first * words, (size_t)n * words * sizeof *to->in);
  to->n = at + n;
}

void search_begin(search_t *s) {
  search_copy(&s->trial, 0, &s->best, 0, s->best.n);
}

uint64_t *search_cycle(search_t *s, uint64_t t) {
  return s->trial.in + t * s->trial.cls->in_words;
}

uint64_t search_head(const search_t *s) {
  return s->sources.starts_reset ? 1 : 0;
}
