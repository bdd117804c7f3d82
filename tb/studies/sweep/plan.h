/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be run, the longest first, and the time it takes: learnt from what the store has and
 * from what ends meanwhile. Internal to tb/studies/sweep. */
#ifndef SWEEP_PLAN_H
#define SWEEP_PLAN_H

#include "studies/sweep/sweep.h"

/* Of a program. */
typedef struct {
  size_t *todo; /* its points that are to be run */
  size_t n, next, ended, room;
  double sum; /* CPU seconds of the `known` runs */
  unsigned known;
  double guess; /* what others of its name have cost; 0: nobody knows */
} plan_program_t;

typedef struct {
  const sweep_list_t *list;
  bool *key; /* sweep_list_keys: what a point is told by */
  plan_program_t *program;
  size_t n, begun;     /* points to be run */
  size_t done, failed; /* points of the list that are not, by what the store has */
  double sum;          /* of all `known` runs */
  unsigned known;
} plan_t;

int plan_open(plan_t *p, const sweep_t *s, mrpb_err_t *err);
void plan_close(plan_t *p);

/* The next point; it counts as begun. */
size_t plan_next(plan_t *p);
/* It has ended; what it has cost if it has not failed, else 0. */
void plan_end(plan_t *p, size_t point, double cpu_seconds);
/* CPU seconds of a point of the program; 0: nobody knows. */
double plan_cost(const plan_t *p, unsigned program);
/* CPU seconds until all have ended; of what is running half is taken to be done. 0: nobody knows. */
double plan_left(const plan_t *p);
/* "2 h 10 min", "35 s". */
void plan_duration(double seconds, char *text, size_t size);

#endif
