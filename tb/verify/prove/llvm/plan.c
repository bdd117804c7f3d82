/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/plan.h"

#include <stdlib.h>
#include <string.h>

/* A node of the part: an AND of two literals in the part's own numbering, or a variable. */
typedef struct {
  lit_t a, b;
} step_t;

struct plan {
  uint32_t *number; /* by node of the graph; 0: the constant, or not wanted */
  uint32_t n_inputs, n;
  uint32_t *input; /* the first n_inputs nodes after the constant are these variables */
  step_t *step;    /* the nodes after those */
  uint64_t *value;
};

static lit_t renumber(const plan_t *p, lit_t a) {
  return 2 * p->number[a >> 1] + (a & 1);
}

/* Sets 1 for each node that is needed. */
static void mark(const aig_t *g, plan_t *p, const lit_t *wanted, size_t n) {
  lit_t a, b;
  for (size_t i = 0; i < n; i++) p->number[wanted[i] >> 1] = 1;
  for (uint32_t i = aig_nodes(g); i-- > 1;)
    if (p->number[i] && aig_fanins(g, i, &a, &b)) p->number[a >> 1] = p->number[b >> 1] = 1;
  p->number[0] = 0;
}

plan_t *plan_net_open(const aig_t *g, const lit_t *wanted, size_t n) {
  const uint32_t nodes = aig_nodes(g);
  uint32_t next = 1;
  lit_t a, b;
  plan_t *p = prove_alloc(sizeof *p);
  *p = (plan_t){.number = prove_alloc(nodes * sizeof *p->number),
                .input = prove_alloc(aig_inputs(g) * sizeof *p->input),
                .step = prove_alloc(nodes * sizeof *p->step)};
  memset(p->number, 0, nodes * sizeof *p->number);
  mark(g, p, wanted, n);
  for (uint32_t i = 1; i < nodes; i++)
    if (p->number[i] && !aig_fanins(g, i, &a, &b)) {
      p->input[p->n_inputs++] = aig_input_number(g, 2 * i);
      p->number[i] = next++;
    }
  for (uint32_t i = 1; i < nodes; i++)
    if (p->number[i] && aig_fanins(g, i, &a, &b)) {
      p->step[p->n++] = (step_t){renumber(p, a), renumber(p, b)};
      p->number[i] = next++;
    }
  p->value = prove_alloc(next * sizeof *p->value);
  return p;
}

void plan_net_close(plan_t *p) {
  if (!p) return;
  free(p->number);
  free(p->input);
  free(p->step);
  free(p->value);
  free(p);
}

void plan_run(plan_t *p, const uint64_t *in) {
  uint64_t *v = p->value;
  *v++ = 0;
  for (uint32_t i = 0; i < p->n_inputs; i++) *v++ = in[p->input[i]];
  for (uint32_t i = 0; i < p->n; i++)
    *v++ = aig_value(p->value, p->step[i].a) & aig_value(p->value, p->step[i].b);
}

uint64_t plan_value(const plan_t *p, lit_t a) {
  return aig_value(p->value, renumber(p, a));
}
