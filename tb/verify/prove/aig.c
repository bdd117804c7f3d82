/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/aig.h"

#include "base/grow.h"
#include <stdlib.h>
#include <string.h>

/* Node 0 is the constant. An input has INPUT in place of both fan-ins, and its number in b. */
#define INPUT UINT32_MAX

typedef struct {
  lit_t a, b; /* a > b for an AND */
} node_t;

struct aig {
  node_t *node;
  uint32_t n, room;
  uint32_t *table, mask; /* open addressing; 0 is an empty slot */
  uint32_t n_inputs;
};

_Noreturn static void end_without_memory(void) {
  fputs("mrpb-prove: out of memory\n", stderr);
  exit(PROVE_NO_MEMORY);
}

void *prove_grow(void *old, size_t size) {
  void *p = realloc(old, size ? size : 1);
  if (!p) end_without_memory();
  return p;
}

void *prove_room(void *old, size_t n, size_t *room, size_t size) {
  void *p = grow(old, n, room, size);
  if (!p) end_without_memory();
  return p;
}

void *prove_alloc(size_t size) {
  return prove_grow(NULL, size);
}

aig_t *aig_open(void) {
  aig_t *g = prove_alloc(sizeof *g);
  *g = (aig_t){.n = 1, .room = 1 << 12, .mask = (1 << 14) - 1};
  g->node = prove_alloc(g->room * sizeof *g->node);
  g->node[0] = (node_t){INPUT, 0};
  g->table = prove_alloc((g->mask + 1) * sizeof *g->table);
  memset(g->table, 0, (g->mask + 1) * sizeof *g->table);
  return g;
}

void aig_close(aig_t *g) {
  if (!g) return;
  free(g->node);
  free(g->table);
  free(g);
}

uint32_t aig_inputs(const aig_t *g) {
  return g->n_inputs;
}

uint32_t aig_input_number(const aig_t *g, lit_t a) {
  return g->node[a >> 1].b;
}

uint32_t aig_nodes(const aig_t *g) {
  return g->n;
}

bool aig_fanins(const aig_t *g, uint32_t node, lit_t *a, lit_t *b) {
  if (g->node[node].a == INPUT) return false;
  *a = g->node[node].a;
  *b = g->node[node].b;
  return true;
}

static uint32_t hash(lit_t a, lit_t b) {
  uint64_t h = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(h >> 32);
}

static uint32_t add_node(aig_t *g, lit_t a, lit_t b) {
  if (g->n == g->room) {
    g->room *= 2;
    g->node = prove_grow(g->node, g->room * sizeof *g->node);
  }
  g->node[g->n] = (node_t){a, b};
  return g->n++;
}

static void rehash(aig_t *g) {
  free(g->table);
  g->mask = 2 * g->mask + 1;
  size_t size = ((size_t)g->mask + 1) * sizeof *g->table;
  g->table = prove_alloc(size);
  memset(g->table, 0, size);
  for (uint32_t i = 1; i < g->n; i++) {
    if (g->node[i].a == INPUT) continue;
    uint32_t at = hash(g->node[i].a, g->node[i].b) & g->mask;
    while (g->table[at]) at = (at + 1) & g->mask;
    g->table[at] = i;
  }
}

lit_t aig_input(aig_t *g) {
  return 2 * add_node(g, INPUT, g->n_inputs++);
}

static inline bool is_and(const aig_t *g, lit_t x) {
  return g->node[x >> 1].a != INPUT;
}

/* Rules that look one node down: `x` is an AND (maybe inverted), `y` any literal. */
static bool rule(const aig_t *g, lit_t x, lit_t y, lit_t *result) {
  const node_t *n = &g->node[x >> 1];
  bool same = n->a == y || n->b == y, opposite = n->a == aig_not(y) || n->b == aig_not(y);
  if (!(x & 1)) { /* (a b) y */
    if (opposite) return *result = AIG_FALSE, true;
    if (same) return *result = x, true;
  } else if (opposite) { /* !(a b) y, y = !a */
    return *result = y, true;
  }
  return false;
}

lit_t aig_and(aig_t *g, lit_t a, lit_t b) {
  lit_t r;
  if (a < b) {
    lit_t t = a;
    a = b;
    b = t;
  }
  if (b == AIG_FALSE) return AIG_FALSE;
  if (b == AIG_TRUE || a == b) return a;
  if ((a ^ b) == 1) return AIG_FALSE;
  if (is_and(g, a) && rule(g, a, b, &r)) return r;
  if (is_and(g, b) && rule(g, b, a, &r)) return r;
  if (is_and(g, a) && (a & 1)) { /* !(b y) b = b !y */
    const node_t n = g->node[a >> 1];
    if (n.a == b || n.b == b) return aig_and(g, b, aig_not(n.a == b ? n.b : n.a));
  }
  if (is_and(g, b) && (b & 1)) {
    const node_t n = g->node[b >> 1];
    if (n.a == a || n.b == a) return aig_and(g, a, aig_not(n.a == a ? n.b : n.a));
  }
  if (is_and(g, a) && is_and(g, b) && (a & 1) && (b & 1)) { /* !(x y) !(x !y) = !x */
    const node_t n = g->node[a >> 1], m = g->node[b >> 1];
    if ((n.a == m.a && n.b == aig_not(m.b)) || (n.a == m.b && n.b == aig_not(m.a)))
      return aig_not(n.a);
    if ((n.b == m.b && n.a == aig_not(m.a)) || (n.b == m.a && n.a == aig_not(m.b)))
      return aig_not(n.b);
  }
  uint32_t at = hash(a, b) & g->mask;
  for (; g->table[at]; at = (at + 1) & g->mask)
    if (g->node[g->table[at]].a == a && g->node[g->table[at]].b == b) return 2 * g->table[at];
  uint32_t made = add_node(g, a, b);
  g->table[at] = made;
  if (g->n > g->mask / 2) rehash(g);
  return 2 * made;
}

lit_t aig_mux(aig_t *g, lit_t c, lit_t t, lit_t e) {
  if (t == e) return t;
  return aig_not(aig_and(g, aig_not(aig_and(g, c, t)), aig_not(aig_and(g, aig_not(c), e))));
}

lit_t aig_xor(aig_t *g, lit_t a, lit_t b) {
  return aig_mux(g, a, aig_not(b), b);
}

lit_t aig_choice(const aig_t *g, lit_t a, lit_t b) {
  if (aig_is_const(a)) return a;
  if (aig_is_const(b)) return aig_not(b);
  if (a == aig_not(b)) return a;
  const node_t n = g->node[a >> 1], m = g->node[b >> 1];
  bool and_a = !(a & 1) && is_and(g, a), and_b = !(b & 1) && is_and(g, b);
  if (and_a && and_b) { /* (g x) and (g !x): x */
    if (n.a == aig_not(m.a) || n.a == aig_not(m.b)) return n.a;
    if (n.b == aig_not(m.a) || n.b == aig_not(m.b)) return n.b;
  }
  if (and_a && (n.a == aig_not(b) || n.b == aig_not(b))) return aig_not(b);
  if (and_b && (m.a == aig_not(a) || m.b == aig_not(a))) return a;
  return a < b ? a : aig_not(b);
}

void aig_simulate(const aig_t *g, const uint64_t *in, uint64_t *node) {
  node[0] = 0;
  for (uint32_t i = 1; i < g->n; i++) {
    const node_t n = g->node[i];
    node[i] = n.a == INPUT ? in[n.b] : aig_value(node, n.a) & aig_value(node, n.b);
  }
}

static void put_delta(FILE *file, uint32_t delta) {
  for (; delta >= 128; delta >>= 7) putc((int)(delta & 127) | 128, file);
  putc((int)delta, file);
}

/* Marks the cone of `out` and numbers its variables, then its ANDs. */
static uint32_t *number_cone(const aig_t *g, const lit_t *out, uint32_t n_out, uint32_t *inputs,
                             uint32_t *n_inputs, uint32_t *ands) {
  uint32_t *number = prove_alloc(g->n * sizeof *number), next = 1;
  memset(number, 0, g->n * sizeof *number);
  for (uint32_t i = 0; i < n_out; i++) number[out[i] >> 1] = 1;
  for (uint32_t i = g->n; i-- > 1;) {
    const node_t n = g->node[i];
    if (n.a != INPUT && number[i]) number[n.a >> 1] = number[n.b >> 1] = 1;
  }
  number[0] = *n_inputs = 0;
  for (uint32_t i = 1; i < g->n; i++)
    if (g->node[i].a == INPUT && number[i]) {
      inputs[(*n_inputs)++] = g->node[i].b;
      number[i] = next++;
    }
  for (uint32_t i = 1; i < g->n; i++)
    if (g->node[i].a != INPUT && number[i]) number[i] = next++;
  *ands = next - 1 - *n_inputs;
  return number;
}

bool aig_write(const aig_t *g, const lit_t *out, uint32_t n_out, FILE *file, uint32_t *inputs,
               uint32_t *n_inputs, uint32_t *ands) {
  uint32_t *number = number_cone(g, out, n_out, inputs, n_inputs, ands);
  fprintf(file, "aig %u %u 0 %u %u\n", *n_inputs + *ands, *n_inputs, n_out, *ands);
  for (uint32_t i = 0; i < n_out; i++)
    fprintf(file, "%u\n", 2 * number[out[i] >> 1] + (out[i] & 1));
  for (uint32_t i = 1; i < g->n; i++) {
    const node_t n = g->node[i];
    if (n.a == INPUT || !number[i]) continue;
    lit_t a = 2 * number[n.a >> 1] + (n.a & 1), b = 2 * number[n.b >> 1] + (n.b & 1);
    if (a < b) {
      lit_t t = a;
      a = b;
      b = t;
    }
    put_delta(file, 2 * number[i] - a);
    put_delta(file, a - b);
  }
  free(number);
  return fflush(file) == 0 && ferror(file) == 0;
}
