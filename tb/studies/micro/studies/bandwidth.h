/* SPDX-License-Identifier: Apache-2.0 */
/* Bandwidth of the L3 of constants and instructions (paper 004, Figure 16 and section IV-J3):
 * blocks that all run for the same time, so that none is left alone. */
#ifndef MICRO_STUDY_BANDWIDTH_H
#define MICRO_STUDY_BANDWIDTH_H

#include "studies/micro/study.h"

enum {
  BAND_FILL = 50000 /* cycles in which the L3 is filled */,
  BAND_LAST = 5,
  BAND_RUN = 300000 /* cycles that count, the same for all blocks */
};

/* Bytes a cycle that so many blocks get together. */
typedef int (*bandwidth_fn)(void *ctx, uint32_t blocks, double *bytes, mrpb_err_t *err);

typedef struct {
  double one, each; /* one block; one on each cluster */
  double few;       /* one on three of four clusters, for as many clusters as there are */
  double all,
      before;   /* of two blocks a cluster, the median of the last few; of seven eighths of them */
  double rises; /* the last of those few, of the first of them */
} bandwidth_t;

/* 1 to `most` blocks, as a series of that name. */
int bandwidth_curve(const bench_limits_t *has, micro_plot_t *plot, const char *name, uint32_t most,
                    bandwidth_fn rate, void *ctx, bandwidth_t *b, mrpb_err_t *err);
/* The whole, and one block's. `cluster`: what all blocks of a cluster get; 0: not known. */
void bandwidth_rows(study_t *s, const bandwidth_t *b, double cluster, const char *note_of_one);

#endif
