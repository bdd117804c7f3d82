/* SPDX-License-Identifier: Apache-2.0 */
/* The tools of a placement, one after the other, in one folder. */
#ifndef ESTIMATE_PLACE_STEPS_H
#define ESTIMATE_PLACE_STEPS_H

#include "estimate/place/netlist.h"

#include <stdint.h>

#define STEPS_TECH "/usr/share/qflow/tech/osu018/osu018"
#define STEPS_LEF STEPS_TECH "_stdcells.lef"

/* CPU seconds of the two long steps. */
typedef struct {
  double place, route;
} steps_cost_t;

/* Finds the tools and hashes them, their technology files and the steps. Returns 0, or -1 and one
 * line in err for what is missing. */
int steps_find(uint64_t *hash, mrpb_err_t *err);

/* Places and routes `folder`/TOP.blif. Leaves TOP_route.def and TOP_route.rc there. `seconds` is
 * the limit of all steps together; `utilisation` is the cells' share of the rows, 0 to 1: the rest
 * is fillers among the cells. */
int steps_run(const place_netlist_t *n, const char *folder, unsigned seconds, double utilisation,
              steps_cost_t *cost, mrpb_err_t *err);

#endif
