/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/script.h"

#include "base/grow.h"
#include "bits.h"

#include <stdlib.h>
#include <string.h>

bool script_add_cycle(script_t *s, const script_cycle_t *cycle) {
  script_cycle_t *to = grow(s->cycle, s->n + 1, &s->room, sizeof *to);
  if (!to) return false;
  s->cycle = to;
  s->cycle[s->n++] = *cycle;
  return true;
}

bool script_add_item(script_t *s, unsigned i, const script_item_t item) {
  script_item_t *to = grow(s->item[i], s->items[i] + 1, &s->item_room[i], sizeof *to);
  if (!to) return false;
  s->item[i] = to;
  memcpy(s->item[i][s->items[i]++], item, sizeof *to);
  return true;
}

void script_close(script_t *s) {
  free(s->cycle);
  for (unsigned i = 0; i < STREAMS_MOST; i++) free(s->item[i]);
  *s = (script_t){.cycle = NULL};
}

size_t script_items(const script_t *s) {
  size_t n = 0;
  for (unsigned i = 0; i < STREAMS_MOST; i++) n += s->items[i];
  return n;
}

typedef struct {
  size_t at, n;
} range_t;

static bool in(range_t r, size_t i) {
  return i >= r.at && i - r.at < r.n;
}

/* Copies all but these cycles and items. */
static bool copy(script_t *to, const script_t *from, range_t cycles, range_t items) {
  to->n = 0;
  memcpy(to->first, from->first, sizeof to->first);
  memcpy(to->width, from->width, sizeof to->width);
  for (size_t t = 0; t < from->n; t++)
    if (!in(cycles, t) && !script_add_cycle(to, &from->cycle[t])) return false;
  for (unsigned i = 0, all = 0; i < STREAMS_MOST; i++) {
    to->items[i] = 0;
    for (size_t k = 0; k < from->items[i]; k++)
      if (!in(items, all++) && !script_add_item(to, i, from->item[i][k])) return false;
  }
  return true;
}

static const range_t none = {0, 0};

bool script_without_cycles(script_t *to, const script_t *from, size_t at, size_t n) {
  return copy(to, from, (range_t){at, n}, none);
}

bool script_without_items(script_t *to, const script_t *from, size_t at, size_t n) {
  return copy(to, from, none, (range_t){at, n});
}

bool script_prompt(script_t *to, const script_t *from, size_t at, size_t n) {
  if (!copy(to, from, none, none)) return false;
  for (size_t t = at; t < at + n; t++)
    if (!to->cycle[t].resets) to->cycle[t].offer = to->cycle[t].ready = UINT16_MAX;
  return true;
}

bool script_plain(script_t *to, const script_t *from, size_t at, size_t n) {
  const range_t some = {at, n};
  if (!copy(to, from, none, none)) return false;
  for (unsigned i = 0, all = 0; i < STREAMS_MOST; i++)
    for (size_t k = 0; k < to->items[i]; k++) {
      if (!in(some, all++)) continue;
      uint64_t *w = to->item[i][k];
      memset(w + 1, 0, sizeof *to->item[i] - sizeof *w);
      w[1] = (k + 1) & (to->width[i] ? bits_mask(to->width[i] < 64 ? to->width[i] : 64) : 0);
    }
  return true;
}

bool script_same(const script_t *a, const script_t *b) {
  bool same = a->n == b->n;
  for (size_t t = 0; same && t < a->n; t++)
    same = a->cycle[t].offer == b->cycle[t].offer && a->cycle[t].ready == b->cycle[t].ready;
  for (unsigned i = 0; same && i < STREAMS_MOST; i++)
    same =
        a->items[i] == b->items[i] &&
        (a->items[i] == 0 || memcmp(a->item[i], b->item[i], a->items[i] * sizeof *a->item[i]) == 0);
  return same;
}
