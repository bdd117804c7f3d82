/* SPDX-License-Identifier: Apache-2.0 */
/* Activity of the MRPB, the MSHR table and the PRT of one SM during a run: accesses, events,
 * occupancy, toggles and duty of every bit. It is counted in the C model, in the Verilog, or in
 * both, which must then agree. docs/estimate/activity.md
 *
 * Use: activity_open, `activity_watch` into unit_choice_t.watch, run, activity_check and
 * activity_write, activity_close. The counts outlive the units. A run without activity has no cost:
 * there is then no watcher between an SM and its units. */
#ifndef ACTIVITY_H
#define ACTIVITY_H

#include "config/config.h"
#include "parts/unit.h"

#include <jansson.h>
#include <stdio.h>

typedef struct activity activity_t;

/* Watches SM `sm` of a GPU of this configuration. Returns 0, or -1 and a message in err if a unit
 * of it is not hardware. */
int activity_open(activity_t **out, const config_t *cfg, unsigned sm, mrpb_err_t *err);
void activity_close(activity_t *a);

/* Returns the watch for unit_choice_t; it is valid as long as `a`. */
const unit_watch_t *activity_watch(const activity_t *a);

/* From the next cycle on, cycles are not counted (or are again). Registers and ports may change
 * meanwhile; what they change is nobody's toggle. So a stream of one event can be counted without
 * the events that make room for it. */
void activity_pause(activity_t *a, bool pause);

/* Returns 0 if the counts in the C models and in the Verilog are the same, or if only one of the
 * two was present; -1 and the first difference in err otherwise. */
int activity_check(const activity_t *a, mrpb_err_t *err);

/* Creates the folder `dir` with its parents and writes all files. Each file gets its own name only
 * when it is complete. activity.json comes last; one of an earlier run is removed first. `run` is
 * an object that describes the run, for activity.json. Returns 0, or -1 and a message in err. */
int activity_write(const activity_t *a, const char *dir, const json_t *run, mrpb_err_t *err);
/* Prints a line for each unit: its accesses and occupancy. */
void activity_print(const activity_t *a, FILE *out);
/* Refuses a folder that cannot be written before the run. Returns 0, or -1 and a message in err. */
int activity_probe(const char *dir, mrpb_err_t *err);

#endif
