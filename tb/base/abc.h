/* SPDX-License-Identifier: Apache-2.0 */
/* The name of the ABC program: berkeley-abc on Debian 12, yosys-abc on Debian 13. */
#ifndef BASE_ABC_H
#define BASE_ABC_H

#include <stdbool.h>

/* Returns "berkeley-abc", or "yosys-abc" if PATH has only that one. */
const char *abc_program(void);

/* To be appended to `pdr`. A newer ABC reports UNDECIDED for an output that an earlier sweep has
 * turned into the constant 0. Such a graph has no latches left, so a call of the solver (dsat)
 * decides it. dsat wants a single output (orpos) and refuses a graph with latches. */
#define ABC_SWEPT "; orpos; dsat"

/* True if `text`, the output of `pdr` and ABC_SWEPT, says that the output is never 1. */
bool abc_proved(const char *text);

#endif
