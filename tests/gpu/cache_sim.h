/* SPDX-License-Identifier: Apache-2.0 */
/* A small cache or TLB for the tests of the deductions: any sets, ways, mapping and replacement,
 * with the interface of a P-chase. Up to two of them can be chained. */
#ifndef CACHE_SIM_H
#define CACHE_SIM_H

#include "err.h"
#include "prng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIM_LRU, SIM_FIFO, SIM_FERMI, SIM_RANDOM, SIM_PATTERN };

typedef struct {
  uint64_t line, sector; /* in bytes; sector 0: the whole line */
  uint32_t sets, ways;
  uint32_t low_bit;                   /* the set: address bits from this one on... */
  uint32_t (*map)(uint64_t line);     /* ... or this function */
  uint32_t (*set_ways)(uint32_t set); /* unequal sets: at most `ways` */
  unsigned policy;
} sim_cfg_t;

typedef struct {
  uint64_t line, used, came;
  uint32_t sectors; /* bit s: sector s is present; 0: the way is free */
} sim_way_t;

typedef struct {
  sim_cfg_t cfg;
  sim_way_t *way;
  uint64_t now, *hand;
  prng_t prng;
} sim_cache_t;

typedef struct {
  sim_cache_t level[2];
  unsigned n;
  uint32_t latency[3]; /* hit in the first, hit in the second, miss in both */
  bool flush;          /* each call begins with empty caches */
  uint64_t reads;
} sim_t;

static inline void sim_open(sim_t *s, const sim_cfg_t *cfg, unsigned n, uint64_t seed) {
  *s = (sim_t){.n = n, .latency = {116, 404, 655}};
  for (unsigned i = 0; i < n; i++) {
    sim_cache_t *c = &s->level[i];
    *c = (sim_cache_t){.cfg = cfg[i], .prng = prng_seed(seed, i)};
    if (!c->cfg.sector) c->cfg.sector = c->cfg.line;
    c->way = calloc((size_t)c->cfg.sets * c->cfg.ways, sizeof *c->way);
    c->hand = calloc(c->cfg.sets, sizeof *c->hand);
  }
}

static inline void sim_close(sim_t *s) {
  for (unsigned i = 0; i < s->n; i++) {
    free(s->level[i].way);
    free(s->level[i].hand);
  }
}

static inline uint32_t sim_victim(sim_cache_t *c, uint32_t set_number, const sim_way_t *set,
                                  uint32_t ways) {
  uint32_t best = 0;
  for (uint32_t w = ways; w-- > 0;)
    if (!set[w].sectors) return w;
  switch (c->cfg.policy) {
  case SIM_FERMI:
    best = prng_below(&c->prng, ways + 2);
    return best < ways ? best : 1;
  case SIM_RANDOM:
    return prng_below(&c->prng, ways);
  case SIM_PATTERN: /* every second victim is way 1; the other ways take turns */
    return ++c->hand[set_number] % 2 ? 1 : (uint32_t)(c->hand[set_number] / 2 % ways);
  default:
    for (uint32_t w = 1; w < ways; w++)
      if (c->cfg.policy == SIM_LRU ? set[w].used < set[best].used : set[w].came < set[best].came)
        best = w;
    return best;
  }
}

static inline bool sim_read(sim_cache_t *c, uint64_t address) {
  uint64_t line = address / c->cfg.line;
  uint32_t sector = UINT32_C(1) << address % c->cfg.line / c->cfg.sector;
  uint32_t set =
      c->cfg.map ? c->cfg.map(line) : (uint32_t)((address >> c->cfg.low_bit) % c->cfg.sets);
  uint32_t ways = c->cfg.set_ways ? c->cfg.set_ways(set) : c->cfg.ways;
  sim_way_t *way = &c->way[(size_t)set * c->cfg.ways];
  c->now++;
  for (uint32_t w = 0; w < ways; w++) {
    if (!way[w].sectors || way[w].line != line) continue;
    bool hit = way[w].sectors & sector;
    way[w].sectors |= sector;
    way[w].used = c->now;
    return hit;
  }
  way[sim_victim(c, set, way, ways)] = (sim_way_t){line, c->now, c->now, sector};
  return false;
}

static inline int sim_chase(void *ctx, const uint64_t *addr, size_t n, size_t warm, size_t logged,
                            uint32_t *latency, mrpb_err_t *err) {
  sim_t *s = ctx;
  (void)err;
  for (unsigned i = 0; s->flush && i < s->n; i++)
    memset(s->level[i].way, 0,
           (size_t)s->level[i].cfg.sets * s->level[i].cfg.ways * sizeof *s->level[i].way);
  for (size_t k = 0; k < warm + logged; k++, s->reads++) {
    unsigned level = 0;
    while (level < s->n && !sim_read(&s->level[level], addr[k % n])) level++;
    if (k >= warm) latency[k - warm] = s->latency[level];
  }
  return 0;
}

#endif
