/* SPDX-License-Identifier: Apache-2.0 */
/* Wide sets of the tag array: a hash index over the lines; and for each set a list in the order of
 * use, a bit for each way that is not invalid, and a bit for each word of such bits that is full. A
 * probe follows one chain of the hash index; a miss also takes as many steps as there are reserved
 * lines older than the victim. */
#include "parts/tag_array_state.h"

#include <stdlib.h>
#include <string.h>

#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

static void mark_full(tag_array_index_t *x, uint32_t set, uint32_t word) {
  if (~x->taken[(size_t)set * x->words + word] == 0)
    x->full[(size_t)set * x->sums + word / 64] |= UINT64_C(1) << word % 64;
}

/* Marks bits beyond the last way, and words beyond the last word, so that they do not count as free
 * ways. */
static void pad(tag_array_index_t *x, uint32_t sets, uint32_t ways) {
  uint64_t taken = ways % 64 ? UINT64_MAX << ways % 64 : 0;
  uint64_t full = x->words % 64 ? UINT64_MAX << x->words % 64 : 0;
  for (uint32_t s = 0; s < sets && (taken || full); s++) {
    x->taken[(size_t)(s + 1) * x->words - 1] |= taken;
    x->full[(size_t)(s + 1) * x->sums - 1] |= full;
  }
}

static size_t buckets(const tag_array_index_t *x) {
  return (size_t)1 << (64 - x->shift);
}

int tag_array_index_create(tag_array_t *t, mrpb_err_t *err) {
  const tag_array_cfg_t *c = &t->cfg;
  size_t sets = c->sets, lines = sets * c->ways;
  tag_array_index_t *x = t->index = calloc(1, sizeof *x);
  if (!x) return mrpb_fail(err, "tag_array: out of memory");
  x->words = (c->ways + 63) / 64;
  x->sums = (x->words + 63) / 64;
  x->shift = 62; /* at least twice as many buckets as lines */
  while (lines > UINT64_C(1) << (63 - x->shift)) x->shift--;
  x->link = tag_array_take(c, lines * sizeof *x->link);
  x->set = tag_array_take(c, sets * sizeof *x->set);
  x->bucket = tag_array_take(c, buckets(x) * sizeof *x->bucket);
  x->taken = tag_array_take(c, sets * x->words * sizeof *x->taken);
  x->full = tag_array_take(c, sets * x->sums * sizeof *x->full);
  if (!x->link || !x->set || !x->bucket || !x->taken || !x->full)
    return mrpb_fail(err, "tag_array: out of memory for %zu lines", lines);
  pad(x, c->sets, c->ways);
  return 0;
}

void tag_array_index_destroy(tag_array_t *t) {
  tag_array_index_t *x = t->index;
  if (!x) return;
  tag_array_drop(&t->cfg, x->link);
  tag_array_drop(&t->cfg, x->set);
  tag_array_drop(&t->cfg, x->bucket);
  tag_array_drop(&t->cfg, x->taken);
  tag_array_drop(&t->cfg, x->full);
  free(x);
}

void tag_array_index_clear(tag_array_t *t) {
  tag_array_index_t *x = t->index;
  const size_t sets = t->cfg.sets;
  memset(x->link, 0, sets * t->cfg.ways * sizeof *x->link);
  memset(x->set, 0, sets * sizeof *x->set);
  memset(x->bucket, 0, buckets(x) * sizeof *x->bucket);
  memset(x->taken, 0, sets * x->words * sizeof *x->taken);
  memset(x->full, 0, sets * x->sums * sizeof *x->full);
  pad(x, t->cfg.sets, t->cfg.ways);
}

static uint32_t *bucket_of(const tag_array_index_t *x, uint64_t line) {
  return &x->bucket[line * HASH_FACTOR >> x->shift];
}

static unsigned top_zero(uint64_t word) {
  return 63u - (unsigned)__builtin_clzll(~word);
}

/* The highest invalid way of a set; there must be one. */
static uint32_t invalid_way(const tag_array_index_t *x, uint32_t set) {
  const uint64_t *full = x->full + (size_t)set * x->sums;
  const uint64_t *taken = x->taken + (size_t)set * x->words;
  uint32_t sum = x->sums - 1;
  while (~full[sum] == 0) sum--;
  uint32_t word = sum * 64 + top_zero(full[sum]);
  return word * 64 + top_zero(taken[word]);
}

uint32_t tag_array_index_valid(const tag_array_t *t, uint32_t set) {
  return t->index->set[set].taken - t->index->set[set].reserved;
}

tag_array_status_t tag_array_index_probe(const tag_array_t *t, uint32_t set, uint64_t line,
                                         uint32_t *index) {
  const tag_array_index_t *x = t->index;
  const order_t *o = &x->set[set];
  for (uint32_t i = *bucket_of(x, line); i; i = x->link[i - 1].chain)
    if (tag_line(&t->tag[i - 1]) == line) {
      *index = i - 1;
      return tag_state(&t->tag[i - 1]) == LINE_RESERVED ? TAGS_HIT_RESERVED : TAGS_HIT;
    }
  if (o->reserved == t->cfg.ways) return TAGS_ALL_RESERVED;
  if (o->taken < t->cfg.ways) {
    *index = set * t->cfg.ways + invalid_way(x, set);
    return TAGS_MISS;
  }
  uint32_t i = o->oldest;
  while (tag_state(&t->tag[i - 1]) == LINE_RESERVED) i = x->link[i - 1].newer;
  *index = i - 1;
  return TAGS_MISS;
}

/* ---- the order of use ------------------------------------------------------ */

static void unlink_line(tag_array_index_t *x, order_t *o, uint32_t i) {
  link_t *l = &x->link[i - 1];
  *(l->older ? &x->link[l->older - 1].newer : &o->oldest) = l->newer;
  *(l->newer ? &x->link[l->newer - 1].older : &o->newest) = l->older;
}

/* Inserts a line after every line that was used earlier, or in the same cycle with a lower way.
 * This rarely takes more than one step, because time never goes back. */
static void link_line(const tag_array_t *t, tag_array_index_t *x, order_t *o, uint32_t i) {
  uint64_t used = t->tag[i - 1].used;
  uint32_t older = o->newest;
  while (older && (t->tag[older - 1].used > used || (t->tag[older - 1].used == used && older > i)))
    older = x->link[older - 1].older;
  uint32_t *newer = older ? &x->link[older - 1].newer : &o->oldest;
  x->link[i - 1].older = older;
  x->link[i - 1].newer = *newer;
  *(*newer ? &x->link[*newer - 1].older : &o->newest) = i;
  *newer = i;
}

void tag_array_index_move(tag_array_t *t, uint32_t index) {
  order_t *o = &t->index->set[index / t->cfg.ways];
  unlink_line(t->index, o, index + 1);
  link_line(t, t->index, o, index + 1);
}

/* ---- in and out ------------------------------------------------------------ */

void tag_array_index_leave(tag_array_t *t, uint32_t index) {
  tag_array_index_t *x = t->index;
  uint32_t set = index / t->cfg.ways, way = index % t->cfg.ways;
  const tag_t *tag = &t->tag[index];
  if (tag_state(tag) == LINE_INVALID) return;
  uint32_t *at = bucket_of(x, tag_line(tag));
  while (*at != index + 1) at = &x->link[*at - 1].chain;
  *at = x->link[index].chain;
  unlink_line(x, &x->set[set], index + 1);
  x->taken[(size_t)set * x->words + way / 64] &= ~(UINT64_C(1) << way % 64);
  x->full[(size_t)set * x->sums + way / 64 / 64] &= ~(UINT64_C(1) << way / 64 % 64);
  x->set[set].taken--;
  x->set[set].reserved -= tag_state(tag) == LINE_RESERVED;
}

void tag_array_index_enter(tag_array_t *t, uint32_t index) {
  tag_array_index_t *x = t->index;
  uint32_t set = index / t->cfg.ways, way = index % t->cfg.ways;
  const tag_t *tag = &t->tag[index];
  uint32_t *bucket = bucket_of(x, tag_line(tag));
  x->link[index].chain = *bucket;
  *bucket = index + 1;
  link_line(t, x, &x->set[set], index + 1);
  x->taken[(size_t)set * x->words + way / 64] |= UINT64_C(1) << way % 64;
  mark_full(x, set, way / 64);
  x->set[set].taken++;
  x->set[set].reserved += tag_state(tag) == LINE_RESERVED;
}

void tag_array_index_fill(tag_array_t *t, uint32_t index) {
  t->index->set[index / t->cfg.ways].reserved--;
}
