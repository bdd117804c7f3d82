/* SPDX-License-Identifier: Apache-2.0 */
/* The files of `mrpb run --interval`: docs/intervals.md */
#ifndef CLI_RUN_INTERVALS_H
#define CLI_RUN_INTERVALS_H

#include "gpu/intervals.h"

#include <jansson.h>

/* A list of objects; NULL if out of memory. `stacks` NULL: they have none. */
json_t *run_intervals_json(const intervals_t *rows, const stacks_t *stacks, const gpu_t *gpu);
/* Writes the CSV file `path`. Returns 0, or -1 and a message in err. */
int run_intervals_write(const char *path, const intervals_t *rows, const gpu_t *gpu,
                        mrpb_err_t *err);
/* The same, of the stacks: a line for each interval and SM. */
int run_intervals_stacks(const char *path, const intervals_t *rows, const stacks_t *stacks,
                         const gpu_t *gpu, mrpb_err_t *err);

#endif
