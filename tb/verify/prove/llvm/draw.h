/* SPDX-License-Identifier: Apache-2.0 */
/* Random values that include the corner values of every width. */
#ifndef PROVE_DRAW_H
#define PROVE_DRAW_H

#include "module.h"
#include "prng.h"

/* The random drive of one run of a model: phases in which valid signals are frequent or rare. */
typedef struct {
  prng_t prng;
  unsigned left;                       /* remaining cycles of this phase */
  unsigned permille[MODULE_MAX_PORTS]; /* for each port of one bit */
} draw_t;

/* Returns 0, all ones, the sign bit, a single bit, a small number, or any value: `width` bits, 1 to
 * 64. */
uint64_t draw_value(prng_t *p, unsigned width);

/* Replaces the inputs of the last cycle by those of the next: `n` ports in `words`. */
void draw_inputs(draw_t *d, const module_port_t *port, unsigned n, uint64_t *words);

#endif
