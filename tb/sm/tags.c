/* L1D tag array: see tags.h. Replacement, the set number, and the sets that are scanned. */
#include "module.h"
#include "sm/tags_state.h"

#include <stdlib.h>

enum { HOST_LINE = 64, SCAN_WAYS = 16, FERMI_WAY = 1, FERMI_WEIGHT = 3 };

int tags_create(tags_t **out, const tags_cfg_t *cfg, mrpb_err_t *err) {
  size_t lines = (size_t)cfg->sets * cfg->ways;
  tags_t *t = module_alloc(sizeof *t);
  *out = t;
  if (t) t->owner = calloc(lines, sizeof *t->owner);
  if (t) t->memory = calloc(1, lines * sizeof t->tag[0] + HOST_LINE);
  if (!t || !t->owner || !t->memory)
    return mrpb_fail(err, "tags: out of memory for %u x %u lines", cfg->sets, cfg->ways);
  t->tag = (tag_t *)(void *)((char *)t->memory + HOST_LINE - (uintptr_t)t->memory % HOST_LINE);
  t->cfg = *cfg;
  t->mask = (cfg->sets & (cfg->sets - 1)) == 0 ? cfg->sets - 1 : 0;
  t->prng = prng_seed(cfg->seed, 0);
  t->draw = (uint32_t)(prng_next(&t->prng) >> 32);
  bool wide = cfg->lookup == TAGS_AUTO ? cfg->ways > SCAN_WAYS : cfg->lookup == TAGS_INDEX;
  return wide && cfg->replacement != TAGS_FERMI ? tags_index_create(t, err) : 0;
}

void tags_destroy(tags_t *t) {
  if (!t) return;
  tags_index_destroy(t->index);
  free(t->owner);
  free(t->memory);
  free(t);
}

/* Address bits 7 to 11, XOR bits 13, 14, 15, 17 and 19; with 64 sets bit 12 on top. */
static uint32_t hashed_set(uint64_t line, uint32_t sets) {
  uint64_t upper = (line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4;
  uint32_t set = (uint32_t)((line ^ upper) & 31);
  return sets == 64 ? set | (uint32_t)(line & 32) : set;
}

static uint32_t set_of(const tags_t *t, uint64_t line) {
  if (t->cfg.hash) return hashed_set(line, t->cfg.sets);
  return t->mask || t->cfg.sets == 1 ? (uint32_t)line & t->mask : (uint32_t)(line % t->cfg.sets);
}

/* One way of the set has three times the weight of each other; those that are reserved have none.
 */
static uint32_t fermi_victim(const tags_t *t, uint32_t first) {
  uint32_t total = 0, way = 0;
  for (uint32_t i = 0; i < t->cfg.ways; i++)
    if (tag_state(&t->tag[first + i]) == LINE_VALID) total += i == FERMI_WAY ? FERMI_WEIGHT : 1;
  uint32_t left = (uint32_t)((uint64_t)t->draw * total >> 32);
  for (;; way++) {
    if (tag_state(&t->tag[first + way]) != LINE_VALID) continue;
    uint32_t weight = way == FERMI_WAY ? FERMI_WEIGHT : 1;
    if (left < weight) return first + way;
    left -= weight;
  }
}

tags_status_t tags_probe(const tags_t *t, uint64_t line, uint32_t *index) {
  uint32_t set = set_of(t, line);
  if (t->index) return tags_index_probe(t, set, line, index);
  uint32_t first = set * t->cfg.ways, invalid = UINT32_MAX, oldest = UINT32_MAX;
  uint64_t used = UINT64_MAX;
  for (uint32_t i = first; i < first + t->cfg.ways; i++) {
    const tag_t *tag = &t->tag[i];
    unsigned state = tag_state(tag);
    if (state == LINE_INVALID) {
      invalid = i;
    } else if (tag_line(tag) == line) {
      *index = i;
      return state == LINE_RESERVED ? TAGS_HIT_RESERVED : TAGS_HIT;
    } else if (state == LINE_VALID && tag->used < used) {
      used = tag->used;
      oldest = i;
    }
  }
  if (invalid == UINT32_MAX && oldest == UINT32_MAX) return TAGS_ALL_RESERVED;
  *index = invalid != UINT32_MAX              ? invalid
           : t->cfg.replacement == TAGS_FERMI ? fermi_victim(t, first)
                                              : oldest;
  return TAGS_MISS;
}

void tags_touch(tags_t *t, uint32_t index, uint64_t now) {
  if (t->cfg.replacement != TAGS_LRU) return;
  t->tag[index].used = now;
  if (t->index) tags_index_move(t, index);
}

void tags_reserve(tags_t *t, uint32_t index, uint64_t line, uint64_t now, uint32_t owner) {
  tag_t *tag = &t->tag[index];
  if (t->index) tags_index_leave(t, index);
  if (tag_state(tag) == LINE_VALID && t->cfg.replacement == TAGS_FERMI)
    t->draw = (uint32_t)(prng_next(&t->prng) >> 32);
  *tag = (tag_t){line << STATE_W | LINE_RESERVED, now};
  t->owner[index] = owner;
  t->reserved++;
  if (t->index) tags_index_enter(t, index);
}

void tags_fill(tags_t *t, uint32_t index) {
  if (tag_state(&t->tag[index]) == LINE_RESERVED) {
    t->reserved--;
    if (t->index) tags_index_fill(t, index);
  }
  tag_set_state(&t->tag[index], LINE_VALID);
}

void tags_evict(tags_t *t, uint32_t index) {
  if (t->index) tags_index_leave(t, index);
  if (tag_state(&t->tag[index]) == LINE_RESERVED) t->reserved--;
  tag_set_state(&t->tag[index], LINE_INVALID);
}

bool tags_owner(const tags_t *t, uint32_t index, uint32_t *owner) {
  *owner = t->owner[index];
  return tag_state(&t->tag[index]) != LINE_INVALID;
}

uint32_t tags_reserved(const tags_t *t) {
  return t->reserved;
}
