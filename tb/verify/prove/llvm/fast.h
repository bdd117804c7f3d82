/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that simulations call besides comb and edge, held to them by proof. */
#ifndef PROVE_FAST_H
#define PROVE_FAST_H

#include "verify/prove/llvm/prove.h"

/* For every state that satisfies the invariant and every input: each view gives the outputs of comb
 * and changes nothing, the step gives all outputs of comb and leaves every byte as edge does.
 * `after` is `state` after edge; s->out_c and s->inv are set. 0 or an exit code and a message. */
int fast_check(sides_t *s, mem_t *state, const mem_t *after, mrpb_err_t *err);

/* What create makes is the state after a reset: runs begin without one. */
int fast_check_made(sides_t *s, mrpb_err_t *err);

#endif
