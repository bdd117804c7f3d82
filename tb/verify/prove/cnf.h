/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a question about a graph as clauses, directly from the graph. It is an independent
 * alternative to aig_write.
 *
 * A node of the graph becomes a variable, unless it is an AND with a single fan-out to an AND: such
 * a node adds a clause to that AND. A multiplexer, and so an exclusive or, becomes one variable. */
#ifndef PROVE_CNF_H
#define PROVE_CNF_H

#include "verify/prove/aig.h"

/* Writes to `file`, in the incremental DIMACS that cadical reads ("p inccnf"), the question whether
 * one of the `n` literals `bad` can be true where `given` is. There is one cube for each literal,
 * so they are decided in this order, and facts learned from one are available to the next. Variable
 * i + 1 is the graph's variable with number (aig_input_number) inputs[i]: `inputs` has room for
 * aig_inputs and receives those that occur, `n_inputs` their count, `ands` the number of AND nodes
 * in the question. False if writing failed. */
bool cnf_write(const aig_t *g, lit_t given, const lit_t *bad, uint32_t n, FILE *file,
               uint32_t *inputs, uint32_t *n_inputs, uint32_t *ands);

#endif
