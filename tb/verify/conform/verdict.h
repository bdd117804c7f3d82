/* SPDX-License-Identifier: Apache-2.0 */
/* What a verdict of `mrpb conform` says about its own reach. */
#ifndef CONFORM_VERDICT_H
#define CONFORM_VERDICT_H

#include "verify/conform/play.h"

/* The clauses that are not checked because nothing is mapped for them, as bits of their numbers. */
uint32_t conform_verdict_unseen(const conform_has_t *has);
/* Prints "; not promised: order". */
void conform_verdict_off(FILE *out, uint32_t off);
/* Prints "; not visible through the map: refusal". */
void conform_verdict_not_seen(FILE *out, const conform_setup_t *s);
/* Prints what was offered, assumed and withheld, one line each. `seen` is NULL for a proof, which
 * has no numbers. */
void conform_verdict_reach(FILE *out, const conform_setup_t *s, const conform_seen_t *seen);

#endif
