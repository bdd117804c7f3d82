/* SPDX-License-Identifier: Apache-2.0 */
/* BT: Rodinia's b+tree of order 256 with the keys 0 .. 999999, inserted in ascending order: 6000
 * range queries of width 3000, then 10000 point queries, one block each. --size changes the number
 * of keys; the numbers of queries and the width scale in proportion. The tree has a closed form:
 * every split leaves 128 keys or children behind, so only the last node of a level has more. */
#include "workload/programs/program.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 1000000, RANGES = 6000, WIDTH = 3000, POINTS = 10000, BLOCK = 256 };
enum { ORDER = 256, HALF = ORDER / 2, MAX_LEVELS = 5, REGS_RANGE = 24, REGS_POINT = 20 };

/* A node record in 4-byte words: location, child or record numbers, keys, leaf flag, key count. */
enum { AT_INDEX = 1, AT_KEY = 258, AT_LEAF = 515, AT_COUNT = 516, NODE_WORDS = 517 };

typedef struct {
  uint32_t keys, levels;      /* level 0: leaves */
  uint32_t count[MAX_LEVELS]; /* nodes per level */
  uint32_t first[MAX_LEVELS]; /* number of the level's first node: breadth first, root 0 */
  uint32_t nodes;
} tree_t;

typedef struct {
  tree_t tree;
  uint32_t ranges, points, width, launches;
  int32_t *start, *end, *key; /* the queries */
  uint64_t nodes1, curr1, offset1, last1, offset2, a_start, a_end, recstart, reclen; /* ranges */
  uint64_t records, nodes2, curr2, offset3, a_key, ans;                              /* points */
} state_t;

/* ---- tree ------------------------------------------------------------------ */

/* A leaf splits at 256 keys, an inner node at 257 children; 128 stay in the left node. */
static tree_t tree_of(uint32_t keys) {
  tree_t t = {.keys = keys, .levels = 1, .count = {keys / HALF}};
  while (t.count[t.levels - 1] > 1) {
    uint32_t children = t.count[t.levels - 1];
    t.count[t.levels++] = children <= ORDER ? 1 : 1 + (children - HALF - 1) / HALF;
  }
  for (uint32_t level = t.levels; level-- > 0; t.nodes += t.count[level]) t.first[level] = t.nodes;
  return t;
}

/* Fills node `q` of `level`. Slot 0 is below all keys; slots behind the last key are above all
 * keys. */
static void fill_node(const tree_t *t, uint32_t level, uint32_t q, int32_t *node) {
  uint32_t under = level ? t->count[level - 1] : t->keys, first = q * HALF, n = HALF;
  uint32_t number = level ? t->first[level - 1] : 0, stride = 1;
  if (q == t->count[level] - 1) n = under - first;
  for (uint32_t l = 0; l < level; l++) stride *= HALF;
  node[0] = (int32_t)(t->first[level] + q);
  node[AT_KEY] = INT32_MIN;
  for (uint32_t s = 1; s <= ORDER; s++) node[AT_KEY + s] = INT32_MAX;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t slot = level ? i : i + 1; /* inner nodes: child 0 has no key */
    node[AT_INDEX + slot] = (int32_t)(number + first + i);
    if (slot) node[AT_KEY + slot] = (int32_t)((first + i) * stride);
  }
  node[AT_LEAF] = level == 0;
  node[AT_COUNT] = (int32_t)(level ? n - 1 : n);
}

static void fill_tree(const tree_t *t, int32_t *node) {
  for (uint32_t level = 0; level < t->levels; level++)
    for (uint32_t q = 0; q < t->count[level]; q++)
      fill_node(t, level, q, node + (uint64_t)(t->first[level] + q) * NODE_WORDS);
}

/* Number of the leaf that holds or would hold `key`. */
static uint32_t leaf_of(const tree_t *t, int32_t key) {
  uint32_t q = (uint32_t)key / HALF, last = t->count[0] - 1;
  return t->first[0] + (q < last ? q : last);
}

static int32_t record_value(uint32_t record) {
  return (int32_t)(2 * record + 1);
}

/* ---- queries --------------------------------------------------------------- */

/* rand() of glibc with seed 1: an additive generator over the last 31 numbers. */
enum { RAND_LAG = 31, RAND_SKIP = 310 };
typedef struct {
  uint32_t r[RAND_LAG];
  unsigned at;
} rand_t;

static int32_t rand_next(rand_t *g) {
  unsigned i = g->at;
  g->r[i] += g->r[(i + RAND_LAG - 3) % RAND_LAG];
  g->at = (i + 1) % RAND_LAG;
  return (int32_t)(g->r[i] >> 1);
}

static rand_t rand_seeded(void) {
  rand_t g = {.r = {1}};
  for (unsigned i = 1; i < RAND_LAG; i++)
    g.r[i] = (uint32_t)(UINT64_C(16807) * g.r[i - 1] % UINT64_C(2147483647));
  /* The first three numbers are kept unchanged, which is the same as starting behind them. */
  g.at = 3;
  for (unsigned i = 0; i < RAND_SKIP; i++) (void)rand_next(&g);
  return g;
}

static int32_t random_key(rand_t *g, uint32_t keys) {
  return (int32_t)((float)rand_next(g) / (float)INT32_MAX * (float)keys);
}

static void make_queries(state_t *s) {
  rand_t g = rand_seeded();
  int32_t keys = (int32_t)s->tree.keys;
  for (uint32_t i = 0; i < s->ranges; i++) {
    s->start[i] = random_key(&g, s->tree.keys);
    s->end[i] = s->start[i] + (int32_t)s->width;
    if (s->end[i] >= keys) {
      s->start[i] -= s->end[i] - keys;
      s->end[i] = keys - 1;
    }
  }
  for (uint32_t i = 0; i < s->points; i++) s->key[i] = random_key(&g, s->tree.keys);
}

/* ---- host code ------------------------------------------------------------- */

typedef struct {
  const char *name;
  uint64_t *addr;
  uint64_t n;
  uint32_t bytes;
} array_t;

/* In the original's order, because it determines the addresses. */
static int allocate(state_t *s, const program_host_t *h, mrpb_err_t *err) {
  const array_t array[] = {
      {"nodes", &s->nodes1, s->tree.nodes, 4 * NODE_WORDS},
      {"curr", &s->curr1, s->ranges, 8},
      {"offset", &s->offset1, s->ranges, 8},
      {"last", &s->last1, s->ranges, 8},
      {"offset2", &s->offset2, s->ranges, 8},
      {"start", &s->a_start, s->ranges, 4},
      {"end", &s->a_end, s->ranges, 4},
      {"recstart", &s->recstart, s->ranges, 4},
      {"reclen", &s->reclen, s->ranges, 4},
      {"records", &s->records, s->tree.keys, 4},
      {"nodes (points)", &s->nodes2, s->tree.nodes, 4 * NODE_WORDS},
      {"curr (points)", &s->curr2, s->points, 8},
      {"offset (points)", &s->offset3, s->points, 8},
      {"key", &s->a_key, s->points, 4},
      {"ans", &s->ans, s->points, 4},
  };
  for (unsigned i = 0; i < sizeof array / sizeof *array; i++)
    if (!(*array[i].addr = program_alloc(h, array[i].name, array[i].n, array[i].bytes, err)))
      return -1;
  return 0;
}

static int32_t *words(const program_host_t *h, uint64_t addr, uint64_t n) {
  return memory_at(h->memory, addr, n * 4);
}

static void fill_memory(const state_t *s, const program_host_t *h) {
  uint64_t tree_words = (uint64_t)s->tree.nodes * NODE_WORDS;
  fill_tree(&s->tree, words(h, s->nodes1, tree_words));
  memcpy(words(h, s->nodes2, tree_words), words(h, s->nodes1, tree_words), tree_words * 4);
  memcpy(words(h, s->a_start, s->ranges), s->start, s->ranges * sizeof *s->start);
  memcpy(words(h, s->a_end, s->ranges), s->end, s->ranges * sizeof *s->end);
  memcpy(words(h, s->a_key, s->points), s->key, s->points * sizeof *s->key);
  for (uint32_t i = 0; i < s->tree.keys; i++)
    words(h, s->records, s->tree.keys)[i] = record_value(i);
  for (uint32_t i = 0; i < s->points; i++) words(h, s->ans, s->points)[i] = -1;
}

/* Scales n, the number for a million keys, to `keys`; at least 1. */
static uint32_t share(uint32_t n, uint32_t keys) {
  uint32_t part = (uint32_t)((uint64_t)n * keys / KEYS);
  return part ? part : 1;
}

static int bt_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  state_t *s = state;
  uint32_t keys = h->options.size ? h->options.size : KEYS;
  s->tree = tree_of(keys);
  s->ranges = share(RANGES, keys);
  s->points = share(POINTS, keys);
  s->width = share(WIDTH, keys);
  s->start = malloc(s->ranges * sizeof *s->start);
  s->end = malloc(s->ranges * sizeof *s->end);
  s->key = malloc(s->points * sizeof *s->key);
  if (!s->start || !s->end || !s->key) return mrpb_fail(err, "bt: out of memory");
  if (allocate(s, h, err) < 0) return -1;
  make_queries(s);
  fill_memory(s, h);
  return 0;
}

static void pass(simt_launch_t *l, const uint64_t *value, unsigned n) {
  for (unsigned i = 0; i < n; i++) simt_param(l, i, value[i]);
}

static bool bt_next(void *state, const program_host_t *h, simt_launch_t *l) {
  state_t *s = state;
  uint64_t height = s->tree.levels - 1;
  if (s->launches == 2) return false;
  if (s->launches++ == 0) {
    const uint64_t value[] = {height,     s->nodes1,   s->tree.nodes, s->curr1,
                              s->offset1, s->last1,    s->offset2,    s->a_start,
                              s->a_end,   s->recstart, s->reclen};
    program_launch(h, l, "findRangeK", s->ranges, 1, BLOCK, 1, REGS_RANGE);
    pass(l, value, sizeof value / sizeof *value);
  } else {
    const uint64_t value[] = {height,   s->nodes2,  s->tree.nodes, s->records,
                              s->curr2, s->offset3, s->a_key,      s->ans};
    program_launch(h, l, "findK", s->points, 1, BLOCK, 1, REGS_POINT);
    pass(l, value, sizeof value / sizeof *value);
  }
  return true;
}

static double bt_progress(const void *state, const program_host_t *h) {
  (void)h;
  return ((const state_t *)state)->launches / 2.0;
}

/* Checks where the descent of each query ends, in its two 64-bit arrays. */
static int check_descent(const state_t *s, const program_host_t *h, const int32_t *key, uint32_t n,
                         uint64_t curr, uint64_t offset, mrpb_err_t *err) {
  const int64_t *at = memory_at(h->memory, curr, n * 8), *to = memory_at(h->memory, offset, n * 8);
  for (uint32_t i = 0; i < n; i++) {
    long long want = leaf_of(&s->tree, key[i]);
    if (at[i] != want || to[i] != want)
      return mrpb_fail(err, "query %u for %d ends in nodes %lld, %lld, expected %lld", (unsigned)i,
                       (int)key[i], (long long)at[i], (long long)to[i], want);
  }
  return 0;
}

static int check_ranges(const state_t *s, const program_host_t *h, int32_t *want, mrpb_err_t *err) {
  if (check_descent(s, h, s->start, s->ranges, s->curr1, s->offset1, err) < 0) return -1;
  if (check_descent(s, h, s->end, s->ranges, s->last1, s->offset2, err) < 0) return -1;
  if (program_compare_i32(h, "recstart", s->recstart, s->start, s->ranges, err) < 0) return -1;
  for (uint32_t i = 0; i < s->ranges; i++) want[i] = s->end[i] - s->start[i] + 1;
  return program_compare_i32(h, "reclen", s->reclen, want, s->ranges, err);
}

static int check_points(const state_t *s, const program_host_t *h, int32_t *want, mrpb_err_t *err) {
  if (check_descent(s, h, s->key, s->points, s->curr2, s->offset3, err) < 0) return -1;
  for (uint32_t i = 0; i < s->points; i++) {
    uint32_t key = (uint32_t)s->key[i];
    want[i] = key < s->tree.keys ? record_value(key) : -1;
  }
  return program_compare_i32(h, "ans", s->ans, want, s->points, err);
}

static int bt_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  state_t *s = state;
  if (s->launches < 2) return mrpb_fail(err, "bt: ended before its second launch");
  int32_t *want = malloc((s->ranges + s->points) * sizeof *want);
  if (!want) return mrpb_fail(err, "bt: out of memory");
  int rc = check_ranges(s, h, want, err);
  if (rc == 0) rc = check_points(s, h, want, err);
  free(want);
  return rc;
}

static void bt_close(void *state) {
  state_t *s = state;
  free(s->start);
  free(s->end);
  free(s->key);
}

const program_t program_bt = {.name = "bt",
                              .suite = "rodinia",
                              .type = "",
                              .doc = "b+tree, one million keys; --size: keys",
                              .ptx_a = "rodinia/bt.ptx",
                              .state_bytes = sizeof(state_t),
                              .open = bt_open,
                              .next = bt_next,
                              .progress = bt_progress,
                              .check = bt_check,
                              .close = bt_close,
                              .size_min = ORDER,
                              .size_max = 4000000};
