/* SPDX-License-Identifier: Apache-2.0 */
/* What a verdict of `mrpb conform` says about its own reach. */
#ifndef CONTRACT_VERDICT_H
#define CONTRACT_VERDICT_H

#include "verify/contract/play.h"

/* Prints "; not promised: order". */
void contract_verdict_off(FILE *out, const contract_setup_t *s);
/* Prints "; not visible through the map: refusal". */
void contract_verdict_not_seen(FILE *out, const contract_setup_t *s);
/* Prints what was offered, assumed and withheld, one line each. `seen` is NULL for a proof, which
 * has no numbers. */
void contract_verdict_reach(FILE *out, const contract_setup_t *s, const void *seen);

#endif
