/* SPDX-License-Identifier: Apache-2.0 */
/* Places and routes the netlist that the logic estimate reports, with Debian's qflow (graywolf,
 * qrouter) and OSU018, and times it with the routed wires: docs/estimate/place.md. */
#ifndef ESTIMATE_PLACE_H
#define ESTIMATE_PLACE_H

#include "estimate/logic.h"

#include <jansson.h>

/* The time limit of one module, in seconds, unless the user gives another. */
enum { PLACE_SECONDS = 1800 };

#define PLACE_PACKAGES "configs/packages-place.txt"

typedef struct {
  const synth_job_t *synth; /* the module, its library and its SRAMs */
  const char *folder;       /* where logic_estimate left net.v */
  const char *cache;
  unsigned seconds;   /* for all tools together */
  double utilisation; /* the cells' share of the rows */
} place_job_t;

/* Longest paths in ns; 0: none. */
typedef struct {
  double all, registers;
} place_times_t;

typedef struct {
  unsigned cells, pins, macro_pins;
  unsigned nets, sinks;    /* that are routed, without the clock; a pin of the outline is a sink */
  double cell_um2;         /* of the placed cells, by their outlines */
  double placed_um2;       /* of the outline of all rows, with the ring of pins */
  double wire_um, wire_ff; /* sums over those nets */
  double clock_um;         /* the clock's net, which has no tree */
  unsigned clock_sinks;
  place_times_t without, with; /* wires */
  double place_s, route_s;     /* CPU */
  bool cached;
  char folder[LOGIC_PATH];
} place_result_t;

/* Places one module, or finds its kept result. Returns 0, -1 and a message in err, or
 * LOGIC_STOPPED. */
int place_run(const place_job_t *job, place_result_t *r, bool (*stop)(void), mrpb_err_t *err);

/* Whether the library is the one that can be placed. Returns -1 and a message if not. */
int place_library(const liberty_t *lib, mrpb_err_t *err);

void place_print(FILE *md, const place_result_t *r, const logic_result_t *logic);
json_t *place_json(const place_result_t *r);
int place_from_json(const json_t *o, place_result_t *r);

#endif
