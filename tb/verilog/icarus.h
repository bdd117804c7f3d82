/* SPDX-License-Identifier: Apache-2.0 */
/* The one way to simulate a folder of Verilog with Icarus. */
#ifndef VERILOG_ICARUS_H
#define VERILOG_ICARUS_H

#include <stdbool.h>

/* How the texts are read: as SystemVerilog, and with SYNTHESIS defined, which leaves out initial
 * blocks. */
typedef struct {
  bool sv, synthesis;
  unsigned seconds; /* time limit; 0: PROCESS_SECONDS */
} icarus_t;

/* Runs the module bench of `dir`/bench.v in `dir` with the Verilog of `rtl_dir`. The beginning of
 * its output goes to `dir`/log. Returns as process_status (base/process.h). */
int icarus_run(const icarus_t *how, const char *dir, const char *rtl_dir);

#endif
