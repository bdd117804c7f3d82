/* SPDX-License-Identifier: Apache-2.0 */
/* A binary heap: see events.h. */
#include "gpu/inorder/events.h"

#include <stdlib.h>

static bool before(const event_t *a, const event_t *b) {
  return a->at != b->at ? a->at < b->at : a->number < b->number;
}

static void swap(event_t *a, event_t *b) {
  event_t t = *a;
  *a = *b;
  *b = t;
}

bool events_put(events_t *e, uint64_t at, event_kind_t kind, uint32_t id, uint32_t lanes) {
  if (e->n == e->room) {
    uint32_t room = e->room ? 2 * e->room : 64;
    event_t *heap = realloc(e->heap, room * sizeof *heap);
    if (!heap) return false;
    e->heap = heap;
    e->room = room;
  }
  uint32_t i = e->n++;
  e->heap[i] = (event_t){at, e->number++, kind, id, lanes};
  for (; i > 0 && before(&e->heap[i], &e->heap[(i - 1) / 2]); i = (i - 1) / 2)
    swap(&e->heap[i], &e->heap[(i - 1) / 2]);
  return true;
}

event_t events_take(events_t *e) {
  event_t first = e->heap[0];
  e->heap[0] = e->heap[--e->n];
  for (uint32_t i = 0;;) {
    uint32_t least = i;
    for (uint32_t c = 2 * i + 1; c <= 2 * i + 2 && c < e->n; c++)
      if (before(&e->heap[c], &e->heap[least])) least = c;
    if (least == i) return first;
    swap(&e->heap[i], &e->heap[least]);
    i = least;
  }
}

void events_free(events_t *e) {
  free(e->heap);
  *e = (events_t){0};
}
