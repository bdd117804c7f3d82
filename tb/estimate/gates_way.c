/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the longest path through the gates of a netlist. */
#include "estimate/gates.h"

#include <stdlib.h>
#include <string.h>

enum { INPUTS = 3, NOT_YET = -2, NO_WAY = -1 };

/* For each bit: the inputs of the gate that drives it, and what is known of the path to it. */
typedef struct {
  int in[INPUTS];
  int length, from; /* gates from the start; the previous bit on that path */
} node_t;

static node_t *make_nodes(const gates_t *g) {
  static const char *const pins[INPUTS] = {"A", "B", "S"};
  const char *name;
  json_t *cell;
  node_t *node = calloc((size_t)g->n_bits + 1, sizeof *node);
  if (!node) return NULL;
  for (int i = 0; i < g->n_bits; i++) node[i] = (node_t){{-1, -1, -1}, NOT_YET, -1};
  json_object_foreach(g->cells, name, cell) {
    const char *type = json_string_value(json_object_get(cell, "type"));
    int y = gates_pin(g, name, "Y");
    if (type[0] != '$' || y < 0) continue;
    for (unsigned k = 0; k < INPUTS; k++) node[y].in[k] = gates_pin(g, name, pins[k]);
  }
  return node;
}

/* Depth-first with an explicit stack, because a carry chain can be long. A bit is revisited until
 * all its inputs are known. */
static int find_lengths(node_t *node, int n, int to) {
  int *stack = calloc((size_t)n + 1, sizeof *stack);
  if (!stack) return -1;
  int depth = 0;
  stack[depth++] = to;
  while (depth > 0) {
    node_t *at = &node[stack[depth - 1]];
    int open = -1, best = NO_WAY;
    for (unsigned k = 0; k < INPUTS && open < 0; k++) {
      int in = at->in[k];
      if (in < 0) continue;
      if (node[in].length == NOT_YET) {
        open = in;
      } else if (node[in].length > best) {
        best = node[in].length;
        at->from = in;
      }
    }
    if (open >= 0 && depth < n) {
      stack[depth++] = open;
      continue;
    }
    at->length = best >= 0 ? best + 1 : NO_WAY;
    depth--;
  }
  free(stack);
  return 0;
}

int gates_way(const gates_t *g, int from, int to, int **way) {
  *way = NULL;
  if (from < 0 || to < 0 || from >= g->n_bits || to >= g->n_bits) return 0;
  node_t *node = make_nodes(g);
  if (!node) return -1;
  node[from].length = 0;
  node[from].from = -1;
  if (from != to && find_lengths(node, g->n_bits, to) != 0) {
    free(node);
    return -1;
  }
  int n = node[to].length + 1;
  if (n > 0) *way = calloc((size_t)n, sizeof **way);
  int rc = n > 0 && *way ? n : n > 0 ? -1 : 0;
  for (int at = to; rc > 0 && n > 0; at = node[at].from) (*way)[--n] = at;
  free(node);
  return rc;
}
