/* SPDX-License-Identifier: Apache-2.0 */
/* Long phases on top of a module's own stimulus, in one seed of ten (those that end in 0). For 2^12
 * to 2^18 cycles a source is silent, nothing happens at all, or no reset comes (without a reset,
 * twice as long in each further million cycles). It works on the inputs by their names
 * (cosim/stim/sources.h), so every module has long phases. docs/cosim.md */
#ifndef COSIM_TEMPO_H
#define COSIM_TEMPO_H

#include "cosim/stim/sources.h"
#include "cosim/stim/stim.h"

enum { TEMPO_ONE_SEED_OF = 10, TEMPO_PHASES = 13 };

typedef struct {
  bool on; /* this seed has long phases */
  const stim_class_t *stim;
  void *state; /* of the stimulus */
  sources_t sources;
  prng_t rng;
  uint8_t deck[TEMPO_PHASES]; /* each phase once, in the order in which they come */
  unsigned dealt, rounds;     /* rounds: decks before this one */
  bool within;                /* in a long phase; otherwise the stimulus runs alone */
  uint64_t left;              /* cycles left of it */
  uint32_t stalled;           /* in a stall, the silent source */
  int port;                   /* silent only while this input is `value`; -1: always */
  uint64_t value;
  unsigned next_stall; /* the source that stalls next */
} tempo_t;

void tempo_start(tempo_t *t, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
                 const stim_class_t *stim, void *state);

/* Changes the inputs that the stimulus gave for the next cycle. */
void tempo_cycle(tempo_t *t, uint64_t *in);

/* Ends the long phases. */
void tempo_end(tempo_t *t);

#endif
