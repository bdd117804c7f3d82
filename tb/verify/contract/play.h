/* SPDX-License-Identifier: Apache-2.0 */
/* A design and a contract's model, clocked together, with stimuli as data. */
#ifndef CONTRACT_PLAY_H
#define CONTRACT_PLAY_H

#include "verify/contract/contract.h"

typedef struct contract_play contract_play_t;

/* NULL if out of memory. */
contract_play_t *contract_play_open(const contract_setup_t *setup, uint64_t seed);
void contract_play_close(contract_play_t *p);
/* Plays one cycle with legal inputs. Returns false if a clause is broken; a crash breaks the clause
 * of the design's own checks, and nothing can be played after it. */
bool contract_play_cycle(contract_play_t *p, const uint64_t *in);
void *contract_play_model(contract_play_t *p);
const contract_broken_t *contract_play_broken(contract_play_t *p);
const uint64_t *contract_play_out(const contract_play_t *p);

/* What a run found out. `seen` is NULL, or has the contract's seen_bytes; each play adds to it. */
typedef struct {
  contract_broken_t broken;
  void *seen;
} contract_found_t;

/* Plays up to `cycles` random cycles and records the inputs in `c`, which must have room for them.
 * Returns 1 if a clause is broken, in the last of the c->n cycles; 0 if none is, -1 if out of
 * memory. */
int contract_play_random(const contract_setup_t *setup, contract_case_t *c, uint64_t seed,
                         size_t cycles, contract_found_t *found);

/* Plays a case. Illegal inputs are made legal in `c`, which is cut after the cycle that breaks a
 * clause. Returns 1 if one is broken, 0 if none is, -1 if out of memory. */
int contract_play_case(const contract_setup_t *setup, contract_case_t *c, contract_found_t *found);

#endif
