/* SPDX-License-Identifier: Apache-2.0 */
/* An L1 that carries the bytes itself (gpu/pipeline/l1_path.c): what it writes and what it answers
 * are compared with the packets that it has sent and received. */
#include "gpu/check/check_state.h"

#include "base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Versions of a line that the L1 may still hold, the newest first. A read that bypasses the L1 may
 * bring a newer one than the reads that wait for the older one. */
enum { VERSIONS = 3, PATH_ROOM = 256 };
struct check_versions {
  uint64_t line;
  check_data_t *data[VERSIONS];
};

static uint32_t slot_of(const check_path_t *p, uint64_t line) {
  uint32_t at = (uint32_t)(line / LINE * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (p->room - 1);
  while (p->lines[at].data[0] && p->lines[at].line != line) at = (at + 1) & (p->room - 1);
  return at;
}

static bool more_lines(check_sm_t *s) {
  check_path_t *p = &s->path, old = *p;
  if (2 * p->used < p->room) return true;
  p->room = old.room ? 2 * old.room : PATH_ROOM;
  p->lines = calloc(p->room, sizeof *p->lines);
  if (!p->lines) {
    *p = old;
    check_no_memory(s->check);
    return false;
  }
  for (uint32_t i = 0; i < old.room; i++)
    if (old.lines[i].data[0]) p->lines[slot_of(p, old.lines[i].line)] = old.lines[i];
  free(old.lines);
  return true;
}

void check_path_got(check_sm_t *s, const packet_t *p) {
  const uint64_t line = p->addr & ~(uint64_t)(LINE - 1);
  if (!p->data || !more_lines(s)) return;
  check_versions_t *v = &s->path.lines[slot_of(&s->path, line)];
  s->path.used += v->data[0] == NULL;
  check_data_drop(s->check, v->data[VERSIONS - 1]);
  memmove(&v->data[1], &v->data[0], (VERSIONS - 1) * sizeof v->data[0]);
  v->line = line;
  v->data[0] = check_data_copy(s->check, p->data);
  /* A sector that this reply does not bring is still the older one. */
  const check_data_t *older = v->data[1];
  for (unsigned i = 0; older && i < LINE; i++) {
    if (check_data_has(v->data[0], i) || !check_data_has(older, i)) continue;
    check_data_mark(v->data[0], i, 1);
    v->data[0]->byte[i] = older->byte[i];
    v->data[0]->store[i] = older->store[i];
  }
}

uint32_t check_path_word(const packet_t *p, unsigned at) {
  uint32_t word = 0;
  for (unsigned i = 0; p->data && i < sizeof word; i++)
    if (check_data_has(p->data, at + i)) word |= (uint32_t)p->data->byte[at + i] << 8 * i;
  return word;
}

static uint32_t word_of(const check_data_t *d, unsigned at) {
  uint32_t word = 0;
  for (unsigned i = 0; i < sizeof word; i++) word |= (uint32_t)d->byte[at + i] << 8 * i;
  return word;
}

/* The newest version that has `word` at `addr`; NULL if there is none. */
static const check_data_t *version(check_sm_t *s, uint64_t addr, uint32_t word) {
  const unsigned at = (unsigned)(addr % LINE) & ~3u;
  if (s->path.room == 0) return NULL;
  const check_versions_t *v = &s->path.lines[slot_of(&s->path, addr & ~(uint64_t)(LINE - 1))];
  for (unsigned k = 0; k < VERSIONS && v->data[k]; k++)
    if (check_data_has(v->data[k], at) && word_of(v->data[k], at) == word) return v->data[k];
  return NULL;
}

void check_path_answer(check_sm_t *s, unsigned warp, unsigned reg, const check_word_t *w) {
  const check_data_t *d = version(s, w->addr, w->word);
  if (!d) {
    check_broken(s,
                 "warp %u register %u: the L1 answers 0x%08" PRIx32 " for lane %u, 0x%" PRIx64
                 ", which no reply has brought",
                 warp, reg, w->word, w->lane, w->addr);
    return;
  }
  if (w->bytes > 0 && check_waits(s, warp, reg, w->first, w->bytes))
    check_arrived(s, warp, reg, w->first, w->bytes, d, FROM_FILL);
}

/* ---- stores ------------------------------------------------------------------ */

uint32_t check_store_word(const check_data_t *d, uint64_t addr) {
  return d ? word_of(d, (unsigned)(addr % LINE) & ~3u) : 0;
}

void check_path_store(check_sm_t *s, check_data_t *data) {
  check_path_t *p = &s->path;
  if (!data) return;
  check_data_t **more = grow(p->stores, p->n_stores + 1, &p->room_stores, sizeof *more);
  if (!more) {
    check_no_memory(s->check);
    return;
  }
  p->stores = more;
  p->stores[p->n_stores++] = data;
}

/* The store has all these bytes; it may have more, if its elements are wider than a word. */
static bool has_bytes(const check_data_t *d, const uint8_t byte[LINE], const uint64_t has[2]) {
  if ((has[0] & ~d->has[0]) | (has[1] & ~d->has[1])) return false;
  for (unsigned i = 0; i < LINE; i++)
    if (has[i / 64] >> i % 64 & 1 && d->byte[i] != byte[i]) return false;
  return true;
}

/* Takes the bytes `has` out of the store. */
static check_data_t *part_of(check_sm_t *s, check_data_t *d, const uint64_t has[2]) {
  check_data_t *part = check_data_copy(s->check, d);
  for (unsigned k = 0; k < 2; k++) {
    part->has[k] = has[k];
    d->has[k] &= ~has[k];
  }
  return part;
}

check_data_t *check_path_written(check_sm_t *s, uint64_t line, const uint8_t byte[LINE],
                                 const uint64_t has[2]) {
  check_path_t *p = &s->path;
  for (uint32_t i = 0; i < p->n_stores; i++) {
    check_data_t *d = p->stores[i];
    if (d->line != line || !has_bytes(d, byte, has)) continue;
    if (d->has[0] != has[0] || d->has[1] != has[1]) return part_of(s, d, has);
    memmove(&p->stores[i], &p->stores[i + 1], (--p->n_stores - i) * sizeof *p->stores);
    return d;
  }
  check_broken(s, "the L1 writes bytes to line 0x%" PRIx64 " that no store has sent", line);
  return NULL;
}

void check_path_close(check_sm_t *s) {
  free(s->path.lines);
  free(s->path.stores);
}
