/* SPDX-License-Identifier: Apache-2.0 */
/* Which outputs of a design of the user's count, as Verilog for a miter. docs/verify/door.md */
#ifndef MUTATE_COUNTS_H
#define MUTATE_COUNTS_H

#include "verilog/design/bind.h"

#include <stdio.h>

/* A module `counts_I` for each output I that has a condition: inputs are our ports, its output `counts`. */
void counts_modules(const bind_t *b, FILE *f);
/* Within the miter, whose wires are our inputs, and `good_NAME` of our outputs: a wire `count_I` for each output, which
 * is 1 in the cycles in which it counts. */
void counts_wires(const bind_t *b, FILE *f);

#endif
