/* SPDX-License-Identifier: Apache-2.0 */
/* What a verdict of `mrpb conform` says of its own reach. */
#ifndef CONFORM_VERDICT_H
#define CONFORM_VERDICT_H

#include "verify/conform/play.h"

/* Clauses that nothing is mapped for, as bits of their numbers: they are not looked at. */
uint32_t conform_verdict_unseen(const conform_has_t *has);
/* "; not promised: order". */
void conform_verdict_off(FILE *out, uint32_t off);
/* "; not visible through the map: refusal". */
void conform_verdict_not_seen(FILE *out, const conform_setup_t *s);
/* What was offered, assumed and withheld, a line each; `seen` NULL: a proof, which has no numbers. */
void conform_verdict_reach(FILE *out, const conform_setup_t *s, const conform_seen_t *seen);

#endif
