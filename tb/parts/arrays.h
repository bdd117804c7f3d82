/* SPDX-License-Identifier: Apache-2.0 */
/* Names of ranges of memory, which are allocated one behind the other: the arrays of a program. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  char *name;
  uint64_t addr, bytes;
} named_array_t;

/* All zeros: none. */
typedef struct {
  named_array_t *at;
  size_t n, room;
} arrays_t;

/* Adds one that lies behind all others. `name` is copied; NULL: it is called "array N". False if out
 * of memory. */
bool arrays_add(arrays_t *a, const char *name, uint64_t addr, uint64_t bytes);
/* The number of the array that has `addr`; the number of arrays if none has it. */
size_t arrays_find(const arrays_t *a, uint64_t addr);
/* The array that has `addr`; NULL if none has it, or if there are no arrays (NULL). */
const named_array_t *arrays_at(const arrays_t *a, uint64_t addr);
void arrays_free(arrays_t *a);

#endif
