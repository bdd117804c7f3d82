/* SPDX-License-Identifier: Apache-2.0 */
/* The activity of an estimate's columns: from a run that the estimate starts, or from the files of
 * an earlier run. */
#ifndef ACTIVITY_RUN_H
#define ACTIVITY_RUN_H

#include "estimate/estimate.h"

/* Gets the activity of every column, or NULL for a column without. The caller releases them. */
int activity_columns(estimate_t *e, json_t *of[ESTIMATE_COLUMNS], mrpb_err_t *err);

/* In watts, at the clock for which the logic was timed. */
typedef struct {
  double internal, switching, leakage;
} activity_power_t;

typedef struct {
  activity_power_t flops, gates, both;
  activity_power_t clock; /* of the flip-flops while nothing toggles: their clock pins */
  unsigned n_flops;
} activity_logic_t;

/* `folder` has the netlist and sta.tcl. Returns 0, or -1 and a message in err. */
typedef int (*activity_power_fn)(void *ctx, unsigned column, const char *library,
                                 const char *module, const char *folder,
                                 const activity_logic_t *power, mrpb_err_t *err);

/* Has OpenSTA compute the power of every netlist that the section on logic made for the column's
 * watched modules. Returns 0, or -1 and a message in err if OpenSTA gives no result. */
int activity_power(const estimate_t *e, unsigned column, const json_t *activity,
                   activity_power_fn each, void *ctx, mrpb_err_t *err);

/* The clock pins' energy in pJ a cycle if each register word has a clock gate that opens in the
 * cycles in which the word is written, and the number of gates. A gate costs what a flip-flop's
 * clock pin costs; a word gets one only if that saves energy in this run. `clock_pj`: that of all
 * `flops` flip-flops without gates. */
typedef struct {
  double pj;
  unsigned gates;
} activity_gated_t;
activity_gated_t activity_gated(const char *stem, const json_t *unit, double clock_pj,
                                unsigned flops);

/* The commands for the power of `module` with the activity in the file `tcl`, after sta.tcl; and what
 * they have printed, with the factor of activity_internal. Returns 0, or -1 and a message in err. */
void activity_power_script(FILE *f, const char *module, const char *tcl);
int activity_power_read(const char *text, double factor, activity_logic_t *power, mrpb_err_t *err);

/* By how much OpenSTA's internal power is above the library's: 2 for 2.0.17, which counts the energy
 * of a rise and that of a fall for each toggle. `scratch` is a folder for files that are removed.
 * Returns 0, or -1 and a message in err. */
int activity_internal(const char *scratch, double *factor, mrpb_err_t *err);

/* Returns the object of a unit such as "mrpb", or NULL. */
const json_t *activity_unit_of(const json_t *activity, const char *unit);
/* Returns the element of a list of objects with this "name", or NULL. */
const json_t *activity_named(const json_t *list, const char *name);
/* Returns field `name` of `o` as a number; 0 if it has none. */
double activity_number(const json_t *o, const char *name);

#endif
