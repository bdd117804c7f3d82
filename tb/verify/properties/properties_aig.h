/* SPDX-License-Identifier: Apache-2.0 */
/* Asks ABC about a user's design, with nothing known about its registers, as an and-inverter graph.
 * First comes a search of some cycles, then all cycles at once by property directed reachability,
 * which finds the invariant itself (Een, Mishchenko and Brayton, FMCAD 2011).
 * docs/verify/properties.md */
#ifndef PROPERTIES_AIG_H
#define PROPERTIES_AIG_H

#include "err.h"

#include <stdio.h>

enum { AIG_NAMES = 512 };

typedef struct {
  enum { AIG_UNKNOWN, AIG_NEVER, AIG_BAD } verdict;
  /* AIG_BAD: the cycle that breaks a property; AIG_UNKNOWN: how many cycles were searched. */
  unsigned cycle;
  char names[AIG_NAMES]; /* properties_aig_covers: those not reached */
} aig_said_t;

/* Write Yosys' commands that follow those for the logic of job.smt2. They make job.aig, its map for
 * a trace, and covers.aig. Unknown values become inputs, the same in both. `root` is the project's
 * folder. */
void properties_aig_script_before(FILE *script);
void properties_aig_script(const char *root, FILE *script);
/* A newer Yosys (0.52) ends the map with the line "ninitff N", which its own yosys-smtbmc does not
 * read, and on which nothing depends. Removes it, if Yosys has written a map. Returns
 * PROPERTIES_HOLD, or PROPERTIES_BAD_TOOL and a message in err. */
int properties_aig_map(const char *dir, mrpb_err_t *err);

/* Each of these runs ABC in `dir` for at most `seconds`. Returns 0, or PROPERTIES_BAD_TOOL and a
 * message in err. */

/* Searches cycles 0 to depth - 1; a trace is written to job.aiw. */
int properties_aig_bounded(const char *dir, unsigned depth, unsigned seconds, aig_said_t *said,
                           mrpb_err_t *err);

/* Decides every cycle. */
int properties_aig_always(const char *dir, unsigned seconds, aig_said_t *said, mrpb_err_t *err);

/* Searches cycles 0 to depth - 1 for each cover. AIG_NEVER: a cover in `names` is not reached
 * there. */
int properties_aig_covers(const char *dir, unsigned depth, unsigned seconds, aig_said_t *said,
                          mrpb_err_t *err);

#endif
