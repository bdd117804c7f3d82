/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb twice`: any module, built in several ways and compared under random inputs. */
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

/* 0 equal, 1 an output is x, 2 and 5 as of rtl_lib_open, and a message. */
int twice_command(const twice_command_t *c, mrpb_err_t *err);

#endif
