/* SPDX-License-Identifier: Apache-2.0 */
/* Growing arrays: capacity is doubled, so that appending n elements costs about n moves. */
#ifndef GROW_H
#define GROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { GROW_LEAST = 64 /* elements of the first allocation */ };

/* Returns an array with room for at least `n` elements of `size` bytes: `old` (or NULL), which has
 * room for *room elements, or its new address, with *room updated. Returns NULL if out of memory;
 * `old` and *room are then unchanged. New elements are not cleared. The caller frees the array. */
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
