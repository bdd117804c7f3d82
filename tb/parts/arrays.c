/* SPDX-License-Identifier: Apache-2.0 */
#include "parts/arrays.h"

#include "base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool arrays_add(arrays_t *a, const char *name, uint64_t addr, uint64_t bytes) {
  char number[32];
  snprintf(number, sizeof number, "array %zu", a->n);
  named_array_t *more = grow(a->at, a->n + 1, &a->room, sizeof *more);
  if (!more) return false;
  a->at = more;
  more[a->n] = (named_array_t){strdup(name ? name : number), addr, bytes};
  if (!more[a->n].name) return false;
  a->n++;
  return true;
}

size_t arrays_find(const arrays_t *a, uint64_t addr) {
  size_t from = 0, to = a->n;
  while (from < to) {
    const size_t middle = (from + to) / 2;
    const named_array_t *one = &a->at[middle];
    if (addr < one->addr)
      to = middle;
    else if (addr - one->addr >= one->bytes)
      from = middle + 1;
    else
      return middle;
  }
  return a->n;
}

const named_array_t *arrays_at(const arrays_t *a, uint64_t addr) {
  const size_t i = a ? arrays_find(a, addr) : 0;
  return a && i < a->n ? &a->at[i] : NULL;
}

void arrays_free(arrays_t *a) {
  for (size_t i = 0; i < a->n; i++) free(a->at[i].name);
  free(a->at);
  *a = (arrays_t){0};
}
