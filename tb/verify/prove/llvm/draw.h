/* SPDX-License-Identifier: Apache-2.0 */
/* Random values with the edges of every width among them. */
#ifndef PROVE_DRAW_H
#define PROVE_DRAW_H

#include "module.h"
#include "prng.h"

/* How one run of a model is driven: phases in which valid signals come often or seldom. */
typedef struct {
  prng_t prng;
  unsigned left;                       /* cycles of this phase */
  unsigned permille[MODULE_MAX_PORTS]; /* of a port of one bit */
} draw_t;

/* One of 0, all ones, the sign bit, a single bit, a small number, and any: `width` bits from 1 to
 * 64. */
uint64_t draw_value(prng_t *p, unsigned width);

/* The inputs of the next cycle over those of the last one: `n` ports in `words`. */
void draw_inputs(draw_t *d, const module_port_t *port, unsigned n, uint64_t *words);

#endif
