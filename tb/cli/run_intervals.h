/* SPDX-License-Identifier: Apache-2.0 */
/* The intervals of `mrpb run`: their options and files. docs/intervals.md */
#ifndef CLI_RUN_INTERVALS_H
#define CLI_RUN_INTERVALS_H

#include "gpu/intervals.h"

#include <jansson.h>

/* `every` 0: none. */
typedef struct {
  uint64_t every;
  const char *csv;
} run_intervals_t;

/* Refuses one option without the other that it needs; `json`: there is a JSON file. */
int run_intervals_check(const run_intervals_t *r, bool json, mrpb_err_t *err);

/* gpu_run. `*rows` is NULL without intervals; the caller destroys them. */
gpu_end_t run_intervals_run(const run_intervals_t *r, gpu_t *gpu, intervals_t **rows,
                            mrpb_err_t *err);

/* After the run. Adds the list to `report`, which becomes NULL if memory runs out. */
void run_intervals_json(const intervals_t *rows, const gpu_t *gpu, json_t **report);
/* Writes the CSV file, if there is one. Returns 0, or -1 and a message in err. */
int run_intervals_write(const run_intervals_t *r, const intervals_t *rows, const gpu_t *gpu,
                        mrpb_err_t *err);

#endif
