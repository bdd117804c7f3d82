/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/icarus.h"

#include "base/files.h"
#include "base/process.h"

#include <stdio.h>

int icarus_run(const icarus_t *how, const char *dir, const char *rtl_dir) {
  static const char script[] = "rtl=$(cd \"$1\" && pwd) && cd \"$0\" && ln -sfn \"$rtl\" rtl && "
                               "iverilog $3 $2 -y rtl -I rtl -s bench "
                               "-o bench.vvp bench.v && exec vvp -n bench.vvp";
  const char *const argv[] = {"/bin/sh",
                              "-c",
                              script,
                              dir,
                              rtl_dir,
                              how->synthesis ? "-DSYNTHESIS" : "",
                              how->sv ? "-g2012" : "-g2005",
                              NULL};
  char log[FILES_PATH];
  if (!files_path(log, "%s/log", dir)) return -1;
  (void)remove(log);
  return process_status(&(process_t){.argv = argv, .log = log, .seconds = how->seconds});
}
