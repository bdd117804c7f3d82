/* SPDX-License-Identifier: Apache-2.0 */
/* The first half of match_open: which register bits the names of nets propose. */
#ifndef PROVE_MATCH_NAMES_H
#define PROVE_MATCH_NAMES_H

#include "verify/prove/llvm/match.h"

/* Fills in the proposals of each flip-flop. */
void match_names(match_t *m);

#endif
