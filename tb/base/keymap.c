/* SPDX-License-Identifier: Apache-2.0 */
#include "base/keymap.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 256 };

static size_t home(const keymap_t *m, uint64_t key) {
  return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (m->slots - 1);
}

static size_t next(const keymap_t *m, size_t at) {
  return (at + 1) & (m->slots - 1);
}

/* The slot of `key`, or the free one in which it belongs. */
static size_t find(const keymap_t *m, uint64_t key) {
  size_t at = home(m, key);
  while (m->slot[at].value != KEYMAP_NONE && m->slot[at].key != key) at = next(m, at);
  return at;
}

static bool enlarge(keymap_t *m) {
  const keymap_t old = *m;
  const size_t slots = old.slots ? 2 * old.slots : FIRST_SLOTS;
  keymap_slot_t *slot = malloc(slots * sizeof *slot);
  if (!slot) return false;
  for (size_t i = 0; i < slots; i++) slot[i].value = KEYMAP_NONE;
  *m = (keymap_t){slot, slots, old.n};
  for (size_t i = 0; i < old.slots; i++)
    if (old.slot[i].value != KEYMAP_NONE) slot[find(m, old.slot[i].key)] = old.slot[i];
  free(old.slot);
  return true;
}

uint32_t keymap_get(const keymap_t *m, uint64_t key) {
  return m->n ? m->slot[find(m, key)].value : KEYMAP_NONE;
}

bool keymap_put(keymap_t *m, uint64_t key, uint32_t value) {
  if (2 * m->n >= m->slots && !enlarge(m)) return false;
  keymap_slot_t *to = &m->slot[find(m, key)];
  m->n += to->value == KEYMAP_NONE;
  *to = (keymap_slot_t){key, value};
  return true;
}

/* Moves what follows into the hole, unless it would then stand before its home. */
void keymap_remove(keymap_t *m, uint64_t key) {
  if (keymap_get(m, key) == KEYMAP_NONE) return;
  size_t hole = find(m, key);
  for (size_t at = next(m, hole); m->slot[at].value != KEYMAP_NONE; at = next(m, at)) {
    const size_t from_home = (at - home(m, m->slot[at].key)) & (m->slots - 1);
    const size_t from_hole = (at - hole) & (m->slots - 1);
    if (from_home < from_hole) continue;
    m->slot[hole] = m->slot[at];
    hole = at;
  }
  m->slot[hole].value = KEYMAP_NONE;
  m->n--;
}

void keymap_free(keymap_t *m) {
  free(m->slot);
  *m = (keymap_t){0};
}
