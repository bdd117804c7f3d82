/* SPDX-License-Identifier: Apache-2.0 */
/* A design and the abstract model, clocked together; stimuli as data. */
#ifndef CONFORM_PLAY_H
#define CONFORM_PLAY_H

#include "base/hang.h"
#include "verilog/load/lib.h"
#include "verify/conform/env.h"

/* What is played against; `lib` outlives it. */
typedef struct {
  const rtl_lib_t *lib;
  conform_cfg_t cfg;
  conform_has_t has;
  uint32_t off;
  const bind_t *bind; /* what the map says */
  hang_t *hang;       /* watches the calls; NULL: nobody does */
} conform_setup_t;

/* Inputs from power-up on, and the seed of the power-up state. */
typedef struct {
  uint64_t seed;
  size_t n, room;
  conform_in_t *in;
} conform_case_t;

typedef struct conform_play conform_play_t;

/* NULL without memory. */
conform_play_t *conform_play_open(const conform_setup_t *setup, uint64_t seed);
void conform_play_close(conform_play_t *p);
/* One cycle with legal inputs: false if a clause is broken. */
bool conform_play_cycle(conform_play_t *p, const conform_in_t *in);
conform_model_t *conform_play_model(conform_play_t *p);
const conform_out_t *conform_play_out(const conform_play_t *p);

/* Up to `cycles` random cycles; `c`, with room for them, gets the inputs. True if a clause is broken: in
 * the last of c->n cycles; `broken` gets the model's state then (may be NULL). -1 without memory. */
int conform_play_random(const conform_setup_t *setup, conform_case_t *c, uint64_t seed,
                        size_t cycles, conform_model_t *broken);

/* Plays a case; inputs that are not legal are made so, in `c`, which is cut after the cycle that breaks a
 * clause. 1 if one is broken, 0, -1 without memory. */
int conform_play_case(const conform_setup_t *setup, conform_case_t *c, conform_model_t *broken);

#endif
