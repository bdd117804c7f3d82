/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which line a full set replaces: see cache_map.h. Of w + 1 lines in a set of w ways
 * exactly one is absent at any time, so the victim of a miss is the line that misses next. */
#include "studies/micro/deduce/cache_map.h"
#include "prng.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 8, SETTLE = 16, SHORT = 32, LONG = 12000, TRIES = 4, REPEATS = 8 };

typedef struct {
  chase_t *c;
  units_t line;    /* w + 1 lines of a set */
  units_t ballast; /* lines of other sets, which keep the caches in front busy */
  /* The log: which of the lines was read, and whether it missed. */
  uint32_t *which;
  bool *missed;
  size_t n, misses;
  bool hidden; /* a cache in front served one of the reads */
} watch_t;

static int room(watch_t *w, size_t n) {
  uint32_t *which = realloc(w->which, n * sizeof *which);
  if (which) w->which = which;
  bool *missed = realloc(w->missed, n * sizeof *missed);
  if (missed) w->missed = missed;
  if (!which || !missed) return mrpb_fail(w->c->err, "cache deduction: out of memory");
  return 0;
}

static void log_access(watch_t *w, uint32_t line, uint32_t latency) {
  w->which[w->n] = line;
  w->missed[w->n] = chase_missed(w->c, latency);
  w->misses += w->missed[w->n++];
  w->hidden |= w->c->cfg.level && latency <= w->c->hit + w->c->cfg.gap;
}

static void begin_log(watch_t *w) {
  w->n = w->misses = 0;
  w->hidden = false;
}

/* Walks over the lines in order. */
static int in_order(watch_t *w, size_t passes) {
  units_t all = {0};
  size_t n = w->line.n;
  begin_log(w);
  int r = cache_map_units_all(&all, &w->line, w->c->err);
  if (r == 0) r = cache_map_units_all(&all, &w->ballast, w->c->err);
  if (r == 0) r = chase_walk(w->c, all.v, all.n, SETTLE, passes);
  if (r == 0) r = room(w, passes * n);
  for (size_t p = 0; r == 0 && p < passes; p++)
    for (size_t i = 0; i < n; i++) log_access(w, (uint32_t)i, w->c->latency[p * all.n + i]);
  free(all.v);
  return r;
}

static unsigned repeats(const watch_t *w) {
  size_t n = w->line.n, passes = w->n / n;
  for (unsigned period = 1; period <= passes / 2; period++) {
    size_t i = period * n;
    while (i < w->n && w->missed[i] == w->missed[i - period * n]) i++;
    if (i >= w->n) return period;
  }
  return 0;
}

/* ---- LRU or FIFO ----------------------------------------------------------- */

/* An order in which the lines are read repeatedly: mostly round and round, occasionally another
 * line, but none of the `recent` lines read last, which the caches in front may still hold. The
 * first and the last round have no other lines in between, so that the list can be repeated. */
typedef struct {
  uint32_t lines, words, recent;
  uint32_t *used, *order; /* words read of each line; the lines in the order of the list */
  size_t *last, n;        /* last: 1 + position of each line's last read, 0: none; n: list length */
} mix_t;

static bool may_follow(const mix_t *m, uint32_t line) {
  size_t later = 0;
  if (m->used[line] == m->words) return false;
  for (uint32_t l = 0; m->last[line] && l < m->lines; l++) later += m->last[l] > m->last[line];
  return m->last[line] == 0 || later >= m->recent;
}

static void follow(mix_t *m, uint32_t line) {
  if (!may_follow(m, line)) return;
  m->order[m->n++] = line;
  m->last[line] = m->n;
  m->used[line]++;
}

static void mix(mix_t *m, uint64_t seed) {
  prng_t prng = prng_seed(seed, 0);
  for (uint32_t round = 0; round <= m->words; round++)
    for (uint32_t next = 0; next < m->lines; next++) {
      if (round > 0 && round < m->words && prng_chance(&prng, 300))
        follow(m, prng_below(&prng, m->lines));
      follow(m, next);
    }
}

static int walk_mix(watch_t *w, const mix_t *m) {
  chase_t *c = w->c;
  const size_t n = m->n, apart = 1 + w->ballast.n;
  if (chase_room(c, n * apart, REPEATS * n * apart) != 0 || room(w, REPEATS * n) != 0) return -1;
  memset(m->used, 0, m->lines * sizeof *m->used);
  for (size_t i = 0; i < n; i++) {
    uint32_t l = m->order[i];
    c->addr[i * apart] = chase_address(c, w->line.v[l], m->used[l]++);
    for (size_t b = 0; b < w->ballast.n; b++)
      c->addr[i * apart + 1 + b] = chase_address(c, w->ballast.v[b], i);
  }
  if (chase_run(c, n * apart, SETTLE / 2 * n * apart, REPEATS * n * apart) != 0) return -1;
  begin_log(w);
  for (size_t i = 0; i < REPEATS * n; i++) log_access(w, m->order[i % n], c->latency[i * apart]);
  return 0;
}

static int mixed(watch_t *w, uint32_t words, uint32_t recent, uint64_t seed) {
  mix_t m = {.lines = (uint32_t)w->line.n, .words = words, .recent = recent};
  m.used = calloc(m.lines, sizeof *m.used);
  m.last = calloc(m.lines, sizeof *m.last);
  m.order = calloc((size_t)m.lines * words, sizeof *m.order);
  int r = -1;
  if (m.used && m.last && m.order) {
    mix(&m, seed);
    r = walk_mix(w, &m);
  } else {
    mrpb_fail(w->c->err, "cache deduction: out of memory");
  }
  free(m.used);
  free(m.last);
  free(m.order);
  return r;
}

/* Under LRU an access misses if and only if all other lines were read since the last access to its
 * line. */
static int is_lru(const watch_t *w, bool *lru) {
  const size_t lines = w->line.n;
  size_t *last = calloc(lines, sizeof *last); /* 1 + position of the line's last read; 0: none */
  if (!last) return mrpb_fail(w->c->err, "cache deduction: out of memory");
  *lru = true;
  for (size_t i = 0; *lru && i < w->n; i++) {
    uint32_t line = w->which[i];
    size_t others = 0;
    for (size_t l = 0; l < lines; l++) others += last[l] > last[line];
    if (last[line] && (others == lines - 1) != w->missed[i]) *lru = false;
    last[line] = i + 1;
  }
  free(last);
  return 0;
}

/* Under FIFO a line is evicted when all others have been filled after it, so misses recur in one
 * order. */
static bool is_fifo(const watch_t *w) {
  size_t lines = w->line.n, n = 0;
  uint32_t *order = calloc(w->misses + 1, sizeof *order);
  bool same = order && w->misses > lines;
  for (size_t i = 0; same && i < w->n; i++) {
    if (!w->missed[i]) continue;
    order[n] = w->which[i];
    if (n >= lines && order[n] != order[n - lines]) same = false;
    n++;
  }
  free(order);
  return same;
}

/* Tries several walks: one that fits both LRU and FIFO is too regular or too short. */
static int tell_from(watch_t *w, uint32_t words, uint32_t recent, deduce_cache_policy_t *policy) {
  for (uint64_t seed = 1; seed <= TRIES; seed++) {
    if (mixed(w, words, recent, seed) != 0) return -1;
    if (w->hidden) return 0;
    bool lru = false, fifo = is_fifo(w);
    if (is_lru(w, &lru) != 0) return -1;
    if (lru && fifo) continue;
    *policy = lru ? DEDUCE_CACHE_LRU : fifo ? DEDUCE_CACHE_FIFO : DEDUCE_CACHE_OTHER;
    return 0;
  }
  return 0;
}

/* A walk partly served by the caches in front says nothing. The next one then reads each line again
 * after more of the other lines. */
static int tell(watch_t *w, uint32_t words, deduce_cache_policy_t *policy) {
  uint32_t lines = (uint32_t)w->line.n;
  for (unsigned quarters = 0; quarters < 4 && *policy == DEDUCE_CACHE_UNKNOWN; quarters++)
    if (tell_from(w, words, lines * quarters / 4, policy) != 0) return -1;
  return 0;
}

/* ---- any other ------------------------------------------------------------- */

static int descending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* Tracks the ways: a line that misses takes the way of the line that will miss next. */
static void shares(deduce_cache_t *out, const watch_t *w) {
  uint32_t way[DEDUCE_CACHE_SHARES + 1], last = UINT32_MAX, count = 0;
  uint64_t replaced[DEDUCE_CACHE_SHARES] = {0};
  if (w->line.n > DEDUCE_CACHE_SHARES + 1) return;
  for (size_t i = 0; i < w->n; i++) {
    if (!w->missed[i]) continue;
    uint32_t line = w->which[i];
    if (last == UINT32_MAX) {
      for (uint32_t l = 0; l < w->line.n; l++) way[l] = l == line ? 0 : count++;
    } else {
      if (line == last) return; /* more than one line is absent */
      replaced[way[line]]++;
      out->victims++;
      way[last] = way[line];
    }
    last = line;
  }
  if (!out->victims) return;
  out->n_shares = (unsigned)w->line.n - 1;
  for (unsigned i = 0; i < out->n_shares; i++)
    out->share[i] = (double)replaced[i] / (double)out->victims;
  qsort(out->share, out->n_shares, sizeof *out->share, descending);
}

static int watch(deduce_cache_t *out, watch_t *w) {
  uint64_t words = out->fill / w->c->cfg.word; /* other sectors miss under any replacement */
  if (words > WORDS) words = WORDS;
  if (in_order(w, SHORT) != 0) return -1;
  out->repeats = repeats(w);
  /* Behind other caches each access needs a new word of every line of the ballast. */
  bool enough = !w->ballast.n || w->line.n * words <= w->c->unit / w->c->cfg.word;
  if (words >= 2 && enough && tell(w, (uint32_t)words, &out->policy) != 0) return -1;
  if (out->policy != DEDUCE_CACHE_OTHER) return 0;
  if (in_order(w, LONG / w->line.n + SHORT) != 0) return -1;
  out->repeats = repeats(w);
  if (!w->hidden) shares(out, w);
  return 0;
}

int cache_policy(deduce_cache_t *out, chase_t *c, uint32_t set) {
  watch_t w = {.c = c};
  units_t pool = {0};
  int r = 0;
  if (out->ways[set] == 1) {
    out->policy = DEDUCE_CACHE_DIRECT;
    out->repeats = 1;
    return 0;
  }
  r = cache_lines_of(out, set, out->ways[set] + UINT64_C(1), &w.line, c->err);
  for (uint64_t i = 0; r == 0 && i < out->n_set_of; i++)
    if (out->set_of[i] != set) r = cache_map_units_add(&pool, i, c->err);
  if (r == 0) r = cache_ballast(c, &pool, &w.line, &w.ballast);
  if (r == 0) r = watch(out, &w);
  free(w.line.v);
  free(w.ballast.v);
  free(w.which);
  free(w.missed);
  free(pool.v);
  return r;
}
