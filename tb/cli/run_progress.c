/* SPDX-License-Identifier: Apache-2.0 */
/* See run_progress.h. */
#include "cli/run_progress.h"
#include "base/bound.h"
#include "cli/cli.h"

#include <stdio.h>

static double seconds(const struct timespec *from, const struct timespec *to) {
  return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

void run_progress_begin(run_progress_t *p, const char *kernel) {
  *p = (run_progress_t){.kernel = kernel, .show = cli_progress() != NULL};
  clock_gettime(CLOCK_MONOTONIC, &p->start);
  p->shown = p->start;
}

bool run_progress_poll(void *ctx, uint64_t cycles, double fraction) {
  run_progress_t *p = ctx;
  struct timespec now;
  p->cycle = cycles;
  hang_enter(&p->hang, "the simulation");
  if (cli_signalled() || bound_passed(cycles)) {
    p->interrupted = true;
    return true;
  }
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!p->show || seconds(&p->shown, &now) < 0.5) return false;
  p->shown = now;
  fprintf(stderr, "\r%s: %.1f M cycles, %.2f M/s, %.0f %% of the blocks done  ", p->kernel,
          1e-6 * (double)cycles, 1e-6 * (double)cycles / seconds(&p->start, &now), 100 * fraction);
  return false;
}

void run_progress_clear(const run_progress_t *p) {
  if (p->show) fprintf(stderr, "\r%78s\r", "");
}
