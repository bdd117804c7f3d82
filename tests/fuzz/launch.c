/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/launch/launch.h"
#include "fuzz.h"

enum { LAUNCHES = 64 };

/* The host alone: its kernels do nothing, and nothing is written. */
int fuzz_launch(const char *path, mrpb_err_t *err) {
  const launch_options_t options = {.steps = 1 << 16};
  launch_program_t *p;
  workload_t *w;
  if (launch_read(&p, path, &options, err) != 0) return -1;
  if (launch_output(p, 0)) return launch_free(p), 0;
  if (launch_open(&w, p, err) != 0) return launch_free(p), -1;
  for (unsigned i = 0; i < LAUNCHES && workload_next(w); i++) {
  }
  const int rc =
      workload_fault(w) ? mrpb_fail(err, "%s", workload_fault(w)->text) : workload_check(w, err);
  workload_close(w);
  return rc == 0 ? 0 : -1;
}
