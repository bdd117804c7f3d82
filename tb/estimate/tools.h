/* SPDX-License-Identifier: Apache-2.0 */
/* The tools of the logic estimate: Yosys, berkeley-abc and OpenSTA, as the PATH has them. */
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

/* Finds all three and asks for their versions; -1 and one line if one is not there, does not say
 * its version, or is older than what this project was tested with. `scratch` is a folder. */
int tools_find(tools_t *t, const char *scratch, mrpb_err_t *err);

/* A file for a tool, in its folder; NULL and a message if it cannot be made. */
FILE *tools_open(const char *folder, const char *name, mrpb_err_t *err);
/* -1 and a message if something of it was not written. */
int tools_close(FILE *f, const char *folder, const char *name, mrpb_err_t *err);

/* Runs argv[0] in `folder` with at most `seconds`, its output in the file `log` there; -1 and a
 * message that names it for a time limit, a signal or an exit code other than 0. An exit code of 0
 * says nothing: the caller looks at what was written. */
int tools_run(const char *folder, const char *const *argv, const char *log, unsigned seconds,
              mrpb_err_t *err);

/* First line of `log` in `folder` with `mark` in it, from the mark on, cut to `size`; "" if there
 * is none. */
void tools_find_line(const char *folder, const char *log, const char *mark, char *text,
                     unsigned size);

#endif
