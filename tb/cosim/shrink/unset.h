/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a register that differs because the Verilog never set it. Hardware powers up with any
 * value, the C models with 0. */
#ifndef COSIM_UNSET_H
#define COSIM_UNSET_H

#include "cosim/vectors/vectors.h"
#include "verilog/load/lib.h"

/* Plays `v`, whose last cycle ends with a difference of registers, from other power-up states.
 * Returns true if the first difference always shows the value with which the Verilog powered up, so
 * nothing has written it; `name` (of `size` bytes) is then the register. Always false for a user's
 * design, in which a bit that nothing has written is not compared (lockstep/foreign.h). */
bool unset_register(const vectors_t *v, const rtl_lib_t *lib, char *name, size_t size);

#endif
