/* SPDX-License-Identifier: Apache-2.0 */
/* A question about a graph as clauses: the second form of what aig_write writes, made without it.
 *
 * A node of the graph becomes a variable, unless it is an AND that only one other AND uses: those
 * are one clause more of that one. A multiplexer, and so an exclusive or, is one variable. */
#ifndef PROVE_CNF_H
#define PROVE_CNF_H

#include "verify/prove/aig.h"

/* Writes to `file`, in the incremental DIMACS that cadical reads ("p inccnf"), whether one of the
 * `n` literals `bad` can be true where `given` is: a cube for each, so that they are decided in
 * this order, and what one shows is known to the next. Variable i + 1 is that of the graph whose
 * number (aig_input_number) is inputs[i]: `inputs` has room for aig_inputs and gets those that
 * occur, `n_inputs` how many they are, `ands` the number of AND nodes that the question is about.
 * False if writing failed. */
bool cnf_write(const aig_t *g, lit_t given, const lit_t *bad, uint32_t n, FILE *file,
               uint32_t *inputs, uint32_t *n_inputs, uint32_t *ands);

#endif
