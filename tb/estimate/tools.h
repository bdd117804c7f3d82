/* SPDX-License-Identifier: Apache-2.0 */
/* The tools of the logic estimate: Yosys, berkeley-abc and OpenSTA, as found in the PATH. */
#ifndef ESTIMATE_TOOLS_H
#define ESTIMATE_TOOLS_H

#include "err.h"

#include <stdint.h>
#include <stdio.h>

enum { TOOLS_YOSYS, TOOLS_ABC, TOOLS_STA, TOOLS_N, TOOLS_VERSION = 96, TOOLS_PATH = 1024 };

typedef struct {
  char version[TOOLS_N][TOOLS_VERSION]; /* "0.23" */
  uint64_t hash[TOOLS_N];               /* of the program's file */
} tools_t;

/* "yosys", "berkeley-abc", "sta". */
const char *tools_name(unsigned tool);

/* Finds all three and asks for their versions. Returns -1 and one line in err if one is missing,
 * reports no version, or is older than what this project was tested with. `scratch` is a folder. */
int tools_find(tools_t *t, const char *scratch, mrpb_err_t *err);

/* Runs argv[0] in `folder` for at most `seconds`; its output goes to the file `log` there. Returns
 * -1 and a message in err that names it after a time limit, a signal or an exit code other than 0.
 * An exit code of 0 proves nothing; the caller must look at what was written. */
int tools_run(const char *folder, const char *const *argv, const char *log, unsigned seconds,
              mrpb_err_t *err);

/* Finds the first line of `log` in `folder` that contains `mark`, from the mark on, cut to `size`;
 * "" if there is none. */
void tools_find_line(const char *folder, const char *log, const char *mark, char *text,
                     unsigned size);

#endif
