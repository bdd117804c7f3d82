/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line of `mrpb run` on a terminal, and its end by Ctrl-C or a bound (base/bound.h). */
#ifndef CLI_RUN_PROGRESS_H
#define CLI_RUN_PROGRESS_H

#include "base/hang.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const char *kernel;
  double start, shown; /* seconds_now() */
  bool show;
  hang_t hang;
  uint64_t cycle; /* at the last call */
} run_progress_t;

void run_progress_begin(run_progress_t *p, const char *kernel);
/* For gpu_setup_t.poll, with a run_progress_t as ctx. */
bool run_progress_poll(void *ctx, uint64_t cycles, double fraction);
void run_progress_clear(const run_progress_t *p);

#endif
