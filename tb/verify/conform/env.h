/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of a table: random inputs in phases with adversarial timing. It looks at the
 * abstract model, never at the design. */
#ifndef CONFORM_ENV_H
#define CONFORM_ENV_H

#include "verify/conform/model.h"

#include "prng.h"

enum { CONFORM_POOL = 1024, CONFORM_EPISODE = 1 << 14, CONFORM_LONGEST = (1 << 17) + (1 << 14) };

typedef struct {
  prng_t rng;
  uint64_t pool[CONFORM_POOL]; /* lines to read */
  unsigned n_pool, left;       /* lines in the pool; cycles left of the phase */
  /* Cycles in 1000 with a read, a fill, answers taken, requests taken, a reset; and reads in 1000
   * that read a line again that is open or has just arrived. */
  unsigned read, fill, ready, line, reset, again;
  unsigned order; /* order of the fills: see env.c */
  bool burst;     /* lines are held back until the table is full, then all arrive */
  bool pouring;
  unsigned resetting;
  bool steady; /* no reset after the first one, and long phases */
  uint64_t last_fill, tag, cycles;
} conform_env_t;

/* Starts an episode of `cycles` cycles. A long episode has long phases, and no reset after its
 * beginning. */
void conform_env_start(conform_env_t *e, uint64_t seed, size_t cycles);
/* Draws the inputs of the next cycle; they are legal in the model's state. */
void conform_env_next(conform_env_t *e, conform_model_t *m, conform_in_t *in);

#endif
