/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that the functions that simulations call besides comb and edge agree with comb and
 * edge. */
#ifndef PROVE_FAST_H
#define PROVE_FAST_H

#include "verify/prove/llvm/prove.h"

/* For every state that satisfies the invariant and every input: each view gives the outputs of comb
 * and changes nothing; the step gives all outputs of comb and leaves every byte as edge does.
 * `after` is `state` after edge; s->out_c and s->inv must be set. Returns 0, or an exit code and a
 * message in err. */
int fast_check(sides_t *s, mem_t *state, const mem_t *after, mrpb_err_t *err);

/* Checks that create makes the state that a reset makes, because runs begin without a reset. */
int fast_check_made(sides_t *s, mrpb_err_t *err);

#endif
