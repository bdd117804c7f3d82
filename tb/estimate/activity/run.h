/* SPDX-License-Identifier: Apache-2.0 */
/* The activity of an estimate's columns: of a run that the estimate starts, or read from the files
 * of one. */
#ifndef ACTIVITY_RUN_H
#define ACTIVITY_RUN_H

#include "estimate/estimate.h"

/* activity.json of a run, checked: whatever the functions below look at is there. -1 and a message
 * with the file's name. */
int activity_read(const char *file, json_t **json, mrpb_err_t *err);

/* For every column its activity, or NULL. The caller releases them. */
int activity_columns(estimate_t *e, json_t *of[ESTIMATE_COLUMNS], mrpb_err_t *err);

/* Watts, at the clock for which the logic was timed. */
typedef struct {
  double internal, switching, leakage;
} activity_power_t;

/* `power`: of flip-flops, of the other gates, of both. */
typedef void (*activity_power_fn)(void *ctx, unsigned column, const char *library,
                                  const char *module, const activity_power_t power[3]);

/* OpenSTA's power of every netlist that the section on logic has made of a column's watched
 * modules. -1 and a message if OpenSTA does not give one. */
int activity_power(const estimate_t *e, unsigned column, const json_t *activity,
                   activity_power_fn each, void *ctx, mrpb_err_t *err);

/* Of unit "mrpb": an object, or NULL. */
const json_t *activity_unit_of(const json_t *activity, const char *unit);
/* Element of a list of objects by its "name"; NULL. */
const json_t *activity_named(const json_t *list, const char *name);
/* Field `name` of `o` as a number; 0 where there is none. */
double activity_number(const json_t *o, const char *name);

#endif
