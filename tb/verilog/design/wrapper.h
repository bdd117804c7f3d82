/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a module with our ports around a user's design. docs/verify/door.md */
#ifndef DESIGN_WRAPPER_H
#define DESIGN_WRAPPER_H

#include "verilog/design/bind.h"

#include <stdio.h>

/* Writes module `cls->stem` with our ports and parameters and the design as the instance u_dut.
 * Registers that the map names are wires with our names and shapes, for Verilator only. A tool's
 * message about a line of the map names that line. */
void wrapper_write(const bind_t *b, const bind_param_t *param, unsigned n_params, FILE *f);

/* wrapper_shows: whether a wave shows the design's port `i`. wrapper_theirs: writes the list of
 * these ports, and then of the map's `show` signals, for the shim (THEIRS, theirs.h), each in their
 * order. */
enum { WRAPPER_WIDEST = 2048 };
bool wrapper_shows(const bind_t *b, unsigned i);
void wrapper_theirs(const bind_t *b, FILE *f);

#endif
