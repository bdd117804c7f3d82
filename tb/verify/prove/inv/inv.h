/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of this folder gives to the prover: it includes the C model's own source (so that it
 * sees the structure behind the pointer) and goes with it through clang, not into any program.
 *
 *   REGISTERS(stem)         the ports table's registers, as the model itself lists them
 *   <stem>_derive(self)     sets what the model holds besides, from the registers; left out if that
 * is nothing <stem>_private(self, p) lists what depends on more than the registers: any value is
 * assumed that the invariant allows; returns the number of parts <stem>_rounds(self)     bound for
 * loops that end by data, proved to be enough <stem>_inv(self)        what holds in every reachable
 * state; left out if that is everything */
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
