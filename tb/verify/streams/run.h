/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb streams`: compares the streams of a design with those of a module of ours, or of another
 * design. docs/verify/streams.md */
#ifndef STREAMS_RUN_H
#define STREAMS_RUN_H

#include "verilog/load/lib.h"

#include <jansson.h>
#include <stdio.h>

enum { STREAMS_HOLDS = 32, STREAMS_SETS = 16 };

typedef struct {
  rtl_from_t from, ref; /* the design; the reference, if one is given */
  const char *hold[STREAMS_HOLDS], *set[STREAMS_SETS];
  unsigned n_holds, n_sets;
  uint64_t seed, cycles, patience, hang;
  bool (*stop)(void);
  const char *vcd; /* the wave of a mismatch; NULL: none */
  bool no_shorter;
  json_t **json; /* receives the result */
  const char *program;
  FILE *out, *progress;
} streams_command_t;

/* Returns 0 matched, 1 a mismatch, or 2, 5 and a message in err. */
int streams_command(const streams_command_t *c, mrpb_err_t *err);

#endif
