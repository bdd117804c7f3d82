/* SPDX-License-Identifier: Apache-2.0 */
/* Bandwidth of the L3 for constants and instructions (paper 004, Figure 16 and section IV-J3). All
 * blocks run for the same time, so that no block is left running alone. */
#ifndef MICRO_STUDY_BANDWIDTH_H
#define MICRO_STUDY_BANDWIDTH_H

#include "studies/micro/study.h"

enum {
  BAND_FILL = 50000 /* cycles in which the L3 is filled */,
  BAND_LAST = 5,
  BAND_RUN = 300000 /* cycles that count, the same for all blocks */
};

/* The bytes per cycle that `blocks` blocks get together. */
typedef double (*bandwidth_fn)(void *ctx, uint32_t blocks);

typedef struct {
  double one, each; /* one: one block; each: one block per cluster */
  double few;       /* one block on three of four clusters, scaled up to all clusters */
  double all,
      before;   /* of two blocks a cluster, the median of the last few; of 7 / 8 as many blocks */
  double rises; /* the last of those few divided by the first */
} bandwidth_t;

/* Measures 1 to `most` blocks and plots them as a series of that name. */
bandwidth_t bandwidth_curve(const bench_limits_t *has, micro_plot_t *plot, const char *name,
                            uint32_t most, bandwidth_fn rate, void *ctx);
/* Adds the rows `all`, of the whole bandwidth, and `one`, of one block's. `cluster`: what all
 * blocks of a cluster get together; 0: not known. */
void bandwidth_rows(study_t *s, study_row_t all, study_row_t one, const bandwidth_t *b,
                    double cluster, const char *note_of_one);

/* ---- the parts of the studies of constants and instructions ------------------------------ */

/* Figure 16 for the given sizes of line, L2 and L3, in bytes. */
void constants_bandwidth(study_t *s, uint32_t line, uint64_t l2, uint64_t l3);

/* What was found; 0: not seen. */
typedef struct {
  uint64_t l1, l1_sets, l1_ways, l2, l3; /* sizes in bytes; lines of CODE_LINE bytes */
} instructions_t;

void instructions_fetch(study_t *s, const instructions_t *found);
void instructions_bandwidth(study_t *s, const instructions_t *found);

#endif
