/* SPDX-License-Identifier: Apache-2.0 */
/* A register that differs because the Verilog never set it: hardware powers up with anything, the C
 * models with 0. */
#ifndef COSIM_UNSET_H
#define COSIM_UNSET_H

#include "cosim/vectors/vectors.h"
#include "verilog/load/lib.h"

/* Plays `v`, whose last cycle ends with a difference of registers, from other power-up states. True
 * if what differs first is each time what the Verilog powered up with: nothing has written it, and
 * `name` (of `size` bytes) is the register. Never of a design of the user's: there a bit that nothing has
 * written is not compared (lockstep/foreign.h). */
bool unset_register(const vectors_t *v, const rtl_lib_t *lib, char *name, size_t size);

#endif
