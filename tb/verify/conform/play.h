/* SPDX-License-Identifier: Apache-2.0 */
/* A design and the abstract model, clocked together, with stimuli as data. */
#ifndef CONFORM_PLAY_H
#define CONFORM_PLAY_H

#include "base/hang.h"
#include "verilog/load/lib.h"
#include "verify/conform/env.h"

/* The design under test; `lib` outlives it. */
typedef struct {
  const rtl_lib_t *lib;
  conform_cfg_t cfg;
  conform_has_t has;
  uint32_t off;
  const bind_t *bind; /* the map, bound to the design */
  hang_t *hang;       /* the watchdog of the calls; NULL: none */
} conform_setup_t;

/* The inputs from power-up on, and the seed of the power-up state. */
typedef struct {
  uint64_t seed;
  size_t n, room;
  conform_in_t *in;
} conform_case_t;

typedef struct conform_play conform_play_t;

/* NULL if out of memory. */
conform_play_t *conform_play_open(const conform_setup_t *setup, uint64_t seed);
void conform_play_close(conform_play_t *p);
/* Plays one cycle with legal inputs. Returns false if a clause is broken. */
bool conform_play_cycle(conform_play_t *p, const conform_in_t *in);
conform_model_t *conform_play_model(conform_play_t *p);
const conform_out_t *conform_play_out(const conform_play_t *p);

/* Plays up to `cycles` random cycles and records the inputs in `c`, which must have room for them.
 * Returns 1 if a clause is broken, in the last of the c->n cycles; `broken` (may be NULL) then gets
 * the model's state. Returns 0 if none is broken, -1 if out of memory. */
int conform_play_random(const conform_setup_t *setup, conform_case_t *c, uint64_t seed,
                        size_t cycles, conform_model_t *broken);

/* Plays a case. Illegal inputs are made legal in `c`, which is cut after the cycle that breaks a
 * clause. Returns 1 if one is broken, 0 if none is, -1 if out of memory. */
int conform_play_case(const conform_setup_t *setup, conform_case_t *c, conform_model_t *broken);

#endif
