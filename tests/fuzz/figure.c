/* SPDX-License-Identifier: Apache-2.0 */
#include "studies/figures/figures.h"
#include "fuzz.h"

#include <stdlib.h>

int fuzz_figure(const char *path, mrpb_err_t *err) {
  figures_experiment_t *e = calloc(1, sizeof *e);
  if (!e) return mrpb_fail(err, "out of memory");
  int rc = figures_read(e, path, "configs/figures/programs.list", err);
  free(e);
  return rc;
}
