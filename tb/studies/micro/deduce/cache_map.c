/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which lines share a set: see cache_map.h. */
#include "studies/micro/deduce/cache_map.h"

#include "base/grow.h"
#include <stdlib.h>
#include <string.h>

enum {
  LOOK_WARM = 2,
  LOOK = 2,
  LOOK_BEHIND = 8,
  STARE_WARM = 4,
  STARE = 24,
  STARES = 5,
  QUIET = 16,
  MET = 10, /* capacities, and lines more, within which every set is met */
  MET_LEAST = 64
};

int cache_map_units_add(units_t *u, uint64_t v, mrpb_err_t *err) {
  uint64_t *more = grow(u->v, u->n + 1, &u->room, sizeof *more);
  if (!more) return mrpb_fail(err, "cache deduction: out of memory for %zu lines", u->n + 1);
  u->v = more;
  u->v[u->n++] = v;
  return 0;
}

int cache_map_units_all(units_t *to, const units_t *from, mrpb_err_t *err) {
  for (size_t i = 0; i < from->n; i++)
    if (cache_map_units_add(to, from->v[i], err) != 0) return -1;
  return 0;
}

bool cache_map_units_has(const units_t *u, uint64_t v) {
  for (size_t i = 0; i < u->n; i++)
    if (u->v[i] == v) return true;
  return false;
}

int cache_ballast(const chase_t *c, const units_t *pool, const units_t *m, units_t *to) {
  uint64_t wanted = c->cfg.level ? c->upper : 0;
  for (size_t i = 0; i < pool->n && wanted; i++) {
    if (cache_map_units_has(m, pool->v[i])) continue;
    if (cache_map_units_add(to, pool->v[i], c->err) != 0) return -1;
    wanted--;
  }
  return 0;
}

int cache_set_fits(chase_t *c, const units_t *pool, const units_t *m) {
  units_t all = {0};
  int r = -1;
  if (cache_map_units_all(&all, m, c->err) == 0 && cache_ballast(c, pool, m, &all) == 0)
    r = chase_fits(c, all.v, all.n);
  free(all.v);
  return r;
}

/* Adds to *m the units that missed in the last walk over `all`, and keeps the last unit of `all` at
 * the end of *m. */
static int gather(const chase_t *c, const units_t *all, units_t *m) {
  units_t more = {0};
  int r = 0;
  for (size_t i = 0; r == 0 && i + 1 < all->n; i++)
    if (c->missed[i] || cache_map_units_has(m, all->v[i]))
      r = cache_map_units_add(&more, all->v[i], c->err);
  if (r == 0) r = cache_map_units_add(&more, all->v[all->n - 1], c->err);
  free(m->v);
  *m = more;
  return r;
}

/* `m` fits but `all` does not: adds the lines that make the difference, one by one. */
static int complete_set(chase_t *c, const units_t *all, units_t *m) {
  units_t rest = {0}, some = {0};
  int r = 0, fits = 1;
  for (size_t i = 0; r == 0 && i < all->n; i++)
    if (!cache_map_units_has(m, all->v[i])) r = cache_map_units_add(&rest, all->v[i], c->err);
  while (r == 0 && fits == 1) {
    size_t good = 0, bad = rest.n; /* number of lines of the rest: `good` fit, `bad` do not */
    while (r == 0 && good + 1 < bad) {
      size_t middle = good + (bad - good) / 2;
      some.n = 0;
      r = cache_map_units_all(&some, m, c->err);
      for (size_t i = 0; r == 0 && i < middle; i++)
        r = cache_map_units_add(&some, rest.v[i], c->err);
      if (r == 0) fits = chase_fits(c, some.v, some.n);
      if (fits < 0) r = -1;
      *(fits ? &good : &bad) = middle;
    }
    if (r != 0 || bad == 0) break;
    uint64_t x = m->v[m->n - 1];
    m->v[m->n - 1] = rest.v[bad - 1];
    r = cache_map_units_add(m, x, c->err);
    rest.n = bad - 1;
    if (r == 0) fits = chase_fits(c, m->v, m->n);
  }
  free(rest.v);
  free(some.v);
  return fits < 0 ? -1 : r;
}

/* Removes the lines `out` from `m` if the others still do not fit. Returns whether they fit: 1
 * (nothing is removed), 0, or -1 on an error. */
static int take_out(chase_t *c, units_t *m, const units_t *out) {
  units_t left = {0};
  int r = 0;
  for (size_t i = 0; r == 0 && i < m->n; i++)
    if (!cache_map_units_has(out, m->v[i])) r = cache_map_units_add(&left, m->v[i], c->err);
  int fits = r == 0 ? chase_fits(c, left.v, left.n) : -1;
  units_t *unused = &left, swap = *m;
  if (fits == 0) {
    *m = left;
    unused = &swap;
  }
  free(unused->v);
  return fits;
}

/* Removes from `m` the lines that are not needed to overflow the set: all lines without misses at
 * once, or else one by one. */
static int purge(chase_t *c, units_t *m) {
  if (chase_walk(c, m->v, m->n, STARE_WARM, STARE) != 0) return -1;
  units_t quiet = {0};
  int r = 0;
  for (size_t i = 0; r == 0 && i + 1 < m->n; i++)
    if (!c->missed[i]) r = cache_map_units_add(&quiet, m->v[i], c->err);
  if (r == 0 && quiet.n) r = take_out(c, m, &quiet);
  for (size_t i = 0; r == 1 && i < quiet.n; i++) {
    units_t one = {&quiet.v[i], 1, 1};
    if (take_out(c, m, &one) < 0) r = -1;
  }
  free(quiet.v);
  return r < 0 ? -1 : 0;
}

/* ---- one line too many ----------------------------------------------------- */

typedef struct {
  chase_t *c;
  const units_t *pool;
  const deduce_cache_t *d;
  uint64_t x;
  units_t *m;
  uint32_t *known;
} conflict_t;

static uint32_t set_of(const deduce_cache_t *d, uint64_t line) {
  return d && line < d->n_set_of ? d->set_of[line] : DEDUCE_CACHE_NO_SET;
}

int cache_lines_of(const deduce_cache_t *d, uint32_t set, uint64_t n, units_t *to,
                   mrpb_err_t *err) {
  for (uint64_t i = 0; i < d->n_set_of && to->n < n; i++)
    if (d->set_of[i] == set && cache_map_units_add(to, i, err) != 0) return -1;
  return 0;
}

/* Lines of known sets missed beside x: checks whether x overflows one of those sets. Removes from
 * *m the lines of known sets that x does not belong to. */
static int belongs(const conflict_t *q) {
  chase_t *c = q->c;
  units_t left = {0}, set = {0};
  uint32_t no = DEDUCE_CACHE_NO_SET;
  int r = 0;
  for (size_t i = 0; r == 0 && i < q->m->n; i++) {
    uint32_t s = set_of(q->d, q->m->v[i]);
    if (s == DEDUCE_CACHE_NO_SET) r = cache_map_units_add(&left, q->m->v[i], c->err);
    if (r != 0 || s == DEDUCE_CACHE_NO_SET || s == no) continue;
    set.n = 0;
    r = cache_lines_of(q->d, s, q->d->ways[s], &set, c->err);
    if (r == 0) r = cache_map_units_add(&set, q->x, c->err);
    int fits = r == 0 ? cache_set_fits(c, q->pool, &set) : -1;
    r = fits < 0 ? -1 : fits ? 0 : 2;
    *q->known = no = s;
  }
  free(set.v);
  free(q->m->v);
  *q->m = left;
  return r;
}

/* Walks longer when the first look did not settle the question because lines miss only now and
 * then. Lines of known sets may be left out. */
static int stare(const conflict_t *q) {
  chase_t *c = q->c;
  units_t all = {0};
  int r = 0, fits = 1;
  for (size_t i = 0; r == 0 && i < q->pool->n; i++)
    if (c->cfg.level || set_of(q->d, q->pool->v[i]) == DEDUCE_CACHE_NO_SET)
      r = cache_map_units_add(&all, q->pool->v[i], c->err);
  if (r == 0) r = cache_map_units_add(&all, q->x, c->err);
  for (unsigned k = 0; r == 0 && fits == 1 && k < STARES; k++) {
    r = chase_walk(c, all.v, all.n, STARE_WARM, STARE);
    if (r == 0 && c->clean) goto out; /* everything fits */
    if (r == 0) r = gather(c, &all, q->m);
    if (r == 0) fits = c->cfg.level ? k + 1 < STARES : chase_fits(c, q->m->v, q->m->n);
  }
  if (r == 0 && fits == 1) {
    fits = chase_fits(c, all.v, all.n);
    if (fits == 1) goto out;
    if (fits == 0) r = complete_set(c, &all, q->m);
  }
  if (r == 0 && fits == 0) r = c->cfg.level || purge(c, q->m) == 0 ? 1 : -1;
out:
  free(all.v);
  return fits < 0 ? -1 : r;
}

/* Whether all lines missed in the last walk, which was over `m`. */
static bool all_missed(const chase_t *c, const units_t *m) {
  for (size_t i = 0; i < m->n; i++)
    if (!c->missed[i]) return false;
  return true;
}

/* Walks over the pool and x; again after a flush if the misses are not regular. */
static int look(const conflict_t *q, units_t *all) {
  chase_t *c = q->c;
  if (cache_map_units_all(all, q->pool, c->err) != 0 || cache_map_units_add(all, q->x, c->err) != 0)
    return -1;
  size_t passes = c->cfg.level ? LOOK_BEHIND : LOOK;
  if (chase_walk(c, all->v, all->n, LOOK_WARM, passes) != 0) return -1;
  if (c->clean || c->alike || c->irregular) return 0;
  if (chase_flush(c) != 0 || chase_walk(c, all->v, all->n, LOOK_WARM, passes) != 0) return -1;
  c->irregular = !c->clean && !c->alike;
  return 0;
}

static int conflict(const conflict_t *q, units_t *all) {
  chase_t *c = q->c;
  q->m->n = 0;
  if (look(q, all) != 0) return -1;
  if (c->clean) return 0;
  bool alike = c->alike && c->misses > (c->cfg.level ? LOOK_BEHIND : LOOK);
  if (gather(c, all, q->m) != 0) return -1;
  int r = belongs(q);
  if (r != 0) return r;
  if (alike) {
    int fits = c->cfg.level ? 0 : chase_fits(c, q->m->v, q->m->n);
    if (fits < 0) return -1;
    if (fits == 0 && (c->cfg.level || all_missed(c, q->m))) return 1;
  }
  r = stare(q);
  if (r != 1 || !q->d) return r;
  int again = belongs(q);
  return again ? again : 1;
}

int cache_conflict(chase_t *c, const units_t *pool, const deduce_cache_t *d, uint64_t x, units_t *m,
                   uint32_t *known) {
  units_t all = {0};
  conflict_t q = {c, pool, d, x, m, known};
  int r = conflict(&q, &all);
  free(all.v);
  return r;
}

/* ---- all sets -------------------------------------------------------------- */

/* Makes room in set_of for line `x`. */
static int reach(deduce_cache_t *out, uint64_t x, mrpb_err_t *err) {
  if (x < out->n_set_of) return 0;
  uint32_t *set = realloc(out->set_of, (x + 1) * sizeof *set);
  if (!set) return mrpb_fail(err, "cache deduction: out of memory");
  for (uint64_t i = out->n_set_of; i <= x; i++) set[i] = DEDUCE_CACHE_NO_SET;
  out->set_of = set;
  out->n_set_of = x + 1;
  return 0;
}

static int new_set(deduce_cache_t *out, const units_t *m, mrpb_err_t *err) {
  uint32_t *ways = realloc(out->ways, (out->sets + 1) * sizeof *ways);
  if (!ways) return mrpb_fail(err, "cache deduction: out of memory for %u sets", out->sets + 1);
  out->ways = ways;
  ways[out->sets] = (uint32_t)m->n - 1;
  for (size_t i = 0; i < m->n; i++) out->set_of[m->v[i]] = out->sets;
  out->sets++;
  return 0;
}

/* Adds line `x` after all lines before it: it fits, belongs to a known set, or reveals a new
 * set. */
static int next_line(deduce_cache_t *out, chase_t *c, units_t *pool, uint64_t x,
                     uint64_t *unassigned, unsigned *quiet) {
  units_t m = {0};
  uint32_t known;
  int r = reach(out, x, c->err);
  if (r == 0) r = cache_conflict(c, pool, out, x, &m, &known);
  *quiet = r == 2 ? *quiet + 1 : 0;
  if (r == 0) {
    ++*unassigned;
    r = cache_map_units_add(pool, x, c->err);
  } else if (r == 1) {
    *unassigned -= m.n - 1 < *unassigned ? m.n - 1 : *unassigned;
    r = new_set(out, &m, c->err);
  } else if (r == 2) {
    out->set_of[x] = known;
    r = 0;
  }
  free(m.v);
  return r;
}

/* Whether so much of the budget is spent that the rest is for the replacement. */
static bool is_spent(const chase_t *c) {
  enum { PARTS = 4 };
  return c->accesses > c->cfg.budget / PARTS * (PARTS - 1);
}

/* If long runs of lines share a set, other sets begin beyond what the walk has reached. So it asks
 * whether a line twice as far away, four times ... still fits. Behind other caches this cannot be
 * asked. */
static int room_beyond(const deduce_cache_t *out, chase_t *c, const units_t *pool, bool *room) {
  uint32_t known;
  *room = false;
  for (uint64_t x = 2 * out->n_set_of; !c->cfg.level && !*room && chase_within(c, x); x *= 2) {
    units_t m = {0};
    int r = is_spent(c) ? 2 : cache_conflict(c, pool, out, x, &m, &known);
    free(m.v);
    if (r < 0) return -1;
    *room = r == 0;
  }
  return 0;
}

int cache_map(deduce_cache_t *out, chase_t *c) {
  units_t pool = {0};
  uint64_t n = out->capacity / out->line, unassigned = n;
  unsigned quiet = 0;
  int r = reach(out, n - 1, c->err);
  for (uint64_t i = 0; r == 0 && i < n; i++) r = cache_map_units_add(&pool, i, c->err);
  /* Sets of which the walk has met no line yet may begin a little further on. */
  for (uint64_t x = n; r == 0 && (unassigned || quiet < QUIET); x++) {
    if (x >= MET * pool.n + MET_LEAST || !chase_within(c, x) || is_spent(c)) break;
    r = next_line(out, c, &pool, x, &unassigned, &quiet);
  }
  out->lines = pool.n;
  bool room = false;
  if (r == 0) r = room_beyond(out, c, &pool, &room);
  out->complete = !unassigned && !room;
  free(pool.v);
  return r;
}

/* ---- the mapping ----------------------------------------------------------- */

static bool repeats(const deduce_cache_t *d, uint64_t period) {
  for (uint64_t i = 0; i + period < d->n_set_of; i++)
    if (d->set_of[i] != d->set_of[i + period]) return false;
  return true;
}

/* Whether lines whose numbers differ only in that bit ever lie in different sets. */
static bool matters(const deduce_cache_t *d, uint64_t first, uint64_t bit) {
  for (uint64_t i = 0; i < d->n_set_of; i++) {
    uint64_t other = ((first + i) ^ bit) - first;
    if (other < d->n_set_of && d->set_of[i] != d->set_of[other]) return true;
  }
  return false;
}

static bool bits_select(const deduce_cache_t *d, uint64_t first, uint64_t bits) {
  unsigned count = 0;
  for (uint64_t b = bits; b; b &= b - 1) count++;
  if (count > 31 || d->sets != UINT32_C(1) << count) return false;
  for (uint64_t i = 0; i < d->n_set_of; i++)
    for (uint64_t k = 0; k < i; k++)
      if ((((first + i) & bits) == ((first + k) & bits)) != (d->set_of[i] == d->set_of[k]))
        return false;
  return true;
}

void cache_mapping(deduce_cache_t *out, uint64_t base) {
  uint64_t n = out->n_set_of, first = base / out->line, bits = 0;
  if (!out->complete) return;
  out->period = 1;
  while (out->period < n && !repeats(out, out->period)) out->period++;
  if (out->line & (out->line - 1)) return;
  for (uint64_t bit = 1; bit < n; bit *= 2)
    if (matters(out, first, bit)) bits |= bit;
  out->selects = bits_select(out, first, bits);
  out->address_bits = bits * out->line;
}
