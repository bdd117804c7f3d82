/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow of a kernel, and the immediate post-dominator of every branch: basic blocks, then
 * the iteration of Cooper, Harvey and Kennedy on the reversed graph, starting from a common exit. A
 * guarded exit has two successors: the end and the next instruction. */
#include "workload/ptx/parse.h"

#include <stdlib.h>

typedef struct {
  uint32_t first, last;     /* instructions */
  uint32_t succ_at, n_succ; /* blocks, in `succ`; block number n is the exit */
  uint32_t order; /* in the postorder of the reversed graph, from 1; 0: cannot reach the exit */
  uint32_t ipdom;
  uint32_t pred_at, n_pred; /* blocks, in `pred` */
} block_t;

typedef struct {
  block_t *block; /* n + 1 blocks; the last one is the exit */
  uint32_t *block_of, *succ, *pred, *stack, *next, *by_order;
  uint32_t n, n_ordered, n_succ;
} graph_t;

static bool ends_block(const ptx_inst_t *i) {
  return i->op == PTX_OP_BRA || i->op == PTX_OP_BRX || ptx_ends_thread(i);
}

static int allocate(graph_t *g, const ptx_inst_t *inst, uint32_t n) {
  size_t room = (size_t)n + 2, edges = 2 * room;
  for (uint32_t i = 0; i < n; i++) edges += inst[i].n_targets;
  g->block = calloc(room, sizeof *g->block);
  g->block_of = calloc(room, sizeof *g->block_of);
  g->pred = calloc(edges, sizeof *g->pred);
  g->succ = calloc(edges, sizeof *g->succ);
  g->stack = calloc(room, sizeof *g->stack);
  g->next = calloc(room, sizeof *g->next);
  g->by_order = calloc(room, sizeof *g->by_order);
  return g->block && g->block_of && g->pred && g->succ && g->stack && g->next && g->by_order ? 0
                                                                                             : -1;
}

static void release(graph_t *g) {
  free(g->block);
  free(g->block_of);
  free(g->pred);
  free(g->succ);
  free(g->stack);
  free(g->next);
  free(g->by_order);
}

static void find_blocks(graph_t *g, const ptx_inst_t *inst, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) { /* block_of marks the leaders first */
    if (i == 0 || ends_block(&inst[i - 1])) g->block_of[i] = 1;
    if (inst[i].op == PTX_OP_BRA) g->block_of[inst[i].target] = 1;
    for (uint32_t t = 0; t < inst[i].n_targets; t++) g->block_of[inst[i].targets[t]] = 1;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (g->block_of[i]) g->block[g->n++].first = i;
    g->block_of[i] = g->n - 1;
    g->block[g->n - 1].last = i;
  }
}

static void link_to(graph_t *g, uint32_t from, uint32_t to) {
  block_t *b = &g->block[from];
  if (b->n_succ == 0) b->succ_at = g->n_succ;
  for (uint32_t s = 0; s < b->n_succ; s++)
    if (g->succ[b->succ_at + s] == to) return;
  g->succ[g->n_succ++] = to;
  b->n_succ++;
  g->block[to].n_pred++;
}

static void find_edges(graph_t *g, const ptx_inst_t *inst) {
  for (uint32_t b = 0; b < g->n; b++) {
    const ptx_inst_t *i = &inst[g->block[b].last];
    if (ptx_ends_thread(i)) link_to(g, b, g->n);
    for (uint32_t t = 0; t < i->n_targets; t++) link_to(g, b, g->block_of[i->targets[t]]);
    if (i->op == PTX_OP_BRA) link_to(g, b, g->block_of[i->target]);
    if (!ends_block(i) || i->guard) link_to(g, b, b + 1);
  }
  uint32_t at = 0;
  for (uint32_t b = 0; b <= g->n; b++) {
    g->block[b].pred_at = at;
    at += g->block[b].n_pred;
    g->block[b].n_pred = 0;
  }
  for (uint32_t b = 0; b < g->n; b++)
    for (uint32_t s = 0; s < g->block[b].n_succ; s++) {
      block_t *to = &g->block[g->succ[g->block[b].succ_at + s]];
      g->pred[to->pred_at + to->n_pred++] = b;
    }
}

/* Numbers the blocks that can reach the exit; the exit gets the highest number. */
static void order(graph_t *g) {
  uint32_t depth = 0;
  g->stack[depth++] = g->n;
  g->block[g->n].order = UINT32_MAX; /* visited */
  while (depth) {
    uint32_t b = g->stack[depth - 1];
    if (g->next[b] < g->block[b].n_pred) {
      uint32_t to = g->pred[g->block[b].pred_at + g->next[b]++];
      if (g->block[to].order) continue;
      g->block[to].order = UINT32_MAX;
      g->stack[depth++] = to;
    } else {
      g->by_order[g->n_ordered++] = b;
      g->block[b].order = g->n_ordered;
      depth--;
    }
  }
}

static uint32_t common(const graph_t *g, uint32_t a, uint32_t b) {
  while (a != b) {
    while (g->block[a].order < g->block[b].order) a = g->block[a].ipdom;
    while (g->block[b].order < g->block[a].order) b = g->block[b].ipdom;
  }
  return a;
}

static void find_post_dominators(graph_t *g) {
  const uint32_t none = UINT32_MAX;
  for (uint32_t b = 0; b < g->n; b++) g->block[b].ipdom = none;
  g->block[g->n].ipdom = g->n;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = g->n_ordered - 1; k-- > 0;) {
      block_t *b = &g->block[g->by_order[k]];
      uint32_t to = none;
      for (uint32_t s = 0; s < b->n_succ; s++) {
        const uint32_t next = g->succ[b->succ_at + s];
        if (g->block[next].ipdom == none) continue;
        to = to == none ? next : common(g, to, next);
      }
      if (to != b->ipdom) changed = true;
      b->ipdom = to;
    }
  }
}

int ptx_reconverge(ptx_inst_t *inst, uint32_t n) {
  graph_t g = {0};
  if (allocate(&g, inst, n)) {
    release(&g);
    return -1;
  }
  find_blocks(&g, inst, n);
  find_edges(&g, inst);
  order(&g);
  find_post_dominators(&g);
  for (uint32_t b = 0; b < g.n; b++) {
    uint32_t to = g.block[b].ipdom;
    if (inst[g.block[b].last].op == PTX_OP_BRA || inst[g.block[b].last].op == PTX_OP_BRX)
      inst[g.block[b].last].reconverge = to < g.n ? g.block[to].first : PTX_NO_TARGET;
  }
  release(&g);
  return 0;
}
