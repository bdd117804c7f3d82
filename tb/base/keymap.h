/* SPDX-License-Identifier: Apache-2.0 */
/* A map from numbers of 64 bits to numbers of 32 bits: open addressing, at most half full. */
#ifndef KEYMAP_H
#define KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Any key is legal; values are below KEYMAP_NONE. */
#define KEYMAP_NONE UINT32_MAX

typedef struct {
  uint64_t key;
  uint32_t value; /* KEYMAP_NONE: the slot is free */
} keymap_slot_t;

/* All zero: empty. */
typedef struct {
  keymap_slot_t *slot;
  size_t slots, n;
} keymap_t;

/* The value of `key`; KEYMAP_NONE if it has none. */
uint32_t keymap_get(const keymap_t *m, uint64_t key);
/* Gives `key` a value, in place of its last one. False if out of memory. */
bool keymap_put(keymap_t *m, uint64_t key, uint32_t value);
/* `key` has no value any more. */
void keymap_remove(keymap_t *m, uint64_t key);
void keymap_free(keymap_t *m);

#endif
