/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of written lines: an entry for each line and each SM that writes it. Entries of another
 * round than the current one are free, so the table needs no clearing. */
#include "gpu/windows/touched.h"

#include <stdlib.h>

void touched_add(touched_t *t, uint64_t line, uint32_t words, bool write) {
  touch_t *last = t->n ? &t->at[t->n - 1] : NULL;
  if (last && last->line == line && last->write == write) {
    last->words |= words;
    return;
  }
  if (t->n == t->room) {
    const unsigned room = t->room ? 2 * t->room : 256;
    touch_t *more = realloc(t->at, room * sizeof *more);
    if (!more) {
      t->failed = true;
      return;
    }
    t->at = more;
    t->room = room;
  }
  t->at[t->n++] = (touch_t){line, words, write};
}

void touched_free(touched_t *t) {
  free(t->at);
}

void touched_forget(touched_lines_t *w) {
  free(w->at);
}

static bool make_room(touched_lines_t *w, uint32_t writes) {
  uint32_t size = w->at ? w->mask + 1 : 256;
  if (w->at && size >= 2 * writes) return true;
  while (size < 4 * writes) size *= 2;
  free(w->at);
  w->at = calloc(size, sizeof *w->at);
  w->mask = size - 1;
  w->round = 0;
  return w->at;
}

static uint32_t place_of(const touched_lines_t *w, uint64_t line) {
  return (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32) & w->mask;
}

/* Whether another SM writes one of the words; *own gets the SM's own entry of the line, or a free one. */
static bool met(const touched_lines_t *w, unsigned sm, const touch_t *t, touched_line_t **own) {
  uint32_t i = place_of(w, t->line);
  bool meets = false;
  *own = NULL;
  for (; w->at[i].round == w->round; i = (i + 1) & w->mask) {
    touched_line_t *e = &w->at[i];
    if (e->line != t->line) continue;
    if (e->sm == sm)
      *own = e;
    else if (e->words & t->words)
      meets = true;
  }
  if (!*own) *own = &w->at[i];
  return meets;
}

static bool add_writes(touched_lines_t *w, unsigned sm, const touched_t *t) {
  touched_line_t *own;
  for (unsigned i = 0; i < t->n; i++) {
    if (!t->at[i].write) continue;
    if (met(w, sm, &t->at[i], &own)) return false;
    if (own->round != w->round) *own = (touched_line_t){t->at[i].line, 0, w->round, sm};
    own->words |= t->at[i].words;
  }
  return true;
}

bool touched_meet(touched_lines_t *w, const touched_t *const *sm, unsigned n) {
  touched_line_t *own;
  uint32_t writes = 0;
  for (unsigned s = 0; s < n; s++) {
    if (sm[s]->failed) return true;
    for (unsigned i = 0; i < sm[s]->n; i++) writes += sm[s]->at[i].write;
  }
  if (writes == 0) return false;
  if (!make_room(w, writes)) return true;
  w->round++;
  for (unsigned s = 0; s < n; s++)
    if (!add_writes(w, s, sm[s])) return true;
  for (unsigned s = 0; s < n; s++)
    for (unsigned i = 0; i < sm[s]->n; i++)
      if (!sm[s]->at[i].write && met(w, s, &sm[s]->at[i], &own)) return true;
  return false;
}
