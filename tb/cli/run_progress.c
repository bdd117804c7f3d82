/* SPDX-License-Identifier: Apache-2.0 */
/* See run_progress.h. */
#include "cli/run_progress.h"
#include "base/bound.h"
#include "base/seconds.h"
#include "cli/cli.h"

#include <stdio.h>

void run_progress_begin(run_progress_t *p, const char *kernel) {
  *p = (run_progress_t){.kernel = kernel, .show = cli_progress() != NULL};
  p->start = p->shown = seconds_now();
}

bool run_progress_poll(void *ctx, uint64_t cycles, double fraction) {
  run_progress_t *p = ctx;
  p->cycle = cycles;
  hang_enter(&p->hang, "the simulation");
  if (cli_signalled() || bound_passed(cycles)) return true;
  const double now = seconds_now();
  if (!p->show || now - p->shown < 0.5) return false;
  p->shown = now;
  fprintf(stderr, "\r%s: %.1f M cycles, %.2f M/s, %.0f %% of the blocks done  ", p->kernel,
          1e-6 * (double)cycles, 1e-6 * (double)cycles / (now - p->start), 100 * fraction);
  return false;
}

void run_progress_clear(const run_progress_t *p) {
  if (p->show) fprintf(stderr, "\r%78s\r", "");
}
