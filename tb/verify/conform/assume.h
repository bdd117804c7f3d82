/* SPDX-License-Identifier: Apache-2.0 */
/* What a map takes for granted: docs/conform/README.md, "The verdict". */
#ifndef CONFORM_ASSUME_H
#define CONFORM_ASSUME_H

#include "verilog/design/bind.h"

/* A line for each statement of the map that is more than wiring. */
void conform_assume_print(FILE *out, const bind_t *b);

#endif
