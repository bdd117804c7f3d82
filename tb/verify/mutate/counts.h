/* SPDX-License-Identifier: Apache-2.0 */
/* Which outputs of a user's design are compared and when, as Verilog for a miter.
 * docs/verify/door.md */
#ifndef MUTATE_COUNTS_H
#define MUTATE_COUNTS_H

#include "verilog/design/bind.h"

#include <stdio.h>

/* Writes a module `counts_I` for each output I that has a condition. Its inputs are our ports; its
 * output is `counts`. */
void counts_modules(const bind_t *b, FILE *f);
/* Writes, inside the miter, a wire `count_I` for each output, which is 1 in the cycles in which the
 * output counts. The miter's wires have the names of our inputs, and `good_NAME` for our
 * outputs. */
void counts_wires(const bind_t *b, FILE *f);

#endif
