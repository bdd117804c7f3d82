/* SPDX-License-Identifier: Apache-2.0 */
/* Is a mutant that nothing has killed the same machine? The netlist twice, once with the mutant
 * active, the same inputs: ABC proves that no output and no register ever differs, or finds the
 * cycles to a difference. */
#ifndef MUTATE_EQUAL_H
#define MUTATE_EQUAL_H

#include "verify/mutate/mutants.h"

enum { EQUAL_QUOTED = 160 };

typedef enum { EQUAL_PROVED, EQUAL_DIFFERS, EQUAL_UNDECIDED, EQUAL_FAILED } equal_t;

/* What is known of one. */
typedef struct {
  unsigned cycles; /* of EQUAL_DIFFERS: those to the difference */
  char said
      [EQUAL_QUOTED]; /* of EQUAL_UNDECIDED: who gave up, and its last line; "" if nobody was asked */
} equal_why_t;

/* From registers that are 0 and a cycle of reset, for all inputs of any length. EQUAL_UNDECIDED after
 * `seconds`, or sooner if the tool gives up; EQUAL_FAILED and a message if yosys or berkeley-abc cannot be run. */
equal_t equal_decide(const mutants_t *m, unsigned number, unsigned seconds, equal_why_t *why,
                     mrpb_err_t *err);

#endif
