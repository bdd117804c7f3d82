/* SPDX-License-Identifier: Apache-2.0 */
/* The file of `mrpb run --timeline`: docs/timeline.md */
#ifndef CLI_RUN_TIMELINE_H
#define CLI_RUN_TIMELINE_H

#include "cli/run_profile.h"
#include "config/config.h"
#include "gpu/timeline/timeline.h"

/* `sms`: the list as it was typed, NULL: all. */
typedef struct {
  const char *file, *sms;
  uint64_t from, to;
} run_timeline_t;

/* Refuses a window that is none, and a file that cannot be written. */
int run_timeline_check(const run_timeline_t *r, mrpb_err_t *err);
/* Opens the timeline of a GPU; *out is NULL if none is asked for. `names` must outlive it. Returns 0, or
 * -1 and a message in err: an SM of the list is not there, the file cannot be written. */
int run_timeline_open(const run_timeline_t *r, const config_t *m, const run_profile_names_t *names,
                      timeline_t **out, mrpb_err_t *err);

#endif
