/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow: room is doubled, so that n elements cost about n moves. */
#ifndef GROW_H
#define GROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { GROW_LEAST = 64 /* elements of the first room */ };

/* Room for at least `n` elements of `size` bytes behind `old`, which has room for *room (NULL: 0):
 * `old`, or where it has been moved to, and *room as it is then. NULL if there is no memory; `old` and
 * *room are as before, then. What is new is not cleared. The caller frees the array. */
static inline void *grow(void *old, size_t n, size_t *room, size_t size) {
  if (old && n <= *room) return old;
  size_t more = *room ? 2 * *room : GROW_LEAST;
  if (more < n) more = n;
  if (more > SIZE_MAX / 2 / size) return NULL;
  void *at = realloc(old, more * size);
  if (at) *room = more;
  return at;
}

#endif
