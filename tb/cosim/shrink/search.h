/* SPDX-License-Identifier: Apache-2.0 */
/* The search for a shorter stimulus: the best case so far, a trial made from it, and the trial's
 * play. Trials begin like the best case mostly, so both sides are kept as they were at some cycles
 * of it (marks), and a trial is played from the last mark before its first change. */
#ifndef SHRINK_SEARCH_H
#define SHRINK_SEARCH_H

#include "cosim/stim/sources.h"
#include "cosim/shrink/shrink.h"

enum { SEARCH_MARKS = 24 };

typedef struct {
  uint64_t cycle; /* of the best case, before it */
  lockstep_save_t *save;
} search_mark_t;

typedef struct entries entries_t;

typedef struct {
  const rtl_lib_t *lib;
  sources_t sources;
  entries_t *entries;                /* shrink/entries.h; NULL: no input names an entry */
  vectors_t best, trial;             /* with room for the first best */
  lockstep_t *ls;                    /* plays the trials */
  search_mark_t marks[SEARCH_MARKS]; /* ascending; the first is power-up */
  unsigned n_marks;
  bool no_marks; /* every trial from power-up */
  uint64_t end;  /* of the time, in ms; 0: there is no bound yet */
  bool (*stop)(void);
  bool changed;     /* in this round */
  uint64_t version; /* of the best */
  shrink_t *result;
  mrpb_err_t *err;
  int rc;
} search_t;

/* 0, or -1 and a message. */
int search_open(search_t *s, const vectors_t *v);
void search_close(search_t *s);

/* Processor time of this process in milliseconds: on a busy machine a search is as good as on an
 * idle one. */
uint64_t search_now(void);

/* Whether to go on: nothing failed, and there is time. */
bool search_goes_on(search_t *s);

/* Plays the trial; if it differs, it is the best from now on, cut after the cycle in which it does.
 */
bool search_try(search_t *s);

/* Cycles n..: `to`, whose room suffices, gets cycles first.. of `from` from cycle `at` on. */
void search_copy(vectors_t *to, uint64_t at, const vectors_t *from, uint64_t first, uint64_t n);

/* A new trial: a copy of the best. */
void search_begin(search_t *s);

/* Input words of cycle t of the trial. */
uint64_t *search_cycle(search_t *s, uint64_t t);

/* Cycles that stay: the reset at the beginning. */
uint64_t search_head(const search_t *s);

#endif
