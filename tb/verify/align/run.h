/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb align`: two timed streams of requests, aligned. docs/align.md */
#ifndef ALIGN_RUN_H
#define ALIGN_RUN_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  const char *file[2];
  const char *map, *scope, *kinds, *who;
  int64_t shift;
  bool accepted;
  FILE *out;
} align_command_t;

/* Returns 0 equal, 1 different, 2 wrong input or 5 a tool is missing, and a message in err. */
int align_command(const align_command_t *c, mrpb_err_t *err);

#endif
