/* SPDX-License-Identifier: Apache-2.0 */
/* The alternatives that a designer of these structures chooses between, side by side: drain
 * policies, depths, numbers of queues, sizes of the tables; with the noise of the tools. */
#ifndef ESTIMATE_STUDY_H
#define ESTIMATE_STUDY_H

#include "estimate/flow.h"

/* Runs what is not kept yet, and writes tables and ratios. -1 and one line if a run fails. */
int study_make(const flow_t *f, FILE *md, json_t **json, mrpb_err_t *err);

/* Middle, least and largest of `n` values (an even number: the lower middle). */
typedef struct {
  double median, least, most;
} spread_t;
spread_t study_spread(const double *v, unsigned n);
/* The ratio of all pairs out of two sets. */
spread_t study_ratio(const double *over, const double *under, unsigned n);

#endif
