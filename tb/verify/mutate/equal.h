/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a surviving mutant is equivalent. The netlist is instantiated twice with the same
 * inputs, once with the mutant active. ABC proves that no output and no register ever differs, or
 * finds the number of cycles to a difference. */
#ifndef MUTATE_EQUAL_H
#define MUTATE_EQUAL_H

#include "verify/mutate/mutants.h"

enum { EQUAL_QUOTED = 160 };

typedef enum { EQUAL_PROVED, EQUAL_DIFFERS, EQUAL_UNDECIDED, EQUAL_FAILED } equal_t;

/* Why a mutant is not proved equivalent. */
typedef struct {
  unsigned cycles; /* for EQUAL_DIFFERS: cycles to the difference */
  /* for EQUAL_UNDECIDED: the tool that gave up, and its last line; "" if none was run */
  char said[EQUAL_QUOTED];
} equal_why_t;

/* Starts from registers that are 0 and a cycle of reset, and covers all inputs of any length.
 * Returns EQUAL_UNDECIDED after `seconds`, or sooner if the tool gives up; EQUAL_FAILED and a
 * message in err if yosys or berkeley-abc cannot be run. */
equal_t equal_decide(const mutants_t *m, unsigned number, unsigned seconds, equal_why_t *why,
                     mrpb_err_t *err);

#endif
