/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over lists of addresses: see chase.h. */
#include "studies/micro/deduce/chase.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 4, GAP = 2, BUDGET = 2000000, DISTINCT = 4096 };
enum { SETTLE = 2, PATIENT = 8, LONG = 64, FEW = 32 };

void chase_init(chase_t *c, const chase_cfg_t *cfg, mrpb_err_t *err) {
  *c = (chase_t){.cfg = *cfg, .err = err, .unit = cfg->step};
  if (!c->cfg.word) c->cfg.word = WORD;
  if (!c->cfg.gap) c->cfg.gap = GAP;
  if (!c->cfg.budget) c->cfg.budget = BUDGET;
}

void chase_free(chase_t *c) {
  free(c->addr);
  free(c->latency);
  free(c->missed);
  c->addr = NULL;
  c->latency = c->missed = NULL;
}

uint64_t chase_address(const chase_t *c, uint64_t i, uint64_t word) {
  return c->cfg.base + i * c->unit + (i * c->cfg.skew + word * c->cfg.word) % c->unit;
}

bool chase_within(const chase_t *c, uint64_t i) {
  return i < c->cfg.limit / c->unit;
}

int chase_room(chase_t *c, size_t n, size_t logged) {
  if (n > c->room) {
    uint64_t *addr = realloc(c->addr, n * sizeof *addr);
    if (addr) c->addr = addr;
    uint32_t *missed = realloc(c->missed, n * sizeof *missed);
    if (missed) c->missed = missed;
    if (!addr || !missed) return mrpb_fail(c->err, "P-chase: out of memory for %zu addresses", n);
    c->room = n;
  }
  if (logged > c->room_log) {
    uint32_t *latency = realloc(c->latency, logged * sizeof *latency);
    if (!latency) return mrpb_fail(c->err, "P-chase: out of memory for %zu latencies", logged);
    c->latency = latency;
    c->room_log = logged;
  }
  return 0;
}

int chase_run(chase_t *c, size_t n, size_t warm, size_t logged) {
  c->accesses += warm + logged;
  if (c->accesses > c->cfg.budget)
    return mrpb_fail(c->err,
                     "P-chase: %" PRIu64 " accesses do not suffice; legal: a larger budget, or a "
                     "coarser step than %" PRIu64 " bytes",
                     c->cfg.budget, c->cfg.step);
  return c->cfg.chase(c->cfg.ctx, c->addr, n, warm, logged, c->latency, c->err);
}

bool chase_missed(const chase_t *c, uint32_t latency) {
  return latency > c->cfg.threshold;
}

/* Reads the addresses in c->addr and counts the misses. */
static int run_passes(chase_t *c, size_t n, size_t warm, size_t passes) {
  if (chase_run(c, n, warm * n, passes * n) != 0) return -1;
  memset(c->missed, 0, n * sizeof *c->missed);
  size_t clean = 0;
  c->misses = 0;
  c->alike = true;
  for (size_t p = 0; p < passes; p++) {
    size_t before = c->misses;
    for (size_t i = 0; i < n; i++) {
      bool miss = chase_missed(c, c->latency[p * n + i]);
      c->missed[i] += miss;
      c->misses += miss;
      if (miss != chase_missed(c, c->latency[i])) c->alike = false;
    }
    clean += c->misses == before;
  }
  c->clean = c->cfg.level ? clean == passes : clean > 0;
  return 0;
}

int chase_walk(chase_t *c, const uint64_t *index, size_t n, size_t warm, size_t passes) {
  if (chase_room(c, n, n * passes) != 0) return -1;
  for (size_t i = 0; i < n; i++) c->addr[i] = chase_address(c, index[i], 0);
  return run_passes(c, n, warm, passes);
}

int chase_flush(chase_t *c) {
  uint64_t units = c->cfg.limit / c->unit, n = c->flush;
  if (n == 0 || units / 2 < n) return 0;
  uint64_t *addr = malloc(n * sizeof *addr), *kept = c->addr;
  if (!addr) return mrpb_fail(c->err, "P-chase: out of memory for %" PRIu64 " addresses", n);
  for (uint64_t i = 0; i < n; i++) addr[i] = chase_address(c, units - n + i, 0);
  c->addr = addr;
  int r = chase_run(c, n, n, 0);
  c->addr = kept;
  free(addr);
  return r;
}

/* Does chase_fits' work for the addresses in c->addr. */
static int fits(chase_t *c, size_t n) {
  size_t passes = c->cfg.level ? PATIENT : 1;
  if (chase_room(c, n, n * passes) != 0 || run_passes(c, n, SETTLE, passes) != 0) return -1;
  if (c->clean) return 1;
  if (n > FEW && !c->irregular && chase_flush(c) != 0) return -1;
  if (chase_room(c, n, n * PATIENT) != 0 || run_passes(c, n, SETTLE, PATIENT) != 0) return -1;
  if (c->clean || (c->alike && n > FEW)) return c->clean;
  if (!c->alike) c->irregular = c->flush != 0;
  if (run_passes(c, n, LONG, PATIENT) != 0) return -1;
  return c->clean;
}

int chase_fits(chase_t *c, const uint64_t *index, size_t n) {
  if (n == 0) return 1;
  if (chase_room(c, n, n) != 0) return -1;
  for (size_t i = 0; i < n; i++) c->addr[i] = chase_address(c, index[i], 0);
  return fits(c, n);
}

int chase_prefix_fits(chase_t *c, uint64_t n) {
  if (n == 0) return 1;
  if (chase_room(c, n, n) != 0) return -1;
  for (uint64_t i = 0; i < n; i++) c->addr[i] = chase_address(c, i, 0);
  return fits(c, n);
}

/* ---- hits and misses ------------------------------------------------------- */

typedef struct {
  uint32_t v[DISTINCT]; /* in ascending order */
  size_t n;
} distinct_t;

static int note(distinct_t *d, uint32_t v, mrpb_err_t *err) {
  size_t at = d->n;
  while (at > 0 && d->v[at - 1] >= v) at--;
  if (at < d->n && d->v[at] == v) return 0;
  if (d->n == DISTINCT)
    return mrpb_fail(err, "P-chase: more than %d different latencies; legal: a threshold",
                     DISTINCT);
  memmove(&d->v[at + 1], &d->v[at], (d->n - at) * sizeof *d->v);
  d->v[at] = v;
  d->n++;
  return 0;
}

/* The index at which group `g` of the latencies begins; d->n if there are fewer groups. */
static size_t group(const distinct_t *d, uint32_t g, uint32_t gap) {
  size_t i = 0;
  for (uint32_t k = 0; i < d->n && k < g; k++) {
    do {
      i++;
    } while (i < d->n && d->v[i] - d->v[i - 1] <= gap);
  }
  return i;
}

static int look(chase_t *c, uint64_t n, distinct_t *d) {
  if (chase_room(c, n, n) != 0) return -1;
  for (uint64_t i = 0; i < n; i++) c->addr[i] = chase_address(c, i, 0);
  if (chase_run(c, n, SETTLE * n, n) != 0) return -1;
  for (uint64_t i = 0; i < n; i++)
    if (note(d, c->latency[i], c->err) != 0) return -1;
  return 0;
}

/* The footprint after n: twice as large; behind other caches also one half as large again in
 * between, because the next cache may hold little more than they do. */
static uint64_t larger(const chase_t *c, uint64_t n) {
  bool power = (n & (n - 1)) == 0;
  uint64_t most = c->cfg.limit / c->unit, next = 2 * n;
  if (c->cfg.level && n > 1) next = power ? n + n / 2 : n + n / 3;
  return next < most ? next : most;
}

static uint64_t power_of_two(uint64_t least) {
  uint64_t n = 1;
  while (n < least) n *= 2;
  return n;
}

int chase_threshold(chase_t *c, uint64_t *bad) {
  distinct_t *d = calloc(1, sizeof *d);
  if (!d) return mrpb_fail(c->err, "P-chase: out of memory");
  const uint32_t given = c->cfg.threshold, level = c->cfg.level;
  uint32_t first = 0;
  int r = 0;
  *bad = 0;
  for (uint64_t n = 1, before = 0; r == 0 && !*bad && n > before; before = n, n = larger(c, n)) {
    r = look(c, n, d);
    if (r == 0 && n > 1 && d->v[0] + c->cfg.gap < first)
      r = mrpb_fail(c->err, "larger arrays return sooner: their misses look like hits");
    if (r != 0) break;
    if (n == 1) first = d->v[0];
    size_t miss = group(d, level + 1, c->cfg.gap);
    while (given && miss > 0 && d->v[miss - 1] > given) miss--;
    while (given && miss < d->n && d->v[miss] <= given) miss++;
    if (level && !c->upper && group(d, level, c->cfg.gap) < d->n) c->upper = power_of_two(n);
    if (miss == d->n) continue;
    if (given && miss == 0) {
      r = mrpb_fail(c->err, "P-chase: the least latency is %u cycles; legal threshold: not below",
                    d->v[0]);
      break;
    }
    c->hit = d->v[0];
    c->miss = d->v[miss];
    if (!given) c->cfg.threshold = d->v[miss - 1] + c->cfg.gap;
    *bad = n;
  }
  free(d);
  return r;
}
