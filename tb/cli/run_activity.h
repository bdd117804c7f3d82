/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb run --activity`: what one SM's units do, in files: docs/estimate/activity.md */
#ifndef CLI_RUN_ACTIVITY_H
#define CLI_RUN_ACTIVITY_H

#include "config/config.h"
#include "err.h"
#include "estimate/activity/activity.h"
#include "parts/unit.h"

#include <jansson.h>

/* Opens what records the accesses of SM `sm`, and lets the units tell it; *activity stays as it is if
 * `folder` is NULL. Returns an exit code. */
int run_activity_open(const char *folder, unsigned sm, const config_t *m, unit_choice_t *choice,
                      activity_t **activity, mrpb_err_t *err);
/* After the run: C model and Verilog must agree before anything is written. Takes `report`; NULL: out
 * of memory. Returns an exit code. */
int run_activity_end(const activity_t *a, const char *folder, json_t *report, mrpb_err_t *err);

#endif
