/* SPDX-License-Identifier: Apache-2.0 */
/* Tag array, see tag_array.h: replacement, set numbers, and the sets that are scanned. */
#include "base/pool.h"
#include "module.h"
#include "parts/tag_array_state.h"

#include <stdlib.h>
#include <string.h>

enum { HOST_LINE = 64, SCAN_WAYS = 16, FERMI_WAY = 1 };

void *tag_array_take(const tag_array_cfg_t *cfg, size_t bytes) {
  if (cfg->pool) return pool_take(cfg->pool, bytes);
  void *memory = calloc(1, bytes);
  if (memory) pool_large(memory, bytes);
  return memory;
}

void tag_array_drop(const tag_array_cfg_t *cfg, void *memory) {
  if (!cfg->pool) free(memory);
}

static int check_hash(const tag_array_cfg_t *cfg, mrpb_err_t *err) {
  if (cfg->hash && (cfg->shift || cfg->extra))
    return mrpb_fail(err,
                     "tag_array: a hashed set number with shift %u, %u extra ways; legal: 0, 0",
                     cfg->shift, cfg->extra);
  if (cfg->hash == TAGS_HOPPER && cfg->sets != TAGS_HOPPER_SETS)
    return mrpb_fail(err, "tag_array: the set number of an H100 with %u sets; legal: %d", cfg->sets,
                     TAGS_HOPPER_SETS);
  return 0;
}

static size_t lines_of(const tag_array_cfg_t *cfg) {
  return (size_t)cfg->sets * cfg->ways + cfg->extra;
}

int tag_array_create(tag_array_t **out, const tag_array_cfg_t *cfg, mrpb_err_t *err) {
  *out = NULL;
  if (check_hash(cfg, err) != 0) return -1;
  tag_array_t *t = module_alloc(sizeof *t);
  const bool fermi = cfg->replacement == TAGS_FERMI;
  if (t) t->cfg = *cfg;
  if (t) t->owner = tag_array_take(cfg, lines_of(cfg) * sizeof *t->owner);
  if (t) t->memory = tag_array_take(cfg, lines_of(cfg) * sizeof *t->tag + HOST_LINE);
  if (t && fermi) t->fermi = tag_array_take(cfg, cfg->sets * sizeof *t->fermi);
  if (!t || !t->owner || !t->memory || (fermi && !t->fermi)) {
    tag_array_destroy(t);
    return mrpb_fail(err, "tag_array: out of memory for %u x %u lines", cfg->sets, cfg->ways);
  }
  t->tag = (tag_t *)(void *)((char *)t->memory + HOST_LINE - (uintptr_t)t->memory % HOST_LINE);
  t->mask = (cfg->sets & (cfg->sets - 1)) == 0 ? cfg->sets - 1 : 0;
  bool wide = cfg->lookup == TAGS_AUTO ? cfg->ways > SCAN_WAYS : cfg->lookup == TAGS_INDEX;
  if (wide && !fermi && cfg->extra == 0 && tag_array_index_create(t, err) != 0) {
    tag_array_destroy(t);
    return -1;
  }
  *out = t;
  return 0;
}

void tag_array_destroy(tag_array_t *t) {
  if (!t) return;
  tag_array_index_destroy(t);
  tag_array_drop(&t->cfg, t->fermi);
  tag_array_drop(&t->cfg, t->owner);
  tag_array_drop(&t->cfg, t->memory);
  free(t);
}

void tag_array_clear(tag_array_t *t) {
  memset(t->owner, 0, lines_of(&t->cfg) * sizeof *t->owner);
  memset(t->tag, 0, lines_of(&t->cfg) * sizeof *t->tag);
  if (t->fermi) memset(t->fermi, 0, t->cfg.sets * sizeof *t->fermi);
  if (t->index) tag_array_index_clear(t);
  t->reserved = 0;
}

/* Address bits 7 to 11, XORed with bits 13, 14, 15, 17 and 19; with 64 sets bit 12 on top. */
static uint32_t hashed_set(uint64_t line, uint32_t sets) {
  uint64_t upper = (line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4;
  uint32_t set = (uint32_t)((line ^ upper) & 31);
  return sets == 64 ? set | (uint32_t)(line & 32) : set;
}

static uint32_t folded_set(uint64_t line, uint32_t mask) {
  const int bits = __builtin_popcount(mask);
  uint64_t set = 0;
  for (line &= (UINT64_C(1) << TAGS_LINE_BITS) - 1; bits && line; line >>= bits) set ^= line;
  return (uint32_t)set & mask;
}

/* Holds for lines up to 2^20 lines (128 MB) apart; the effect of higher bits was not measured. */
static uint32_t hopper_set(uint64_t line) {
  const uint64_t lower = 0xf7ab5, upper = 0xad5da;
  const int odd = __builtin_parityll(line & lower), high = __builtin_parityll(line & upper);
  return (uint32_t)(odd | high << 1);
}

static uint32_t hashed(const tag_array_cfg_t *c, uint64_t line) {
  if (c->hash == TAGS_HOPPER) return hopper_set(line);
  return c->hash == TAGS_XOR ? folded_set(line, c->sets - 1) : hashed_set(line, c->sets);
}

uint32_t tag_array_set(const tag_array_cfg_t *c, uint64_t line) {
  return c->hash ? hashed(c, line) : (uint32_t)((line >> c->shift) % c->sets);
}

static uint32_t set_of(const tag_array_t *t, uint64_t line) {
  const tag_array_cfg_t *c = &t->cfg;
  if (c->hash) return hashed(c, line);
  line >>= c->shift;
  if (c->extra) {
    uint64_t equal = (uint64_t)c->sets * c->ways, i = line % (equal + c->extra);
    return i < equal ? (uint32_t)(i % c->sets) : 0;
  }
  return t->mask || c->sets == 1 ? (uint32_t)line & t->mask : (uint32_t)(line % c->sets);
}

/* ---- Fermi ----------------------------------------------------------------- */

/* Every second victim of a set is FERMI_WAY; the others come from the other ways in ascending turn.
 * Reserved ways are skipped. The set has a valid way and no invalid one. */
static uint32_t fermi_victim(const tag_array_t *t, uint32_t set, uint32_t first, uint32_t ways) {
  const fermi_t *f = &t->fermi[set];
  bool only = ways <= FERMI_WAY;
  bool free_way = !only && tag_state(&t->tag[first + FERMI_WAY]) == LINE_VALID;
  if (free_way && !f->others_turn) return first + FERMI_WAY;
  uint32_t way = f->other;
  for (uint32_t n = 0; n < ways; n++, way = way + 1 < ways ? way + 1 : 0)
    if ((way != FERMI_WAY || only) && tag_state(&t->tag[first + way]) == LINE_VALID)
      return first + way;
  return first + FERMI_WAY;
}

/* Line `index` has been replaced. */
static void fermi_turn(tag_array_t *t, uint32_t index) {
  uint32_t big = t->cfg.ways + t->cfg.extra;
  uint32_t set = index < big ? 0 : (index - t->cfg.extra) / t->cfg.ways;
  uint32_t way = index - set * t->cfg.ways - (set ? t->cfg.extra : 0);
  uint32_t ways = set ? t->cfg.ways : big;
  fermi_t *f = &t->fermi[set];
  f->others_turn = !f->others_turn;
  if (way != FERMI_WAY) f->other = way + 1 < ways ? way + 1 : 0;
}

static tag_array_status_t scan(const tag_array_t *t, uint32_t set, uint64_t line, uint32_t *index) {
  uint32_t first = set * t->cfg.ways, end = first + t->cfg.ways;
  uint32_t invalid = UINT32_MAX, oldest = UINT32_MAX;
  uint64_t used = UINT64_MAX;
  end += t->cfg.extra; /* set 0's extra ways lie before the other sets */
  if (set) first += t->cfg.extra;
  for (uint32_t i = first; i < end; i++) {
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
  *index = invalid != UINT32_MAX ? invalid
           : t->fermi            ? fermi_victim(t, set, first, end - first)
                                 : oldest;
  return TAGS_MISS;
}

static uint32_t valid_lines(const tag_array_t *t, uint32_t set) {
  uint32_t n = 0;
  if (t->index) return tag_array_index_valid(t, set);
  for (uint32_t way = 0; way < t->cfg.ways; way++)
    n += tag_state(&t->tag[set * t->cfg.ways + way]) == LINE_VALID;
  return n;
}

tag_array_status_t tag_array_probe(const tag_array_t *t, uint64_t line, uint32_t *index) {
  const uint32_t recent = t->recent[line % TAGS_RECENT];
  if (t->tag[recent].word == (line << STATE_W | LINE_VALID)) {
    *index = recent;
    return TAGS_HIT;
  }
  const uint32_t set = set_of(t, line);
  const tag_array_status_t status =
      t->index ? tag_array_index_probe(t, set, line, index) : scan(t, set, line, index);
  if (t->cfg.kept == 0 || status != TAGS_MISS || tag_state(&t->tag[*index]) == LINE_INVALID)
    return status;
  return valid_lines(t, set) > t->cfg.kept ? TAGS_MISS : TAGS_ALL_RESERVED;
}

void tag_array_touch(tag_array_t *t, uint32_t index, uint64_t now) {
  t->recent[tag_line(&t->tag[index]) % TAGS_RECENT] = index;
  if (t->cfg.replacement != TAGS_LRU) return;
  t->tag[index].used = now;
  if (t->index) tag_array_index_move(t, index);
}

void tag_array_reserve(tag_array_t *t, uint32_t index, uint64_t line, uint64_t now,
                       uint32_t owner) {
  tag_t *tag = &t->tag[index];
  if (t->index) tag_array_index_leave(t, index);
  if (t->fermi && tag_state(tag) == LINE_VALID) fermi_turn(t, index);
  *tag = (tag_t){line << STATE_W | LINE_RESERVED, now};
  t->owner[index] = owner;
  t->reserved++;
  if (t->index) tag_array_index_enter(t, index);
}

void tag_array_fill(tag_array_t *t, uint32_t index) {
  if (tag_state(&t->tag[index]) == LINE_RESERVED) {
    t->reserved--;
    if (t->index) tag_array_index_fill(t, index);
  }
  tag_set_state(&t->tag[index], LINE_VALID);
}

void tag_array_evict(tag_array_t *t, uint32_t index) {
  if (t->index) tag_array_index_leave(t, index);
  if (tag_state(&t->tag[index]) == LINE_RESERVED) t->reserved--;
  tag_set_state(&t->tag[index], LINE_INVALID);
}

bool tag_array_owner(const tag_array_t *t, uint32_t index, uint32_t *owner) {
  *owner = t->owner[index];
  return tag_state(&t->tag[index]) != LINE_INVALID;
}

uint32_t tag_array_reserved(const tag_array_t *t) {
  return t->reserved;
}
