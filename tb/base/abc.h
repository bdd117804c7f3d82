/* SPDX-License-Identifier: Apache-2.0 */
/* ABC's program: Debian 12 has it as berkeley-abc, Debian 13 as yosys-abc. */
#ifndef BASE_ABC_H
#define BASE_ABC_H

#include <stdbool.h>

/* "berkeley-abc", or "yosys-abc" where PATH has that one alone. */
const char *abc_program(void);

/* Behind `pdr`: a newer ABC says UNDECIDED of an output that a sweep before it has made the
 * constant 0. Such a graph has no latches any more, and a question to the solver decides it; of
 * any other graph dsat says that it is not for it. */
#define ABC_SWEPT "; dsat"

/* What `pdr` and ABC_SWEPT said: the output is never 1. */
bool abc_proved(const char *text);

#endif
