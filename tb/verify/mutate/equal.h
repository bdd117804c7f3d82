/* SPDX-License-Identifier: Apache-2.0 */
/* Is a mutant that nothing has killed the same machine? The netlist twice, once with the mutant
 * active, the same inputs: ABC proves that no output and no register ever differs, or finds the
 * cycles to a difference. */
#ifndef MUTATE_EQUAL_H
#define MUTATE_EQUAL_H

#include "verify/mutate/mutants.h"

typedef enum { EQUAL_PROVED, EQUAL_DIFFERS, EQUAL_UNDECIDED, EQUAL_FAILED } equal_t;

/* From registers that are 0 and a cycle of reset, for all inputs of any length.
 * `cycles` gets the number of cycles of the difference. EQUAL_UNDECIDED after `seconds`;
 * EQUAL_FAILED and a message if yosys or berkeley-abc cannot be run. */
equal_t equal_decide(const mutants_t *m, unsigned number, unsigned seconds, unsigned *cycles,
                     mrpb_err_t *err);

#endif
