/* SPDX-License-Identifier: Apache-2.0 */
/* Plays a recorded stimulus in lockstep: the C model and the Verilog run from power-up with the
 * recorded inputs. */
#ifndef COSIM_PLAY_H
#define COSIM_PLAY_H

#include "cosim/lockstep/lockstep.h"
#include "cosim/vectors/vectors.h"

typedef struct {
  bool differs;
  bool regs;      /* registers after the edge (or a check of the Verilog), else outputs before it */
  uint64_t cycle; /* of the first difference, else the number of cycles */
} play_t;

/* Called in every cycle between comb and edge; `ctx` is the caller's. */
typedef void (*play_fn)(void *ctx, const lockstep_t *ls);

/* Plays cycles 0..n-1 of `v` on a fresh lockstep instance, and stops at the first difference.
 * `each` may be NULL. */
play_t play_on(lockstep_t *ls, const vectors_t *v, play_fn each, void *ctx);

/* The same with its own instance. Returns 0, or -1 and a message in err. */
int play_run(play_t *play, const vectors_t *v, const rtl_lib_t *lib, mrpb_err_t *err);

#endif
