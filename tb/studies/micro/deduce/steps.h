/* SPDX-License-Identifier: Apache-2.0 */
/* Levels and steps of a curve of average latency against footprint (Wong et al., paper 004, Figures
 * 10 to 15, 19 and 20): each plateau is a level of the memory, where it ends is the capacity, and
 * the steps up to the next plateau are the sets that overflow one by one, a line apart. Pure
 * functions. */
#ifndef DEDUCE_STEPS_H
#define DEDUCE_STEPS_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* `cycles`, `share`: points that differ by no more than this (and this part of the lower one) lie
 * level. `reach`: a level run is a plateau if its end is so many times its start, or if it begins
 * or ends the curve; a shorter one is a stair. */
typedef struct {
  double cycles, share, reach;
} deduce_steps_rule_t;

extern const deduce_steps_rule_t deduce_steps_rule; /* 0.5, 0.002, 1.25 */

typedef struct {
  double latency;     /* median of the plateau */
  double first, last; /* footprints; the last is the capacity of this level */
  double drift;       /* latencies at the plateau's ends are so far apart */
  /* On the way from here to the next plateau; 0 for the last. */
  size_t steps;   /* rises: sets */
  double width;   /* median distance of rises: the line; 0: fewer than two */
  double between; /* the sum of what rose there by less than a step */
  bool is_coarse; /* every sample of the way rises: there may be more sets and smaller lines */
} deduce_level_t;

typedef struct {
  deduce_level_t *level;
  size_t n;
} deduce_steps_t;

/* `n` points, footprints rising. `rule` NULL: deduce_steps_rule. To be freed. */
int deduce_steps(deduce_steps_t *out, const double *footprint, const double *latency, size_t n,
                 const deduce_steps_rule_t *rule, mrpb_err_t *err);
void deduce_steps_free(deduce_steps_t *s);

/* The rises are what a cache of equal sets and LRU shows: its ways are a whole number. */
bool deduce_level_whole(const deduce_level_t *l, double line);

/* The plateaus to both sides of a rise are level against its height, and steps are no smaller than
 * those that were counted. A cost that each round has once is none of lines: on average it falls as
 * the footprint grows. */
bool deduce_level_clear(const deduce_level_t *l, const deduce_level_t *next);

/* Ways of a level whose lines and steps were seen: capacity / (steps x line); 0: not seen. */
double deduce_level_ways(const deduce_level_t *l);

#endif
