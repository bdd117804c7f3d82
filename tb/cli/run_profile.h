/* SPDX-License-Identifier: Apache-2.0 */
/* The files of `mrpb run --by-pc` and --by-buffer: docs/profile.md */
#ifndef CLI_RUN_PROFILE_H
#define CLI_RUN_PROFILE_H

#include "gpu/cores/counts.h"
#include "parts/profile.h"
#include "workload/ptx/ptx.h"

#include <jansson.h>

/* Where the names of rows come from, both of which may be NULL; what the GPU has. */
typedef struct {
  const ptx_module_t *module;
  const arrays_t *arrays;
  gpu_shows_t shows;
} run_profile_names_t;

/* True if such a GPU has the column: one of the counts that are its total. */
bool run_profile_shown(profile_column_t column, gpu_shows_t shows);

/* Of a profile that has been summed up, by PC or by array. Returns 0, or -1 and a message in err. */
int run_profile_write(const profile_t *p, const run_profile_names_t *names, profile_by_t by,
                      const char *path, mrpb_err_t *err);
/* A list of objects; NULL if out of memory. */
json_t *run_profile_json(const profile_t *p, const run_profile_names_t *names, profile_by_t by);

#endif
