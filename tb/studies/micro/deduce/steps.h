/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the levels and steps of a curve of average latency against footprint (Wong et al., paper
 * 004, Figures 10 to 15, 19 and 20). Each plateau is a level of the memory, and its end is the
 * capacity. The steps up to the next plateau are the sets, which overflow one by one, a line apart.
 * Pure functions. */
#ifndef DEDUCE_STEPS_H
#define DEDUCE_STEPS_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* `cycles`, `share`: points lie level if they differ by at most `cycles` or that share of the lower
 * one, whichever is more. `reach`: a level run is a plateau if its end is at least `reach` times
 * its start, or if it begins or ends the curve; a shorter run is a stair. */
typedef struct {
  double cycles, share, reach;
} deduce_steps_rule_t;

extern const deduce_steps_rule_t deduce_steps_rule; /* 0.5, 0.002, 1.25 */

typedef struct {
  double latency;     /* median of the plateau */
  double first, last; /* footprints at its ends; `last` is the capacity of this level */
  double drift;       /* difference of the latencies at the plateau's ends */
  /* From here to the next plateau; 0 for the last level: */
  size_t steps;   /* rises, one per set */
  double width;   /* median distance of the rises: the line; 0: fewer than two */
  double between; /* the sum of all rises smaller than a step */
  bool is_coarse; /* every sample there rises: there may be more sets and smaller lines */
} deduce_level_t;

typedef struct {
  deduce_level_t *level;
  size_t n;
} deduce_steps_t;

/* Takes `n` points with rising footprints. `rule` NULL: deduce_steps_rule. Returns 0, or -1 and a
 * message in err. The caller frees *out. */
int deduce_steps(deduce_steps_t *out, const double *footprint, const double *latency, size_t n,
                 const deduce_steps_rule_t *rule, mrpb_err_t *err);
void deduce_steps_free(deduce_steps_t *s);

/* Whether the rises fit a cache of equal sets with LRU: the number of ways is whole. */
bool deduce_level_whole(const deduce_level_t *l, double line);
/* The same, and each set overflows on its own, one line after the one before. */
bool deduce_level_sound(const deduce_level_t *l, double line);

/* Whether the plateaus on both sides of a rise are level compared with its height, and no steps are
 * smaller than those that were counted. A cost that occurs once per round is not caused by lines:
 * on average it falls as the footprint grows. */
bool deduce_level_clear(const deduce_level_t *l, const deduce_level_t *next);

/* The ways of a level whose lines and steps were seen: capacity / (steps x line); 0: not seen. */
double deduce_level_ways(const deduce_level_t *l);

#endif
