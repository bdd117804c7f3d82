/* SPDX-License-Identifier: Apache-2.0 */
/* Which points are to be run, the longest first, and how long that takes. The estimate comes from
 * the runs in the store and from those that end meanwhile. Internal to tb/studies/sweep. */
#ifndef SWEEP_PLAN_H
#define SWEEP_PLAN_H

#include "studies/sweep/fewer.h"

/* The plan for one program. */
typedef struct {
  size_t *todo; /* its points that are to be run */
  size_t n, next, ended, room;
  double sum; /* CPU seconds of the `known` runs */
  unsigned known;
  double guess; /* mean cost of other programs with its name; 0: unknown */
} plan_program_t;

typedef struct {
  const sweep_list_t *list;
  bool *key; /* from sweep_list_keys: the keys that tell the points apart */
  plan_program_t *program;
  size_t n, begun; /* n: points to be run; begun: those handed out */
  /* Points of the list that need no run, by their state in the store; over: those whose run was
   * ended. */
  size_t done, failed, over;
  fewer_t fewer;
  double sum; /* CPU seconds of all `known` runs */
  unsigned known;
} plan_t;

int plan_open(plan_t *p, const sweep_t *s, mrpb_err_t *err);
void plan_close(plan_t *p);

/* Returns the next point and counts it as begun; FEWER_NONE if every point that is left waits for a
 * running one. */
size_t plan_next(plan_t *p);
/* Records that the point has ended. `cpu_seconds` is its cost, or 0 if that says nothing. */
void plan_end(plan_t *p, size_t point, double cpu_seconds);
/* Expected CPU seconds of a point of the program; 0: unknown. */
double plan_cost(const plan_t *p, unsigned program);
/* Expected CPU seconds until all points have ended; running points count as half done. 0:
 * unknown. */
double plan_left(const plan_t *p);
/* Formats a duration: "2 h 10 min", "35 s". */
void plan_duration(double seconds, char *text, size_t size);

#endif
