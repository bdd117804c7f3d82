/* SPDX-License-Identifier: Apache-2.0 */
/* Activity of the MRPB, the MSHR table and the PRT of one SM during a run: accesses, events,
 * occupancy, toggles and duty of every bit; from the C model, from the Verilog, or from both, which
 * then must agree. docs/estimate/activity.md
 *
 * Use: activity_open, `activity_watch` into unit_choice_t.watch, run, activity_check and
 * activity_write, activity_close. What was counted outlives the units. A run without it pays
 * nothing: nobody stands between an SM and its units then. */
#ifndef ACTIVITY_H
#define ACTIVITY_H

#include "config/config.h"
#include "parts/unit.h"

#include <jansson.h>
#include <stdio.h>

typedef struct activity activity_t;

/* Watches SM `sm` of a GPU of this configuration. 0, or -1 and a message if it has a unit that is
 * no hardware. */
int activity_open(activity_t **out, const config_t *cfg, unsigned sm, mrpb_err_t *err);
void activity_close(activity_t *a);

/* What a unit_choice_t is given; valid as long as `a`. */
const unit_watch_t *activity_watch(const activity_t *a);

/* 0 if what was counted in the C models and in the Verilog is the same (or only one was there); -1
 * and the first difference. */
int activity_check(const activity_t *a, mrpb_err_t *err);
/* Bits that activity_check compares: those of which both sides are known. */
uint64_t activity_bits_compared(const activity_t *a);

/* Makes the folder `dir`, with its parents, and writes all files, each under its own name only when
 * it is complete; activity.json comes last, and one of an earlier run is gone before. `run`: an
 * object that describes the run, put into activity.json. */
int activity_write(const activity_t *a, const char *dir, const json_t *run, mrpb_err_t *err);
/* A line for each unit: its accesses and occupancy. */
void activity_print(const activity_t *a, FILE *out);
/* A folder that cannot be written is refused before the run. */
int activity_probe(const char *dir, mrpb_err_t *err);

#endif
