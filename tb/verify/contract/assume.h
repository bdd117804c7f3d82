/* SPDX-License-Identifier: Apache-2.0 */
/* What a map assumes about the design's surroundings: docs/conform/README.md, "The verdict". */
#ifndef CONTRACT_ASSUME_H
#define CONTRACT_ASSUME_H

#include "verilog/design/bind.h"

/* Prints one line for each statement of the map that is more than wiring. */
void contract_assume_print(FILE *out, const bind_t *b);

#endif
