/* SPDX-License-Identifier: Apache-2.0 */
/* OpenSTA on the placed netlist, first without and then with its wires: one netlist, one script, so
 * that only the wires differ. */
#ifndef ESTIMATE_PLACE_TIMING_H
#define ESTIMATE_PLACE_TIMING_H

#include "estimate/place/netlist.h"
#include "estimate/place/place.h"

/* Runs `sta` in `folder`, which holds placed.v and TOP.spef. */
int timing_run(const synth_job_t *job, const place_netlist_t *n, const char *folder,
               place_times_t *without, place_times_t *with, mrpb_err_t *err);

/* Reads what OpenSTA printed for it. */
int timing_read(const char *text, place_times_t *without, place_times_t *with, mrpb_err_t *err);

#endif
