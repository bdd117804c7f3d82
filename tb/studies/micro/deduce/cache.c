/* SPDX-License-Identifier: Apache-2.0 */
/* Deduces the structure of a cache from latencies: see cache.h. */
#include "studies/micro/deduce/cache.h"
#include "studies/micro/deduce/cache_map.h"
#include "studies/micro/deduce/numbers.h"

#include <inttypes.h>
#include <stdlib.h>

static int check(const chase_cfg_t *cfg, mrpb_err_t *err) {
  if (cfg->step == 0 || cfg->limit < 2 * cfg->step)
    return mrpb_fail(err,
                     "P-chase: step of %" PRIu64 " bytes in %" PRIu64
                     "; legal: at least 1, and two "
                     "of them within the limit",
                     cfg->step, cfg->limit);
  return 0;
}

/* With a footprint far above the capacity, every line misses at its first word, so misses are a
 * line apart (or what one miss fetches). */
static int find_fill(chase_t *c, uint64_t bad) {
  uint64_t most = c->cfg.limit / c->unit, n = 2 * bad < most ? 2 * bad : most, apart = 0;
  uint64_t last = UINT64_MAX;
  units_t all = {0};
  int r = 0;
  for (uint64_t i = 0; r == 0 && i < n; i++) r = cache_map_units_add(&all, i, c->err);
  if (r == 0) r = chase_walk(c, all.v, all.n, 1, 2);
  for (uint64_t i = 0; r == 0 && i < n; i++) {
    if (!c->missed[i]) continue;
    if (last != UINT64_MAX) apart = numbers_gcd(apart, i - last);
    last = i;
  }
  free(all.v);
  if (r == 0 && apart) c->unit *= apart;
  return r;
}

/* The largest number of units from 0 on that fit, if `bad` of them seemed not to. *good is 0 if as
 * many as there are fit. */
static int find_capacity(chase_t *c, uint64_t bad, uint64_t *good) {
  uint64_t fit = 0, most = c->cfg.limit / c->unit;
  for (int r;; bad *= 2) {
    if (bad > most) bad = most;
    c->flush = 2 * bad;
    r = chase_prefix_fits(c, bad);
    if (r < 0) return -1;
    if (r == 0) break;
    fit = bad;
    *good = 0;
    if (bad == most) return 0;
  }
  while (fit + 1 < bad) {
    uint64_t middle = fit + (bad - fit) / 2;
    int r = chase_prefix_fits(c, middle);
    if (r < 0) return -1;
    *(r ? &fit : &bad) = middle;
  }
  *good = fit;
  c->flush = 2 * bad;
  return 0;
}

static void remove_all(units_t *from, const units_t *which) {
  size_t left = 0;
  for (size_t i = 0; i < from->n; i++)
    if (!cache_map_units_has(which, from->v[i])) from->v[left++] = from->v[i];
  from->n = left;
}

/* In a sectored cache a conflict affects whole lines: a set of sectors that does not fit still does
 * not fit with one sector left of each line. The lines that keep the caches in front busy belong to
 * other sets. */
static int find_line(chase_t *c, uint64_t n, uint64_t *line) {
  units_t pool = {0}, m = {0}, some = {0};
  int r = 0;
  *line = c->unit;
  for (uint64_t i = 0; r == 0 && i < n; i++) r = cache_map_units_add(&pool, i, c->err);
  if (r == 0 && chase_within(c, n)) r = cache_conflict(c, &pool, NULL, n, &m, NULL);
  remove_all(&pool, &m);
  for (uint64_t size = 2 * c->unit; r >= 0 && m.n > 1; size *= 2) {
    some.n = 0;
    for (size_t i = 0; r >= 0 && i < m.n; i++) {
      uint64_t block = (c->cfg.base + m.v[i] * c->unit) / size;
      uint64_t before = i ? (c->cfg.base + m.v[i - 1] * c->unit) / size : UINT64_MAX;
      if (block != before) r = cache_map_units_add(&some, m.v[i], c->err);
    }
    if (r < 0 || some.n == m.n) break;
    int fits = cache_set_fits(c, &pool, &some);
    if (fits < 0) r = -1;
    if (fits != 0) break;
    *line = size;
    units_t swap = m;
    m = some;
    some = swap;
  }
  free(pool.v);
  free(m.v);
  free(some.v);
  return r < 0 ? -1 : 0;
}

static int deduce(deduce_cache_t *out, chase_t *c) {
  uint64_t bad, n;
  if (chase_threshold(c, &bad) != 0) return -1;
  out->threshold = c->cfg.threshold;
  if (!bad) return 0;
  out->hit = c->hit;
  out->miss = c->miss;
  if (find_fill(c, bad) != 0) return -1;
  out->fill = c->unit;
  c->upper = (c->upper * c->cfg.step + c->unit - 1) / c->unit;
  uint64_t in_units = (bad * c->cfg.step + c->unit - 1) / c->unit;
  if (find_capacity(c, in_units, &n) != 0) return -1;
  if (!n) return 0; /* nothing fits: possible on a noisy GPU */
  out->found = true;
  out->capacity = n * c->unit;
  if (find_line(c, n, &out->line) != 0) return -1;
  if (out->capacity < out->line) return 0;
  c->unit = out->line;
  c->flush = 2 * (out->capacity / out->line + 1);
  if (cache_map(out, c) != 0) return -1;
  cache_mapping(out, c->cfg.base);
  return out->sets ? cache_policy(out, c, 0) : 0;
}

int deduce_cache(deduce_cache_t *out, const chase_cfg_t *cfg, mrpb_err_t *err) {
  *out = (deduce_cache_t){0};
  if (check(cfg, err) != 0) return -1;
  chase_t c;
  chase_init(&c, cfg, err);
  int r = deduce(out, &c);
  out->accesses = c.accesses;
  chase_free(&c);
  if (r != 0) deduce_cache_free(out);
  return r;
}

void deduce_cache_free(deduce_cache_t *d) {
  free(d->ways);
  free(d->set_of);
  *d = (deduce_cache_t){0};
}

/* The number of sets whose ways differ from the most frequent number of ways. */
static uint32_t odd_sets(const deduce_cache_t *d) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < d->sets; i++) {
    uint32_t same = 0;
    for (uint32_t k = 0; k < d->sets; k++) same += d->ways[k] == d->ways[i];
    if (same > most) most = same;
  }
  return d->sets - most;
}

const char *deduce_cache_doubt(const deduce_cache_t *d) {
  uint64_t lines = 0;
  if (!d->found || d->sets == 0) return "no set was seen";
  for (uint32_t i = 0; i < d->sets; i++) lines += d->ways[i];
  if (!d->complete) return "not all sets were seen";
  if (lines != d->lines) return "the ways do not add up to the lines";
  if (d->capacity > d->lines * d->line) return "more fits than the lines can hold";
  if (odd_sets(d) > 1) return "sets of many sizes: more than one cache";
  return NULL;
}

bool deduce_cache_same(const deduce_cache_t *a, const deduce_cache_t *b) {
  return a->found == b->found && a->capacity == b->capacity && a->line == b->line &&
         a->fill == b->fill && a->lines == b->lines && a->sets == b->sets && a->policy == b->policy;
}

const char *deduce_cache_policy_name(deduce_cache_policy_t p) {
  static const char *const name[] = {"not known", "direct mapped", "LRU", "FIFO",
                                     "neither LRU nor FIFO"};
  return name[p];
}

int deduce_cache_miss_rate(const deduce_cache_t *d, const chase_cfg_t *cfg, uint64_t extra,
                           size_t passes, double *rate, uint64_t *missed, mrpb_err_t *err) {
  chase_t c;
  units_t all = {0};
  uint64_t n = d->capacity / d->line + extra;
  chase_init(&c, cfg, err);
  c.unit = d->line;
  c.cfg.threshold = d->threshold;
  int r = passes && chase_within(&c, n - 1)
              ? 0
              : mrpb_fail(err, "miss rate of %" PRIu64 " lines: legal: up to %" PRIu64, n,
                          cfg->limit / d->line);
  for (uint64_t i = 0; r == 0 && i < n; i++) r = cache_map_units_add(&all, i, err);
  if (r == 0) r = chase_walk(&c, all.v, all.n, passes < 4 ? 4 : passes, passes);
  if (r == 0) *rate = (double)c.misses / (double)(n * passes);
  if (missed) *missed = 0;
  for (uint64_t i = 0; r == 0 && missed && i < n; i++) *missed += c.missed[i] != 0;
  free(all.v);
  chase_free(&c);
  return r;
}
