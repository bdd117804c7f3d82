/* SPDX-License-Identifier: Apache-2.0 */
/* Spikes of a Thread-Latency curve (Lashgar et al., paper 000, section 3.2): where a resource that
 * handles outstanding requests has run out. The 3-point variance is the paper's; a spike must also
 * be a jump: above the slope on both sides, above the noise, and lasting. Pure functions. */
#ifndef MICRO_SPIKES_H
#define MICRO_SPIKES_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A jump from one point to the next is a spike if all of these hold. `slope`: the larger of the
 * medians of the 8 steps before and the 8 after it; excess: the jump less that slope; noise: the
 * median over the curve of how far steps lie from the median of their neighbours; base: the
 * curve's least latency.
 *   excess >= cycles, share x base and noise x noise
 *   jump >= slope x the slope
 *   the curve stays up: the median of the 8 points after, less that of the 8 before and what the
 *   slopes on either side explain, is at least half the excess
 *   such jumps (at least a third of its excess) are rare: at most 1 in `rare` steps, and 4 in a
 *   short curve. A staircase with a step for every warp is usual, unless its steps are as high as
 *   `round_trip` x base: a small table makes the curve wait for memory again and again. */
typedef struct {
  double cycles, share, noise, slope, rare, round_trip;
} micro_spikes_rule_t;

extern const micro_spikes_rule_t micro_spikes_rule; /* 2, 0.02, 8, 3, 50, 0.10 */

typedef struct {
  uint32_t before, after; /* threads of the last point before the jump and of the first one after */
  double jump;            /* cycles; steps that follow each other make one spike */
  double variance;        /* the largest 3-point variance at the jump */
  double times;           /* that / median, INFINITY where the rest of the curve has none */
} micro_spike_t;

typedef struct {
  micro_spike_t *spike; /* the largest jump first */
  size_t n;
  double median; /* of the positive variances of the points that belong to no spike; 0: none */
} micro_spikes_t;

/* Unbiased sample variance of each point and its two neighbours; 0 at both ends. */
void micro_variance(const double *latency, size_t n, double *variance);

/* All spikes of `n` points (threads rise). `rule` NULL: micro_spikes_rule. To be freed. */
int micro_spikes_find(micro_spikes_t *out, const uint32_t *threads, const double *latency, size_t n,
                      const micro_spikes_rule_t *rule, mrpb_err_t *err);
void micro_spikes_free(micro_spikes_t *s);

/* The point of saturation: with the fewest threads of all spikes that jump at least half as high as
 * the largest. NULL: no spike. */
const micro_spike_t *micro_spikes_first(const micro_spikes_t *s);

#endif
