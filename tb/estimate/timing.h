/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of netlists in a report: areas, delays in every corner with and without wires, and
 * whether a module closes at a clock in a stated surrounding. docs/estimate/logic.md says what each
 * figure means. */
#ifndef ESTIMATE_TIMING_H
#define ESTIMATE_TIMING_H

#include "estimate/flow.h"

#include <stdio.h>

typedef struct {
  const char *label;
  const logic_job_t *job;
  const logic_result_t *result;
  double clock_ghz;
} timing_row_t;

/* What a module needs of a clock's period in one view, in ns: its longest path, with what is stated
 * outside its ports. */
typedef struct {
  double ns; /* below 0: there is no path */
  const char *by;
  const char *from, *to; /* the path's ends; of the loop through the L1, those of its two halves */
} timing_need_t;

timing_need_t timing_need(const timing_row_t *row, const sta_view_t *v,
                          const logic_surroundings_t *around);

/* The time that is left of the period after uncertainty and need. */
double timing_left(const timing_row_t *row, const timing_need_t *need,
                   const logic_surroundings_t *around);

/* The verdict of one row at each corner, and of its netlist, as the beginning of an item of a list. */
void timing_put_verdict(FILE *md, const flow_t *f, const timing_row_t *row);
/* The assumptions about what is around: one sentence. */
void timing_put_around(FILE *md, const flow_t *f, const timing_row_t *row);

/* All four tables. */
void timing_put(FILE *md, const flow_t *f, const timing_row_t *row, unsigned n);

/* All of it: {"clock_ghz", "corners": [{"corner", "wire_ff", "reg_ns", ..., "need_ns", "by",
 * "left_ns"}], "verdict"}. */
json_t *timing_json(const flow_t *f, const timing_row_t *row);

#endif
