/* SPDX-License-Identifier: Apache-2.0 */
/* What each file of this folder gives to the prover. Such a file includes the C model's own source,
 * so that it sees the structure behind the pointer. It is compiled by clang for the proof and is
 * part of no program.
 *
 *   REGISTERS(stem)         the ports table's registers, as the model itself lists them
 *   <stem>_derive(self)     computes the model's other members from the registers; left out if
 *                           there are none
 *   <stem>_private(self, p) lists the parts that depend on more than the registers and returns
 *                           their number; any value that the invariant allows is assumed
 *   <stem>_rounds(self)     bound for loops that end by data, proved to be sufficient
 *   <stem>_inv(self)        the invariant of every reachable state; left out if it is always
 * true */
#ifndef PROVE_INV_H
#define PROVE_INV_H

#include "module.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  void *data;
  uint64_t bytes;
} private_t;

#define REGISTERS(stem)                                                                            \
  unsigned stem##_registers(const void *self, module_reg_t *regs);                                 \
  unsigned stem##_registers(const void *self, module_reg_t *regs) {                                \
    stem##_class.regs(self, regs);                                                                 \
    return stem##_class.n_regs;                                                                    \
  }

#endif
