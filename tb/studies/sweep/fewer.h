/* SPDX-License-Identifier: Apache-2.0 */
/* Which points need no run of their own, or no whole one (docs/sweep.md, "Fewer runs"): results
 * that another run proves, and runs that cannot be the best of their group. Internal to
 * tb/studies/sweep. */
#ifndef SWEEP_FEWER_H
#define SWEEP_FEWER_H

#include "studies/sweep/equal.h"

enum { FEWER_SAMPLE = 10 }; /* one of so many derived points is run all the same */
#define FEWER_NONE SIZE_MAX

/* Points that belong together: n elements of `order` from `at` on. */
typedef struct {
  const size_t *at;
  size_t n;
} fewer_set_t;

/* A point of the list. Points of a family differ only in keys that may make a run superfluous; a
 * group is what --best compares. */
typedef struct {
  fewer_set_t family, group; /* group.n 0: none */
  size_t head;               /* the point of its family that is run first */
  bool waits;                /* of a head: it has not ended yet, and the others wait for it */
  bool known;                /* its result is known: */
  equal_peaks_t peaks;
  uint64_t ended; /* the cycle in which an earlier run of it was ended; 0: none */
  char *expected; /* a sample: the result that it should have */
  size_t from;    /* a sample: the point which proves that */
} fewer_point_t;

typedef struct {
  const sweep_t *sweep;
  fewer_point_t *point;      /* NULL: every point is run */
  size_t *families, *groups; /* the points, those of a set one after another */
  size_t derived;            /* proven so far, samples included */
  bool differs;              /* a sample was not what was proven */
} fewer_t;

int fewer_open(fewer_t *f, const sweep_t *s, mrpb_err_t *err);
void fewer_close(fewer_t *f);

/* Records what the store has of a point: a result, or the cycle in which it was ended. */
int fewer_stored(fewer_t *f, size_t point, sweep_state_t state, mrpb_err_t *err);
/* Whether an ended point is over: another of its group took fewer cycles. All stored points must be
 * recorded. */
bool fewer_over(const fewer_t *f, size_t point);
/* Puts the points of a program that have no result yet into the order in which they are run. */
int fewer_order(fewer_t *f, size_t *todo, size_t n, mrpb_err_t *err);

/* Whether the point may begin now. */
bool fewer_may_begin(const fewer_t *f, size_t point);
/* Looks for a proof of the point's result. Returns 1 and the result in *o, whose json the caller
 * frees; 0 if the point must be run; or -1 and a message in err. */
int fewer_derive(fewer_t *f, size_t point, sweep_outcome_t *o, mrpb_err_t *err);
/* The cycles after which a run of the point is ended; UINT64_MAX: never. */
uint64_t fewer_bound(const fewer_t *f, size_t point);
/* Whether the point belongs to a group. */
bool fewer_bounded(const fewer_t *f, size_t point);
/* Records how the point has ended. Returns 0; 1 and a message in err if it is a sample whose result
 * is not the proven one; or -1 and a message. */
int fewer_end(fewer_t *f, size_t point, const sweep_outcome_t *o, mrpb_err_t *err);

#endif
