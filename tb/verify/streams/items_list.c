/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of items.h. */
#include "verify/streams/items.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

bool items_list_push(items_list_t *l, const items_item_t *item) {
  if (l->first + l->n == l->room && l->first > l->room / 2) {
    memmove(l->item, l->item + l->first, l->n * sizeof *l->item);
    l->first = 0;
  }
  items_item_t *to = grow(l->item, l->first + l->n + 1, &l->room, sizeof *to);
  if (!to) return false;
  l->item = to;
  l->item[l->first + l->n++] = *item;
  return true;
}

const items_item_t *items_list_at(const items_list_t *l, size_t i) {
  return i < l->n ? &l->item[l->first + i] : NULL;
}

void items_list_pop(items_list_t *l) {
  l->first++;
  l->n--;
}

void items_list_remove(items_list_t *l, size_t i) {
  items_item_t *at = &l->item[l->first + i];
  memmove(at, at + 1, (l->n - i - 1) * sizeof *at);
  l->n--;
}

void items_list_close(items_list_t *l) {
  free(l->item);
  *l = (items_list_t){.item = NULL};
}
