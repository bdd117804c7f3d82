/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a GPU has MSHRs or a PRT, and how many entries (Lashgar et al., paper 000,
 * section 5). A table of MSHRs is full at a number of awaited lines, a Pending Request Table at a
 * number of outstanding warp loads. Each Thread-Latency curve bounds both; the answer is what all
 * curves allow. Pure functions. */
#ifndef DEDUCE_TABLE_H
#define DEDUCE_TABLE_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DEDUCE_TABLE_CURVES = 64, DEDUCE_TABLE_TEXT = 200 };

/* One Thread-Latency curve. */
typedef struct {
  uint32_t loads;   /* N: loads per thread, independent of each other; at least 1 */
  uint32_t lines;   /* touched by the load of a whole warp, 1..32; MergerK: 32 / K */
  uint32_t good;    /* threads before the spike; without a spike, the most that were tried */
  uint32_t bad;     /* threads after the spike; 0: no spike */
  uint32_t sharing; /* neighbouring warps that load the same lines; 0 or 1: none do */
} deduce_table_curve_t;

typedef enum {
  DEDUCE_TABLE_NO_SPIKE, /* nothing ran out: only minimum sizes are known */
  DEDUCE_TABLE_MSHR,
  DEDUCE_TABLE_PRT,
  DEDUCE_TABLE_EITHER,  /* the curves cannot tell MSHRs from a PRT */
  DEDUCE_TABLE_BOTH,    /* loads of few lines exhaust one, loads of many lines the other */
  DEDUCE_TABLE_NEITHER, /* the spikes contradict each other */
} deduce_table_kind_t;

/* hi UINT32_MAX: unbounded. Empty if hi < lo. */
typedef struct {
  uint32_t lo, hi;
} deduce_interval_t;

typedef struct {
  deduce_table_kind_t kind;
  deduce_interval_t lines; /* MSHRs: lines awaited; meaningful unless the kind is PRT */
  deduce_interval_t loads; /* PRT entries: outstanding warp loads; meaningful unless it is MSHR */
  /* Lanes that one MSHR serves, at least 1. If more lanes want a line, it takes further MSHRs. hi
   * unbounded: no curve needed more lanes. */
  deduce_interval_t merges;
  uint64_t contradicted; /* bit i: curve i contradicts the answer */
} deduce_table_t;

/* Lines awaited once `threads` threads have issued all their loads. */
uint32_t deduce_table_lines(const deduce_table_curve_t *c, uint32_t threads);

/* `slack` is the number of threads by which spikes may be misplaced (0 for a measurement on the
 * model). A curve without a spike raises the minimum size. If that contradicts the spikes of the
 * others, the curve is listed in `contradicted` and left out, because another resource limits it
 * first. Returns 0, or -1 and a message in err: no curve or too many, illegal numbers. */
int deduce_table(deduce_table_t *out, const deduce_table_curve_t *curve, size_t n, uint32_t slack,
                 mrpb_err_t *err);

/* The name of the kind: "MSHR", "PRT", ... */
const char *deduce_table_name(deduce_table_kind_t kind);

#endif
