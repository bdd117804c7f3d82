/* SPDX-License-Identifier: Apache-2.0 */
/* Future events of an SM, ordered by time; events at the same time keep the order of the calls. */
#ifndef INORDER_EVENTS_H
#define INORDER_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  EVENT_DATA,     /* data of a part of load `id` */
  EVENT_FILL,     /* the line of MSHR entry `id` */
  EVENT_REPLY,    /* the request of PRT entry `id` for `lanes` */
  EVENT_LINE,     /* L1D line `id` is filled */
  EVENT_CONSTANT, /* a line of constants for warp `id` */
  EVENT_FETCH     /* the next instruction of warp `id` */
} event_kind_t;

typedef struct {
  uint64_t at, number;
  event_kind_t kind;
  uint32_t id, lanes;
} event_t;

typedef struct {
  event_t *heap;
  uint32_t n, room;
  uint64_t number;
} events_t;

/* Returns false if out of memory. */
bool events_put(events_t *e, uint64_t at, event_kind_t kind, uint32_t id, uint32_t lanes);
/* Time of the earliest event; UINT64_MAX if none. */
static inline uint64_t events_next(const events_t *e) {
  return e->n ? e->heap[0].at : UINT64_MAX;
}
event_t events_take(events_t *e);
void events_free(events_t *e);

#endif
