/* SPDX-License-Identifier: Apache-2.0 */
/* BFS: Rodinia's breadth-first search from node 0 of a random graph of 65536 nodes. At each level,
 * one launch visits the frontier's neighbours and another makes the next frontier. The host
 * continues until the second launch leaves `over` at 0. */
#include "workload/programs/program.h"

#include "prng.h"

#include <stdlib.h>
#include <string.h>

/* Every node draws 2 to 4 edges. With this seed, 65536 nodes have 393618 entries in their lists,
 * which puts the arrays at the addresses in docs/programs/rodinia.md. Node 0 reaches all nodes in
 * up to 9 steps. */
enum { NODES = 65536, DRAWS = 4, WEIGHTS = 10, SEED = 3545 };
enum { BLOCK = 512, REGS1 = 16, REGS2 = 8 };

typedef struct {
  int32_t start, count;
} node_t;

typedef struct {
  uint32_t n, edges, levels, depth; /* levels: non-empty frontiers; depth: at most --steps */
  uint32_t launches;
  uint64_t a_nodes, a_edges, a_mask, a_upd, a_visited, a_cost, a_over;
  int32_t *cost; /* result of the host's own search, -1: not reached */
} state_t;

/* ---- graph ----------------------------------------------------------------- */

typedef struct {
  uint32_t from, to;
} draw_t;

/* Draws edges in the generator's order; returns their number. */
static uint32_t draw_edges(uint32_t n, draw_t *draw) {
  prng_t p = prng_seed(SEED, 0);
  uint32_t k = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t left = 2 + prng_below(&p, DRAWS - 1); left; left--) {
      draw[k++] = (draw_t){i, prng_below(&p, n)};
      (void)prng_below(&p, WEIGHTS); /* the weight, which is not used */
    }
  return k;
}

/* The lists of neighbours follow one another; each draw is appended to the lists of both nodes. */
static void link_nodes(uint32_t n, const draw_t *draw, uint32_t draws, node_t *node,
                       int32_t *edge) {
  int32_t at = 0;
  for (uint32_t i = 0; i < draws; i++) {
    node[draw[i].from].count++;
    node[draw[i].to].count++;
  }
  for (uint32_t i = 0; i < n; i++) {
    node[i].start = at;
    at += node[i].count;
    node[i].count = 0;
  }
  for (uint32_t i = 0; i < draws; i++) {
    node_t *a = &node[draw[i].from], *b = &node[draw[i].to];
    edge[a->start + a->count++] = (int32_t)draw[i].to;
    edge[b->start + b->count++] = (int32_t)draw[i].from;
  }
}

/* The host's search; returns the number of levels, or 0 if out of memory. */
static uint32_t search(const state_t *s, const node_t *node, const int32_t *edge) {
  int32_t *queue = malloc(s->n * sizeof *queue);
  uint32_t tail = 1, levels = 0;
  if (!queue) return 0;
  for (uint32_t i = 0; i < s->n; i++) s->cost[i] = -1;
  queue[0] = s->cost[0] = 0;
  for (uint32_t head = 0; head < tail; head++) {
    int32_t u = queue[head];
    levels = (uint32_t)s->cost[u] + 1;
    for (int32_t e = node[u].start; e < node[u].start + node[u].count; e++)
      if (s->cost[edge[e]] < 0) {
        s->cost[edge[e]] = s->cost[u] + 1;
        queue[tail++] = edge[e];
      }
  }
  free(queue);
  return levels;
}

/* ---- host code ------------------------------------------------------------- */

static int allocate(state_t *s, const program_host_t *h, mrpb_err_t *err) {
  if (!(s->a_nodes = program_alloc(h, "nodes", s->n, sizeof(node_t), err)) ||
      !(s->a_edges = program_alloc(h, "edges", s->edges, 4, err)) ||
      !(s->a_mask = program_alloc(h, "mask", s->n, 1, err)) ||
      !(s->a_upd = program_alloc(h, "upd", s->n, 1, err)) ||
      !(s->a_visited = program_alloc(h, "visited", s->n, 1, err)) ||
      !(s->a_cost = program_alloc(h, "cost", s->n, 4, err)) ||
      !(s->a_over = program_alloc(h, "over", 1, 1, err)))
    return -1;
  return 0;
}

static uint8_t *flags(const program_host_t *h, uint64_t addr, uint32_t n) {
  return memory_at(h->memory, addr, n);
}

static int fill_memory(state_t *s, const program_host_t *h, const draw_t *draw, mrpb_err_t *err) {
  if (allocate(s, h, err) < 0) return -1;
  node_t *node = memory_at(h->memory, s->a_nodes, s->n * sizeof *node);
  int32_t *edge = memory_at(h->memory, s->a_edges, (uint64_t)s->edges * 4);
  int32_t *cost = memory_at(h->memory, s->a_cost, (uint64_t)s->n * 4);
  link_nodes(s->n, draw, s->edges / 2, node, edge);
  s->levels = search(s, node, edge);
  if (!s->levels) return mrpb_fail(err, "bfs: out of memory");
  for (uint32_t i = 0; i < s->n; i++) cost[i] = -1;
  cost[0] = 0;
  flags(h, s->a_mask, s->n)[0] = flags(h, s->a_visited, s->n)[0] = 1;
  return 0;
}

static int bfs_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  state_t *s = state;
  s->n = h->options.size ? h->options.size : NODES;
  s->cost = malloc(s->n * sizeof *s->cost);
  draw_t *draw = malloc((uint64_t)s->n * DRAWS * sizeof *draw);
  int rc = -1;
  if (!s->cost || !draw) {
    (void)mrpb_fail(err, "bfs: out of memory");
  } else {
    s->edges = 2 * draw_edges(s->n, draw);
    rc = fill_memory(s, h, draw, err);
  }
  free(draw);
  s->depth = h->options.steps && h->options.steps < s->levels ? h->options.steps : s->levels;
  return rc;
}

static void visit_launch(const state_t *s, const program_host_t *h, simt_launch_t *l) {
  const uint64_t array[] = {s->a_nodes, s->a_edges, s->a_mask, s->a_upd, s->a_visited, s->a_cost};
  program_launch(h, l, "Kernel", (s->n + BLOCK - 1) / BLOCK, 1, BLOCK, 1, REGS1);
  for (unsigned i = 0; i < 6; i++) simt_param(l, i, array[i]);
  simt_param(l, 6, s->n);
}

static void frontier_launch(const state_t *s, const program_host_t *h, simt_launch_t *l) {
  const uint64_t array[] = {s->a_mask, s->a_upd, s->a_visited, s->a_over};
  program_launch(h, l, "Kernel2", (s->n + BLOCK - 1) / BLOCK, 1, BLOCK, 1, REGS2);
  for (unsigned i = 0; i < 4; i++) simt_param(l, i, array[i]);
  simt_param(l, 4, s->n);
}

static bool bfs_next(void *state, const program_host_t *h, simt_launch_t *l) {
  state_t *s = state;
  uint8_t *over = flags(h, s->a_over, 1);
  if (s->launches % 2) {
    frontier_launch(s, h, l);
  } else {
    if (s->launches && !*over) return false;
    if (h->options.steps && s->launches / 2 == h->options.steps) return false;
    *over = 0;
    visit_launch(s, h, l);
  }
  s->launches++;
  return true;
}

static double bfs_progress(const void *state, const program_host_t *h) {
  const state_t *s = state;
  (void)h;
  return s->launches / (2.0 * s->depth);
}

static int compare_flag(const char *array, const uint8_t *have, uint32_t i, bool want,
                        mrpb_err_t *err) {
  if (have[i] == (uint8_t)want) return 0;
  return mrpb_fail(err, "%s[%u] is %u, expected %u", array, (unsigned)i, have[i], (unsigned)want);
}

/* After `depth` levels, all nodes up to that distance are visited, and those at that distance are
 * the frontier. */
static int check_flags(const state_t *s, const program_host_t *h, mrpb_err_t *err) {
  const uint8_t *mask = flags(h, s->a_mask, s->n), *upd = flags(h, s->a_upd, s->n);
  const uint8_t *visited = flags(h, s->a_visited, s->n), *over = flags(h, s->a_over, 1);
  int32_t depth = (int32_t)s->depth;
  for (uint32_t i = 0; i < s->n; i++) {
    bool reached = s->cost[i] >= 0 && s->cost[i] <= depth;
    if (compare_flag("mask", mask, i, s->cost[i] == depth, err) < 0 ||
        compare_flag("upd", upd, i, false, err) < 0 ||
        compare_flag("visited", visited, i, reached, err) < 0)
      return -1;
  }
  return compare_flag("over", over, 0, s->depth < s->levels, err);
}

static int bfs_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  state_t *s = state;
  if (s->launches != 2 * s->depth)
    return mrpb_fail(err, "bfs: %u launches, expected %u", (unsigned)s->launches,
                     2 * (unsigned)s->depth);
  if (check_flags(s, h, err) < 0) return -1;
  int32_t *want = malloc(s->n * sizeof *want);
  if (!want) return mrpb_fail(err, "bfs: out of memory");
  for (uint32_t i = 0; i < s->n; i++) want[i] = s->cost[i] > (int32_t)s->depth ? -1 : s->cost[i];
  int rc = program_compare_i32(h, "cost", s->a_cost, want, s->n, err);
  free(want);
  return rc;
}

static void bfs_close(void *state) {
  free(((state_t *)state)->cost);
}

const program_t program_bfs = {.name = "bfs",
                               .suite = "rodinia",
                               .type = "",
                               .doc = "breadth-first search, 65536 nodes; --size: nodes; --steps: "
                                      "levels",
                               .ptx_a = "rodinia/bfs.ptx",
                               .state_bytes = sizeof(state_t),
                               .open = bfs_open,
                               .next = bfs_next,
                               .progress = bfs_progress,
                               .check = bfs_check,
                               .close = bfs_close,
                               .takes_steps = true,
                               .size_min = 2,
                               .size_max = 4194304};
