/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of a path: cores and a memory with adversarial timing, in phases
 * (docs/conform/path.md, "Runs"). It looks at the abstract model, never at the design. */
#ifndef PATH_ENV_H
#define PATH_ENV_H

#include "verify/path/model.h"

#include "prng.h"

enum { PATH_POOL = 64, PATH_EPISODE = 1 << 13, PATH_LONGEST = 1 << 16 };

typedef struct {
  prng_t rng;
  uint64_t pool[PATH_POOL]; /* lines */
  unsigned n_pool, left;    /* lines in the pool; cycles left of the phase */
  /* Per 1000: cycles with requests, answers taken, requests to memory taken, a flush, a reset;
   * lanes; stores; stores of part of a word; requests around the cache; requests again of the
   * last word, and of a line that is being fetched; refused requests that stay. */
  unsigned request, ready, mem_ready, flush, reset, lane, store, part, bypass, again, fetched, stay;
  bool shun;            /* no request is of a line that an unanswered one is of */
  unsigned lanes;       /* how they are spread: see env.c */
  unsigned least, most; /* cycles that memory takes */
  unsigned order;       /* in which it answers */
  unsigned burst;       /* it waits until so many are outstanding; 0: never */
  bool pouring;
  unsigned resetting;
  bool steady; /* no reset after the first one */
  uint64_t last, tag;
} path_env_t;

void path_env_start(path_env_t *e, uint64_t seed, size_t cycles);
/* Draws the inputs of the next cycle; they are legal in the model's state. */
void path_env_next(path_env_t *e, path_model_t *m, path_in_t *in);

#endif
