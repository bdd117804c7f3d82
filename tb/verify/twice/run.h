/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb twice`: builds any module in several ways and compares the builds under random inputs. */
#ifndef TWICE_RUN_H
#define TWICE_RUN_H

#include "verilog/load/lib.h"

#include <stdio.h>

typedef struct {
  rtl_from_t from;
  uint64_t seed, cycles;
  unsigned patience;
  FILE *out, *progress;
} twice_command_t;

/* Returns 0 if equal, 1 if an output is x, 2 or 5 as rtl_lib_open does, and a message in err. */
int twice_command(const twice_command_t *c, mrpb_err_t *err);

#endif
