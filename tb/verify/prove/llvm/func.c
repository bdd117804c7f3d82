/* SPDX-License-Identifier: Apache-2.0 */
/* Orders a function's blocks and numbers its values. */
#include "verify/prove/llvm/priv.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash(LLVMValueRef key) {
  return (uint32_t)(((uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

void func_index_put(index_t *ix, LLVMValueRef key, uint32_t value) {
  if (2 * (ix->n + 1) > ix->mask) {
    index_t old = *ix;
    ix->mask = old.mask ? 2 * old.mask + 1 : 63;
    ix->n = 0;
    ix->slot = prove_alloc((ix->mask + 1) * sizeof *ix->slot);
    memset(ix->slot, 0, (ix->mask + 1) * sizeof *ix->slot);
    for (uint32_t i = 0; old.slot && i <= old.mask; i++)
      if (old.slot[i].key) func_index_put(ix, old.slot[i].key, old.slot[i].value);
    free(old.slot);
  }
  uint32_t at = hash(key) & ix->mask;
  while (ix->slot[at].key && ix->slot[at].key != key) at = (at + 1) & ix->mask;
  if (!ix->slot[at].key) ix->n++;
  ix->slot[at] = (slot_t){key, value};
}

uint32_t func_index_get(const index_t *ix, LLVMValueRef key) {
  if (!ix->slot) return INDEX_NONE;
  for (uint32_t at = hash(key) & ix->mask; ix->slot[at].key; at = (at + 1) & ix->mask)
    if (ix->slot[at].key == key) return ix->slot[at].value;
  return INDEX_NONE;
}

/* The graph of blocks, numbered as in the function's text. */
typedef struct {
  uint32_t n;
  LLVMBasicBlockRef *block;
  uint32_t *first, *succ; /* successors of b: succ[first[b]] .. succ[first[b + 1] - 1] */
  uint8_t *dom;           /* [a * n + b]: a dominates b */
  uint8_t *loop;          /* [h * n + b]: b is in the loop of header h */
  uint8_t *done;
  uint32_t *order, n_order, *loop_end;
} graph_t;

static void read_graph(graph_t *g, func_t *f) {
  g->n = LLVMCountBasicBlocks(f->fn);
  g->block = prove_alloc(g->n * sizeof(LLVMBasicBlockRef));
  g->first = prove_alloc((g->n + 1) * sizeof *g->first);
  LLVMGetBasicBlocks(f->fn, g->block);
  index_t number = {0};
  uint32_t edges = 0;
  for (uint32_t b = 0; b < g->n; b++) {
    func_index_put(&number, LLVMBasicBlockAsValue(g->block[b]), b);
    g->first[b] = edges;
    edges += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(g->block[b]));
  }
  g->first[g->n] = edges;
  g->succ = prove_alloc(edges * sizeof *g->succ);
  for (uint32_t b = 0; b < g->n; b++)
    for (uint32_t i = g->first[b]; i < g->first[b + 1]; i++)
      g->succ[i] =
          func_index_get(&number, LLVMBasicBlockAsValue(LLVMGetSuccessor(
                                      LLVMGetBasicBlockTerminator(g->block[b]), i - g->first[b])));
  free(number.slot);
}

/* Iterates over all blocks: the graphs are small. Unreachable blocks are dominated by all
 * blocks. */
static void find_dominators(graph_t *g) {
  uint32_t n = g->n;
  g->dom = prove_alloc((size_t)n * n);
  memset(g->dom, 1, (size_t)n * n);
  for (uint32_t a = 1; a < n; a++) g->dom[a * n] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t p = 0; p < n; p++)
      for (uint32_t i = g->first[p]; i < g->first[p + 1]; i++)
        for (uint32_t a = 0, b = g->succ[i]; a < n; a++)
          if (a != b && g->dom[a * n + b] && !g->dom[a * n + p]) {
            g->dom[a * n + b] = 0;
            changed = true;
          }
  }
}

/* Marks the blocks that reach the latch `from` without passing the header. */
static void grow_loop(graph_t *g, uint32_t header, uint32_t from) {
  uint8_t *in = g->loop + (size_t)header * g->n;
  in[header] = in[from] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t p = 0; p < g->n; p++)
      for (uint32_t i = g->first[p]; i < g->first[p + 1] && !in[p]; i++)
        if (g->succ[i] != header && in[g->succ[i]]) in[p] = changed = true;
  }
}

static void find_loops(graph_t *g) {
  g->loop = prove_alloc((size_t)g->n * g->n);
  memset(g->loop, 0, (size_t)g->n * g->n);
  for (uint32_t p = 0; p < g->n; p++)
    for (uint32_t i = g->first[p]; i < g->first[p + 1]; i++)
      if (g->dom[g->succ[i] * g->n + p]) grow_loop(g, g->succ[i], p);
}

static bool inside(const graph_t *g, uint32_t loop, uint32_t b) {
  return loop == g->n || g->loop[(size_t)loop * g->n + b];
}

/* For each block of a loop, the direct part of the loop to which it belongs: the header of the
 * largest inner loop, or the block itself. */
static uint32_t *parts_of(const graph_t *g, uint32_t loop) {
  uint32_t *part = prove_alloc(g->n * sizeof *part), *size = prove_alloc(g->n * sizeof *size);
  for (uint32_t b = 0; b < g->n; b++) {
    part[b] = b;
    size[b] = 0;
  }
  for (uint32_t h = 0; h < g->n; h++) {
    const uint8_t *in = g->loop + (size_t)h * g->n;
    uint32_t count = 0;
    if (h == loop || !in[h] || !inside(g, loop, h)) continue;
    for (uint32_t b = 0; b < g->n; b++) count += in[b];
    for (uint32_t b = 0; b < g->n; b++)
      if (in[b] && count > size[b]) {
        part[b] = h;
        size[b] = count;
      }
  }
  free(size);
  return part;
}

/* True if an unfinished part of the loop still leads to part `p`; edges back to the header do not
 * count. */
static bool waits(const graph_t *g, uint32_t loop, const uint32_t *part, uint32_t p) {
  for (uint32_t b = 0; b < g->n; b++) {
    if (g->done[b] || !inside(g, loop, b) || part[b] == p) continue;
    for (uint32_t i = g->first[b]; i < g->first[b + 1]; i++) {
      uint32_t s = g->succ[i];
      if (s != loop && inside(g, loop, s) && part[s] == p) return true;
    }
  }
  return false;
}

static bool emit(graph_t *g, uint32_t loop);

/* Appends the next part whose predecessors are all present; false if there is none. */
static bool emit_part(graph_t *g, uint32_t loop, const uint32_t *part) {
  for (uint32_t b = 0; b < g->n; b++) {
    if (g->done[b] || !inside(g, loop, b) || part[b] != b || waits(g, loop, part, b)) continue;
    if (g->loop[(size_t)b * g->n + b]) return emit(g, b);
    g->done[b] = 1;
    g->order[g->n_order++] = b;
    return true;
  }
  return false;
}

/* Appends the blocks of a loop (n: of the function) part by part; false if its parts form a
 * cycle. */
static bool emit(graph_t *g, uint32_t loop) {
  uint32_t *part = parts_of(g, loop), first = g->n_order, size = 0;
  bool good = true;
  for (uint32_t b = 0; b < g->n; b++) size += inside(g, loop, b);
  if (loop != g->n) {
    g->done[loop] = 1;
    g->order[g->n_order++] = loop;
  }
  while (good && g->n_order - first < size) good = emit_part(g, loop, part);
  if (loop != g->n) g->loop_end[first] = g->n_order;
  free(part);
  return good;
}

static void number_values(func_t *f) {
  for (unsigned i = 0; i < LLVMCountParams(f->fn); i++)
    func_index_put(&f->value, LLVMGetParam(f->fn, i), f->n_values++);
  for (uint32_t b = 0; b < f->n_blocks; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->block[b]); i; i = LLVMGetNextInstruction(i))
      func_index_put(&f->value, i, f->n_values++);
}

func_t *func_open(LLVMValueRef fn, mrpb_err_t *err) {
  func_t *f = prove_alloc(sizeof *f);
  *f = (func_t){.fn = fn};
  graph_t g = {0};
  read_graph(&g, f);
  find_dominators(&g);
  find_loops(&g);
  g.done = prove_alloc(g.n);
  memset(g.done, 0, g.n);
  g.order = prove_alloc(g.n * sizeof *g.order);
  g.loop_end = prove_alloc((g.n + 1) * sizeof *g.loop_end);
  memset(g.loop_end, 0, (g.n + 1) * sizeof *g.loop_end);
  bool good = emit(&g, g.n);
  if (good) {
    f->n_blocks = g.n;
    f->block = prove_alloc(g.n * sizeof(LLVMBasicBlockRef));
    for (uint32_t i = 0; i < g.n; i++) {
      f->block[i] = g.block[g.order[i]];
      func_index_put(&f->at, LLVMBasicBlockAsValue(f->block[i]), i);
    }
    f->loop_end = g.loop_end;
    g.loop_end = NULL;
    number_values(f);
  } else {
    size_t n;
    mrpb_fail(err, "%s: a loop with more than one entry", LLVMGetValueName2(fn, &n));
    free(f);
    f = NULL;
  }
  free(g.block);
  free(g.first);
  free(g.succ);
  free(g.dom);
  free(g.loop);
  free(g.done);
  free(g.order);
  free(g.loop_end);
  return f;
}

void func_close(func_t *f) {
  free(f->block);
  free(f->loop_end);
  free(f->at.slot);
  free(f->value.slot);
  free(f);
}
