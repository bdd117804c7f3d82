/* SPDX-License-Identifier: Apache-2.0 */
/* The cut memories of a netlist in the simulation that matches flip-flops: 64 instances of each. They
 * power up with zeros, as the models' do. */
#ifndef PROVE_MATCH_MEMORY_H
#define PROVE_MATCH_MEMORY_H

#include "verify/prove/llvm/plan.h"
#include "verify/prove/netlist_memory.h"

typedef struct match_memory match_memory_t;

/* Call it when the registers and inputs of `n` are set, and nothing else is evaluated. */
match_memory_t *match_memory_open(netlist_t *n, bv_ctx_t *x);
void match_memory_close(match_memory_t *t);
/* Appends what match_memory_write needs to be in the plan. */
void match_memory_want(match_memory_t *t, lit_t **wanted, size_t *n, size_t *room);

/* match_memory_read: sets the words that are read in `in`, the graph's variables. match_memory_write:
 * the clock's edge, after the plan has run. */
void match_memory_read(match_memory_t *t, uint64_t *in);
void match_memory_write(match_memory_t *t, const plan_t *plan);

#endif
