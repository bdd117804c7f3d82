/* SPDX-License-Identifier: Apache-2.0 */
/* See cache.h. */
#include "gpu/ports/cache.h"

#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

int cache_open(cache_t *c, const cache_cfg_t *cfg, mrpb_err_t *err) {
  tag_array_cfg_t t = {.sets = cfg->sets,
                       .ways = cfg->ways,
                       .extra = cfg->extra,
                       .shift = cfg->shift,
                       .replacement = cfg->replacement};
  *c = (cache_t){.log2 = cfg->log2, .shift = cfg->shift};
  if (cfg->sets == 0) return 0;
  if ((cfg->sets & (cfg->sets - 1)) == 0 && cfg->extra == 0)
    c->recents = cfg->sets < CACHE_RECENT ? cfg->sets : CACHE_RECENT;
  c->places = cfg->sets * cfg->ways + cfg->extra;
  c->line = calloc(c->places, sizeof *c->line);
  c->when = calloc(c->places, sizeof *c->when);
  if (!c->line || !c->when) return mrpb_fail(err, "ports: out of memory");
  pool_large(c->line, c->places * sizeof *c->line);
  pool_large(c->when, c->places * sizeof *c->when);
  return tag_array_create(&c->tags, &t, err);
}

void cache_close(cache_t *c) {
  tag_array_destroy(c->tags);
  free(c->line);
  free(c->when);
  *c = (cache_t){0};
}

/* The tags say where the line is, or where it goes. */
static cache_answer_t look_up(cache_t *c, uint64_t line) {
  cache_answer_t a = {0};
  uint32_t owner;
  a.hit = tag_array_probe(c->tags, line, &a.place) == TAGS_HIT;
  c->tick++;
  if (a.hit) {
    tag_array_touch(c->tags, a.place, c->tick);
    return a;
  }
  a.replaced = tag_array_owner(c->tags, a.place, &owner);
  a.victim = c->line[a.place] << c->log2;
  tag_array_reserve(c->tags, a.place, line, c->tick, 0);
  tag_array_fill(c->tags, a.place);
  c->line[a.place] = line;
  c->when[a.place] = 0;
  return a;
}

/* Another access to the line that was accessed last in its set changes nothing. */
cache_answer_t cache_access(cache_t *c, uint64_t addr) {
  const uint64_t line = addr >> c->log2;
  if (!c->tags) return (cache_answer_t){0};
  if (c->recents == 0) return look_up(c, line);
  cache_recent_t *r = &c->recent[line >> c->shift & (c->recents - 1)];
  if (r->line == line + 1) return (cache_answer_t){.hit = true, .place = r->place};
  const cache_answer_t a = look_up(c, line);
  *r = (cache_recent_t){line + 1, a.place};
  return a;
}

bool cache_holds(const cache_t *c, uint64_t addr) {
  uint32_t place;
  return c->tags && tag_array_probe(c->tags, addr >> c->log2, &place) == TAGS_HIT;
}

static void forget(cache_t *c) {
  memset(c->recent, 0, sizeof c->recent);
}

void cache_drop(cache_t *c, uint64_t addr) {
  uint32_t place;
  if (!c->tags || tag_array_probe(c->tags, addr >> c->log2, &place) != TAGS_HIT) return;
  tag_array_evict(c->tags, place);
  forget(c);
}

void cache_empty(cache_t *c) {
  for (uint32_t place = 0; c->tags && place < c->places; place++) tag_array_evict(c->tags, place);
  forget(c);
}
