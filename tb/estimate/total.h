/* SPDX-License-Identifier: Apache-2.0 */
/* The area of a table in all: placed cells and memories, beside that of the L1 which it serves, and
 * beside what paper 001 says in its section 6. */
#ifndef ESTIMATE_TOTAL_H
#define ESTIMATE_TOTAL_H

#include "estimate/estimate.h"
#include "estimate/timing.h"

/* Areas in mm2; below 0: not known. */
typedef struct {
  double cells;    /* placed: over the utilisation */
  double memories; /* 0: it has none */
  double l1;       /* at the node of the cells */
} total_t;

/* Whether a module is a table of an SM, not a part of one. */
bool total_is_whole(const module_class_t *cls);

total_t total_of(const estimate_t *e, unsigned column, const flow_t *f, const timing_row_t *row);
void total_put_head(FILE *md, const estimate_t *e, const flow_t *f);
void total_put_row(FILE *md, const total_t *t, const char *label);
/* One sentence. */
void total_put_brief(FILE *md, const total_t *t);
json_t *total_json(const total_t *t, const char *module, const char *column);

#endif
