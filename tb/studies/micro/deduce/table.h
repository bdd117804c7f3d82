/* SPDX-License-Identifier: Apache-2.0 */
/* MSHR or PRT, and how large (Lashgar et al., paper 000, section 5): a table of MSHRs is full when
 * so many lines are awaited, a Pending Request Table when so many warp loads are. Each
 * Thread-Latency curve bounds both; what all curves allow is the answer. Pure functions. */
#ifndef DEDUCE_TABLE_H
#define DEDUCE_TABLE_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DEDUCE_TABLE_CURVES = 64, DEDUCE_TABLE_TEXT = 200 };

/* One Thread-Latency curve. */
typedef struct {
  uint32_t loads;   /* per thread, independent of each other: N; at least 1 */
  uint32_t lines;   /* that the load of a whole warp touches, 1..32; MergerK: 32 / K */
  uint32_t good;    /* threads before the spike; without a spike the most that were tried */
  uint32_t bad;     /* threads after it; 0: no spike */
  uint32_t sharing; /* so many neighbouring warps load the same lines; 0 or 1: each its own */
} deduce_table_curve_t;

typedef enum {
  DEDUCE_TABLE_NO_SPIKE, /* nothing ran out: least sizes only */
  DEDUCE_TABLE_MSHR,
  DEDUCE_TABLE_PRT,
  DEDUCE_TABLE_EITHER, /* the curves do not tell them apart */
  DEDUCE_TABLE_BOTH,   /* loads of few lines run out of the one, loads of many lines of the other */
  DEDUCE_TABLE_NEITHER, /* the spikes contradict each other */
} deduce_table_kind_t;

/* hi UINT32_MAX: not bounded; empty if hi < lo. */
typedef struct {
  uint32_t lo, hi;
} deduce_interval_t;

typedef struct {
  deduce_table_kind_t kind;
  deduce_interval_t lines; /* MSHRs: lines awaited; of interest for all kinds but PRT */
  deduce_interval_t loads; /* PRT entries: warp loads outstanding; for all kinds but MSHR */
  /* Lanes that one MSHR serves, from 1 on; a line that more lanes want takes further MSHRs. hi
   * unbounded: nothing that was tried needed more. */
  deduce_interval_t merges;
  uint64_t contradicted; /* bit i: curve i does not fit the answer */
} deduce_table_t;

/* Lines awaited, and warp loads outstanding, when `threads` have issued all their loads. */
uint32_t deduce_table_lines(const deduce_table_curve_t *c, uint32_t threads);
uint32_t deduce_table_loads(const deduce_table_curve_t *c, uint32_t threads);

/* `slack`: threads by which spikes may be misplaced (0 for a measurement on the model). A curve
 * without a spike raises the least size; where that contradicts the spikes of the others it is
 * listed in `contradicted` and left out: another resource limits it first. Errors: no curve or too
 * many, illegal numbers. */
int deduce_table(deduce_table_t *out, const deduce_table_curve_t *curve, size_t n, uint32_t slack,
                 mrpb_err_t *err);

/* "MSHR", "PRT", ... */
const char *deduce_table_name(deduce_table_kind_t kind);
/* "128", "128 to 131", "at least 45", "none". */
void deduce_interval_text(deduce_interval_t i, char text[DEDUCE_TABLE_TEXT]);
/* One line on curve `i` of the answer: why it does not fit, or what it says. */
void deduce_table_explain(const deduce_table_t *t, const deduce_table_curve_t *curve, size_t i,
                          char text[DEDUCE_TABLE_TEXT]);

#endif
