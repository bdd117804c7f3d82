/* SPDX-License-Identifier: Apache-2.0 */
/* The activity of an estimate's columns: from a run that the estimate starts, or from the files of
 * an earlier run. */
#ifndef ACTIVITY_RUN_H
#define ACTIVITY_RUN_H

#include "estimate/estimate.h"

/* Reads and checks activity.json of a run: afterwards everything that the functions below read is
 * present. Returns 0, or -1 and a message in err with the file's name. */
int activity_read(const char *file, json_t **json, mrpb_err_t *err);

/* Gets the activity of every column, or NULL for a column without. The caller releases them. */
int activity_columns(estimate_t *e, json_t *of[ESTIMATE_COLUMNS], mrpb_err_t *err);

/* In watts, at the clock for which the logic was timed. */
typedef struct {
  double internal, switching, leakage;
} activity_power_t;

/* `power` is that of the flip-flops, of the other gates, and of both. */
typedef void (*activity_power_fn)(void *ctx, unsigned column, const char *library,
                                  const char *module, const activity_power_t power[3]);

/* Has OpenSTA compute the power of every netlist that the section on logic made for the column's
 * watched modules. Returns 0, or -1 and a message in err if OpenSTA gives no result. */
int activity_power(const estimate_t *e, unsigned column, const json_t *activity,
                   activity_power_fn each, void *ctx, mrpb_err_t *err);

/* Returns the object of a unit such as "mrpb", or NULL. */
const json_t *activity_unit_of(const json_t *activity, const char *unit);
/* Returns the element of a list of objects with this "name", or NULL. */
const json_t *activity_named(const json_t *list, const char *name);
/* Returns field `name` of `o` as a number; 0 if it has none. */
double activity_number(const json_t *o, const char *name);

#endif
