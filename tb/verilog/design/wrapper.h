/* SPDX-License-Identifier: Apache-2.0 */
/* A module of ours around a design of theirs. docs/verify/door.md */
#ifndef DESIGN_WRAPPER_H
#define DESIGN_WRAPPER_H

#include "verilog/design/bind.h"

#include <stdio.h>

/* Writes module `cls->stem` with our ports and parameters, in which theirs is the instance u_dut; registers that the
 * map names are wires of our names and shapes, for Verilator alone. Messages of tools about a line of the map
 * name that line. */
void wrapper_write(const bind_t *b, const bind_param_t *param, unsigned n_params, FILE *f);

/* Whether a wave shows port `i` of theirs, and the list of these for the shim (THEIRS, theirs.h), in their order. */
enum { WRAPPER_WIDEST = 1024 };
bool wrapper_shows(const bind_t *b, unsigned i);
void wrapper_theirs(const bind_t *b, FILE *f);

#endif
