/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/cnf.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE = 64 }; /* maximum of literals of one AND */

/* How often the cone uses a node. */
enum { UNUSED, ONCE, MANY };

typedef struct {
  const aig_t *g;
  FILE *file;
  uint8_t *use;     /* number of nodes in the cone that use it: UNUSED, ONCE, MANY */
  uint8_t *root;    /* nonzero if it has a variable */
  uint32_t *number; /* that variable */
} cnf_t;

static bool gate(const cnf_t *c, lit_t x, lit_t *a, lit_t *b) {
  return aig_fanins(c->g, x >> 1, a, b);
}

/* !(when yes) !(!when no), which is when ? !yes : !no. */
static bool choice(const cnf_t *c, uint32_t node, lit_t *when, lit_t *yes, lit_t *no) {
  lit_t a, b, p[2], q[2];
  if (!gate(c, 2 * node, &a, &b) || !(a & 1) || !(b & 1)) return false;
  if (!gate(c, a, &p[0], &p[1]) || !gate(c, b, &q[0], &q[1])) return false;
  for (unsigned i = 0; i < 4; i++) {
    if (p[i & 1] != aig_not(q[i >> 1])) continue;
    *when = p[i & 1];
    *yes = p[1 - (i & 1)];
    *no = q[1 - (i >> 1)];
    return true;
  }
  return false;
}

/* The inputs of an AND that is no multiplexer, collected through ANDs that no other node uses. */
static unsigned leaves(const cnf_t *c, uint32_t node, lit_t leaf[WIDE]) {
  lit_t a, b, when, yes, no;
  unsigned n = 0, done = 0;
  gate(c, 2 * node, &leaf[0], &leaf[1]);
  for (n = 2; done < n;) {
    lit_t x = leaf[done];
    bool inner = n < WIDE && !(x & 1) && c->use[x >> 1] == ONCE && gate(c, x, &a, &b) &&
                 !choice(c, x >> 1, &when, &yes, &no);
    if (!inner) {
      done++;
      continue;
    }
    leaf[done] = a;
    leaf[n++] = b;
  }
  return n;
}

static void count_uses(cnf_t *c) {
  lit_t in[2];
  for (uint32_t i = aig_nodes(c->g); i-- > 1;) {
    if (c->use[i] == UNUSED || !gate(c, 2 * i, &in[0], &in[1])) continue;
    for (unsigned k = 0; k < 2; k++)
      c->use[in[k] >> 1] = c->use[in[k] >> 1] == UNUSED ? ONCE : MANY;
  }
}

static void find_roots(cnf_t *c) {
  lit_t leaf[WIDE];
  for (uint32_t i = aig_nodes(c->g); i-- > 1;) {
    unsigned many = 0;
    if (!c->root[i] || !gate(c, 2 * i, &leaf[0], &leaf[1])) continue;
    if (choice(c, i, &leaf[0], &leaf[1], &leaf[2]))
      many = 3;
    else
      many = leaves(c, i, leaf);
    for (unsigned k = 0; k < many; k++) c->root[leaf[k] >> 1] = 1;
  }
}

static uint32_t number_roots(cnf_t *c, uint32_t *inputs, uint32_t *n_inputs) {
  uint32_t next = 1;
  lit_t a, b;
  *n_inputs = 0;
  for (uint32_t i = 1; i < aig_nodes(c->g); i++) {
    if (!c->root[i] || gate(c, 2 * i, &a, &b)) continue;
    inputs[(*n_inputs)++] = aig_input_number(c->g, 2 * i);
    c->number[i] = next++;
  }
  for (uint32_t i = 1; i < aig_nodes(c->g); i++)
    if (c->root[i] && gate(c, 2 * i, &a, &b)) c->number[i] = next++;
  c->number[0] = next++; /* the constant, in case it is asked for */
  return next - 1;
}

static void put(const cnf_t *c, lit_t x) {
  fprintf(c->file, "%s%u ", x & 1 ? "-" : "", c->number[x >> 1]);
}

static void clause3(const cnf_t *c, lit_t x, lit_t y, lit_t z) {
  put(c, x);
  put(c, y);
  put(c, z);
  fputs("0\n", c->file);
}

static void write_node(const cnf_t *c, uint32_t node) {
  lit_t leaf[WIDE], when, yes, no, out = 2 * node;
  if (choice(c, node, &when, &yes, &no)) {
    clause3(c, aig_not(when), yes, out);
    clause3(c, aig_not(when), aig_not(yes), aig_not(out));
    clause3(c, when, no, out);
    clause3(c, when, aig_not(no), aig_not(out));
    if (yes == aig_not(no)) return;
    clause3(c, yes, no, out); /* follow from these four, and save the solver a case */
    clause3(c, aig_not(yes), aig_not(no), aig_not(out));
    return;
  }
  unsigned n = leaves(c, node, leaf);
  for (unsigned k = 0; k < n; k++) {
    put(c, leaf[k]);
    put(c, aig_not(out));
    fputs("0\n", c->file);
  }
  for (unsigned k = 0; k < n; k++) put(c, aig_not(leaf[k]));
  put(c, out);
  fputs("0\n", c->file);
}

/* The literals that are asked about get variables of their own. */
static void ask(cnf_t *c, lit_t x) {
  c->use[x >> 1] = MANY;
  c->root[x >> 1] = 1;
}

bool cnf_write(const aig_t *g, lit_t given, const lit_t *bad, uint32_t n, FILE *file,
               uint32_t *inputs, uint32_t *n_inputs, uint32_t *ands) {
  const uint32_t nodes = aig_nodes(g);
  cnf_t c = {g, file, prove_alloc(nodes), prove_alloc(nodes),
             prove_alloc(nodes * sizeof *c.number)};
  lit_t a, b;
  memset(c.use, UNUSED, nodes);
  memset(c.root, 0, nodes);
  ask(&c, given);
  for (uint32_t i = 0; i < n; i++) ask(&c, bad[i]);
  count_uses(&c);
  find_roots(&c);
  uint32_t truth = number_roots(&c, inputs, n_inputs);
  fprintf(file, "p inccnf\n-%u 0\n", truth);
  put(&c, given);
  fputs("0\n", file);
  *ands = 0;
  for (uint32_t i = 1; i < nodes; i++) {
    if (c.use[i] == UNUSED || !gate(&c, 2 * i, &a, &b)) continue;
    ++*ands;
    if (c.root[i]) write_node(&c, i);
  }
  for (uint32_t i = 0; i < n; i++) {
    fputs("a ", file);
    put(&c, bad[i]);
    fputs("0\n", file);
  }
  free(c.use);
  free(c.root);
  free(c.number);
  return fflush(file) == 0 && ferror(file) == 0;
}
