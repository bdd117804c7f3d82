/* SPDX-License-Identifier: Apache-2.0 */
/* The stimulus of a run as data, so that it can be made shorter: in which cycles streams are offered
 * items and their consumers are ready, and which items. */
#ifndef STREAMS_SCRIPT_H
#define STREAMS_SCRIPT_H

#include "verify/streams/spec.h"

typedef struct {
  uint16_t offer, ready; /* bit i: of stream i */
  bool resets, drains;   /* drains: nothing new is offered */
} script_cycle_t;

typedef uint64_t script_item_t[STREAMS_WORDS]; /* the tag, then the payload */

typedef struct {
  script_cycle_t *cycle;
  size_t n, room;
  uint64_t first[STREAMS_MOST]; /* the number of the first item of each stream */
  script_item_t *item[STREAMS_MOST];
  size_t items[STREAMS_MOST], item_room[STREAMS_MOST];
  unsigned width[STREAMS_MOST]; /* bits of a payload */
} script_t;

/* False if out of memory. */
bool script_add_cycle(script_t *s, const script_cycle_t *cycle);
bool script_add_item(script_t *s, unsigned stream, const script_item_t item);
void script_close(script_t *s);

size_t script_items(const script_t *s);
/* `to` becomes `from` without cycles, or without items, `n` of them from number `at` on. Items are
 * counted over all streams. False if out of memory. */
bool script_without_cycles(script_t *to, const script_t *from, size_t at, size_t n);
bool script_without_items(script_t *to, const script_t *from, size_t at, size_t n);
/* `to` becomes `from`, whose cycles `at` to `at + n - 1` have no gaps and stalls, or whose items have
 * their number as payload. */
bool script_prompt(script_t *to, const script_t *from, size_t at, size_t n);
bool script_plain(script_t *to, const script_t *from, size_t at, size_t n);
/* Whether both are the same. */
bool script_same(const script_t *a, const script_t *b);

#endif
