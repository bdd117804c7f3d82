/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the spikes of a Thread-Latency curve (Lashgar et al., paper 000, section 3.2). A spike
 * shows where a resource for outstanding requests has run out. The 3-point variance is the paper's.
 * Here a spike must also be a jump: above the slope on both sides, above the noise, and lasting.
 * Pure functions. */
#ifndef MICRO_SPIKES_H
#define MICRO_SPIKES_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A jump from one point to the next is a spike if all of these conditions hold. `slope` is the
 * larger of the medians of the 8 steps before the jump and the 8 after it. The excess is the jump
 * less that slope. The noise is the median, over the curve, of how far steps lie from the median of
 * their neighbours. The base is the curve's least latency.
 *   excess >= cycles, share x base and noise x noise
 *   jump >= slope x the slope
 *   the curve stays up: the median of the 8 points after the jump, less that of the 8 before it and
 *   less what the slopes on either side explain, is at least half the excess
 *   such jumps (of at least a third of its excess) are rare: at most 1 in `rare` steps, and 4 in a
 *   short curve. A staircase with a step for every warp is usual, unless its steps are as high as
 *   `round_trip` x base: a small table makes the curve wait for memory again and again. */
typedef struct {
  double cycles, share, noise, slope, rare, round_trip;
} micro_spikes_rule_t;

extern const micro_spikes_rule_t micro_spikes_rule; /* 2, 0.02, 8, 3, 50, 0.10 */

typedef struct {
  uint32_t before, after; /* threads of the points just before and just after the jump */
  double jump;            /* cycles; consecutive steps form one spike */
  double variance;        /* the largest 3-point variance at the jump */
  double times;           /* variance / median; INFINITY if the rest of the curve has no variance */
} micro_spike_t;

typedef struct {
  micro_spike_t *spike; /* the largest jump first */
  size_t n;
  double median; /* median of the positive variances of points outside all spikes; 0: none */
} micro_spikes_t;

/* The unbiased sample variance of each point and its two neighbours; 0 at both ends. */
void micro_variance(const double *latency, size_t n, double *variance);

/* Finds all spikes of `n` points with rising thread counts. `rule` NULL: micro_spikes_rule. Returns
 * 0, or -1 and a message in err. The caller frees *out. */
int micro_spikes_find(micro_spikes_t *out, const uint32_t *threads, const double *latency, size_t n,
                      const micro_spikes_rule_t *rule, mrpb_err_t *err);
void micro_spikes_free(micro_spikes_t *s);

/* The point of saturation: of all spikes that jump at least half as high as the largest, the one
 * with the fewest threads. NULL: no spike. */
const micro_spike_t *micro_spikes_first(const micro_spikes_t *s);

#endif
