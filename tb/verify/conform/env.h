/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of a table: random inputs in phases of adversarial timing. It looks at the abstract
 * model, never at the design. */
#ifndef CONFORM_ENV_H
#define CONFORM_ENV_H

#include "verify/conform/model.h"

#include "prng.h"

enum { CONFORM_POOL = 1024, CONFORM_EPISODE = 1 << 14, CONFORM_LONGEST = (1 << 17) + (1 << 14) };

typedef struct {
  prng_t rng;
  uint64_t pool[CONFORM_POOL]; /* lines that are read */
  unsigned n_pool, left;       /* of them; cycles of the phase */
  /* Of 1000 cycles: those with a read, a fill, answers taken, requests taken, a reset. */
  unsigned read, fill, ready, line, reset, again;
  unsigned order; /* of the fills: see env.c */
  bool burst;     /* lines are held back until the table is full, then all come */
  bool pouring;
  unsigned resetting;
  bool steady; /* no reset after the first, and long phases */
  uint64_t last_fill, tag, cycles;
} conform_env_t;

/* `cycles` of an episode: in a long one there are long phases, and no reset after its beginning. */
void conform_env_start(conform_env_t *e, uint64_t seed, size_t cycles);
/* The inputs of the next cycle, legal in the model's state. */
void conform_env_next(conform_env_t *e, conform_model_t *m, conform_in_t *in);

#endif
