/* SPDX-License-Identifier: Apache-2.0 */
/* What `mrpb prove` passes to build/mrpb-prove: the same command line, read by the same table. */
#ifndef PROVE_ARGS_H
#define PROVE_ARGS_H

#include "cli/cli.h"
#include "verilog/cells.h"

enum { PROVE_MAX_SETS = 64 };

typedef struct {
  const char *module, *list, *inv, *c, *engine, *sets[PROVE_MAX_SETS];
  unsigned n_sets;
  rtl_from_t from;
  cells_t cells;
  uint64_t jobs, limit, unroll, depth;
} prove_args_t;

#endif
