/* SPDX-License-Identifier: Apache-2.0 */
/* The question about a design of the user's, of whose registers nothing is known, as an and-inverter graph for ABC: a search of some
 * cycles, then all cycles at once by property directed reachability, which finds the invariant itself (Een, Mishchenko and Brayton,
 * FMCAD 2011). docs/verify/properties.md */
#ifndef PROPERTIES_AIG_H
#define PROPERTIES_AIG_H

#include "err.h"

#include <stdio.h>

enum { AIG_NAMES = 512 };

typedef struct {
  enum { AIG_UNKNOWN, AIG_NEVER, AIG_BAD } verdict;
  unsigned
      cycle; /* AIG_BAD: the one that breaks a property; AIG_UNKNOWN: how many were looked at */
  char names[AIG_NAMES]; /* properties_aig_covers: those that were not reached */
} aig_said_t;

/* Yosys' commands behind those that made the logic of job.smt2: job.aig, its map for a trace, covers.aig. Unknown values become
 * inputs, the same in both. `root` is the project's folder. */
void properties_aig_script_before(FILE *script);
void properties_aig_script(const char *root, FILE *script);

/* Each runs ABC in `dir` for at most `seconds`. 0, or PROPERTIES_BAD_TOOL and a message. */

/* Cycles 0 to depth - 1; a trace is in job.aiw. */
int properties_aig_bounded(const char *dir, unsigned depth, unsigned seconds, aig_said_t *said,
                           mrpb_err_t *err);

/* Every cycle. */
int properties_aig_always(const char *dir, unsigned seconds, aig_said_t *said, mrpb_err_t *err);

/* AIG_NEVER: one that `names` has is not reached in cycles 0 to depth - 1. */
int properties_aig_covers(const char *dir, unsigned depth, unsigned seconds, aig_said_t *said,
                          mrpb_err_t *err);

#endif
