/* SPDX-License-Identifier: Apache-2.0 */
/* And-inverter graph with structural hashing: both sides of a proof are built in the same graph.
 *
 * A literal is twice a node plus 1 if inverted; AIG_FALSE and AIG_TRUE are the constant. Nodes are
 * only added, so a literal stays valid. Running out of memory ends the process (exit
 * PROVE_NO_MEMORY), because an incomplete graph would prove anything. */
#ifndef PROVE_AIG_H
#define PROVE_AIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The exit code of a process that runs out of memory: PROVE_BAD_TOOL. */
enum { PROVE_NO_MEMORY = 5 };

typedef uint32_t lit_t;
enum { AIG_FALSE = 0, AIG_TRUE = 1 };

typedef struct aig aig_t;

aig_t *aig_open(void);
void aig_close(aig_t *g);

/* A new variable. */
lit_t aig_input(aig_t *g);
uint32_t aig_inputs(const aig_t *g);
/* Index of a variable's literal in the order of aig_input. */
uint32_t aig_input_number(const aig_t *g, lit_t a);
uint32_t aig_nodes(const aig_t *g);
/* True if the node is an AND; *a and *b are its fan-ins. */
bool aig_fanins(const aig_t *g, uint32_t node, lit_t *a, lit_t *b);

static inline lit_t aig_not(lit_t a) {
  return a ^ 1;
}
static inline bool aig_is_const(lit_t a) {
  return a <= AIG_TRUE;
}
lit_t aig_and(aig_t *g, lit_t a, lit_t b);
static inline lit_t aig_or(aig_t *g, lit_t a, lit_t b) {
  return aig_not(aig_and(g, aig_not(a), aig_not(b)));
}
lit_t aig_xor(aig_t *g, lit_t a, lit_t b);
/* c ? t : e */
lit_t aig_mux(aig_t *g, lit_t c, lit_t t, lit_t e);

/* Distinguishes two paths of disjoint conditions, one of which is taken. Returns a literal that is
 * true on `a` and false on `b`, the simplest that the graph shows. */
lit_t aig_choice(const aig_t *g, lit_t a, lit_t b);

/* Computes the values of all nodes for 64 assignments at once: `in` has a word for each variable in
 * the order of aig_input, `node` one for each node (aig_nodes of them). */
void aig_simulate(const aig_t *g, const uint64_t *in, uint64_t *node);
static inline uint64_t aig_value(const uint64_t *node, lit_t a) {
  return node[a >> 1] ^ (a & 1 ? UINT64_MAX : 0);
}

/* Writes the cone of `out` as binary AIGER; false if writing failed. Its inputs are the variables
 * that occur in it: `inputs` (room for aig_inputs) receives their numbers, `n_inputs` their count,
 * and `ands` the number of AND nodes. */
bool aig_write(const aig_t *g, const lit_t *out, uint32_t n_out, FILE *file, uint32_t *inputs,
               uint32_t *n_inputs, uint32_t *ands);

/* malloc and realloc that end the process if out of memory (see above). */
void *prove_alloc(size_t size);
void *prove_grow(void *old, size_t size);
/* Like base/grow.h, but ends the process if out of memory. */
void *prove_room(void *old, size_t n, size_t *room, size_t size);

#endif
