/* SPDX-License-Identifier: Apache-2.0 */
/* The search for a shorter stimulus: the best case so far, a trial made from it, and the trial's
 * play. Most trials begin like the best case. Therefore the state of both sides is kept at some of
 * its cycles (marks), and a trial is played from the last mark before its first change. */
#ifndef SHRINK_SEARCH_H
#define SHRINK_SEARCH_H

#include "cosim/stim/sources.h"
#include "cosim/shrink/shrink.h"

enum { SEARCH_MARKS = 24 };

typedef struct {
  uint64_t cycle; /* of the best case; the state before this cycle */
  lockstep_save_t *save;
} search_mark_t;

typedef struct entries entries_t;

typedef struct {
  const rtl_lib_t *lib;
  sources_t sources;
  entries_t *entries;                /* shrink/entries.h; NULL: no input names an entry */
  vectors_t best, trial;             /* with room for the first best */
  lockstep_t *ls;                    /* plays the trials */
  search_mark_t marks[SEARCH_MARKS]; /* ascending; the first one is power-up */
  unsigned n_marks;
  bool no_marks; /* every trial from power-up */
  uint64_t end;  /* time limit in ms; 0: no limit yet */
  bool (*stop)(void);
  bool changed;     /* something changed in this round */
  uint64_t version; /* version of the best case */
  shrink_t *result;
  mrpb_err_t *err;
  int rc;
} search_t;

/* Returns 0, or -1 and a message in err. */
int search_open(search_t *s, const vectors_t *v);
void search_close(search_t *s);

/* Processor time of this process in milliseconds, so that a search on a busy machine gets as far as
 * one on an idle machine. */
uint64_t search_now(void);

/* Whether to go on: nothing has failed, and time is left. */
bool search_goes_on(search_t *s);

/* Plays the trial. If it differs, it becomes the best case, cut after the differing cycle. */
bool search_try(search_t *s);

/* Copies n cycles of `from`, from cycle `first` on, to cycle `at` of `to`, which must have room. */
void search_copy(vectors_t *to, uint64_t at, const vectors_t *from, uint64_t first, uint64_t n);

/* Begins a new trial as a copy of the best case. */
void search_begin(search_t *s);

/* The input words of cycle t of the trial. */
uint64_t *search_cycle(search_t *s, uint64_t t);

/* The number of cycles that stay: the reset at the beginning. */
uint64_t search_head(const search_t *s);

#endif
