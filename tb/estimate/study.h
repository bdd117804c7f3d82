/* SPDX-License-Identifier: Apache-2.0 */
/* Compares, side by side, the alternatives between which a designer of these structures chooses:
 * drain policies, depths, numbers of queues, and sizes of the tables; with the noise of the
 * tools. */
#ifndef ESTIMATE_STUDY_H
#define ESTIMATE_STUDY_H

#include "estimate/flow.h"

/* Runs what is not kept yet, and writes tables and ratios. Returns -1 and one line in err if a run
 * fails. */
int study_make(const flow_t *f, FILE *md, json_t **json, mrpb_err_t *err);

/* The median, least and largest of `n` values (of an even number, the lower middle). */
typedef struct {
  double median, least, most;
} spread_t;
spread_t study_spread(const double *v, unsigned n);
/* The ratios of all pairs from two sets. */
spread_t study_ratio(const double *over, const double *under, unsigned n);

#endif
