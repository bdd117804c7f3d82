/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of a run: what each set of the L1D, each queue of the MRPB and each bank of the DRAM had to do in
 * each interval. docs/maps.md */
#ifndef GPU_MAPS_H
#define GPU_MAPS_H

#include "config/config.h"
#include "parts/requests.h"

/* What is counted, by place. */
typedef enum {
  MAPS_READS,   /* of a set: reads that were looked up, or went past it */
  MAPS_MISSES,  /* those whose data did not come from it */
  MAPS_REFUSED, /* of a set: SM cycles in which it refused its requests, stores too */
  MAPS_HELD,    /* of a queue of all SMs' MRPBs: requests, added up over SM cycles */
  MAPS_ASKED,   /* of a slice of the L2: requests of the SMs */
  MAPS_SERVED,  /* by a bank of a channel: requests of the SMs */
  MAPS_OPENED,  /* those for which it opened a row */
  MAPS_LAYERS
} maps_layer_t;

typedef struct {
  const char *of,
      *name; /* what its places are: "sets", "queues", "slices", "banks"; its name in files */
} maps_about_t;

typedef struct maps maps_t;

/* Intervals of `every` SM cycles, at least 1. `cfg` must outlive the maps. Returns 0, or -1 and a message
 * in err; *out is NULL then. */
int maps_create(maps_t **out, const config_t *cfg, uint64_t every, mrpb_err_t *err);
void maps_destroy(maps_t *m);
/* Is to be told of the requests. */
requests_sink_t maps_requests(maps_t *m);

/* ---- after the run -------------------------------------------------------- */

bool maps_complete(const maps_t *m); /* memory did not run out */
const maps_about_t *maps_about(maps_layer_t layer);
/* 0: such a GPU has none. Places of banks: channel times the banks of one, plus the bank. */
unsigned maps_places(const maps_t *m, maps_layer_t layer);
size_t maps_intervals(const maps_t *m);
uint64_t maps_at(const maps_t *m, maps_layer_t layer, size_t interval, unsigned place);

#endif
