/* SPDX-License-Identifier: Apache-2.0 */
/* The words of rows.h: a hash table with open addressing. */
#include "verify/align/rows.h"

#include <stdlib.h>
#include <string.h>

struct align_words {
  char **text;
  uint32_t n, room;
  uint32_t *slot; /* number + 1 of a word; 0: free; 2 * room of them */
};

align_words_t *align_words_open(void) {
  return calloc(1, sizeof(align_words_t));
}

void align_words_close(align_words_t *w) {
  if (!w) return;
  for (uint32_t i = 0; i < w->n; i++) free(w->text[i]);
  free(w->text);
  free(w->slot);
  free(w);
}

static uint32_t hash(const char *text, size_t n) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h;
}

/* The slot of a word, or the free one where it belongs. */
static uint32_t *find(const align_words_t *w, const char *text, size_t n) {
  const uint32_t mask = 2 * w->room - 1;
  for (uint32_t at = hash(text, n) & mask;; at = (at + 1) & mask) {
    const uint32_t number = w->slot[at];
    if (!number) return &w->slot[at];
    const char *have = w->text[number - 1];
    if (strncmp(have, text, n) == 0 && have[n] == '\0') return &w->slot[at];
  }
}

static bool enlarge(align_words_t *w) {
  const uint32_t room = w->room ? 2 * w->room : 1024;
  char **text = realloc(w->text, room * sizeof *text);
  uint32_t *slot = calloc(2 * (size_t)room, sizeof *slot);
  if (text) w->text = text;
  if (!text || !slot) return free(slot), false;
  free(w->slot);
  w->slot = slot;
  w->room = room;
  for (uint32_t i = 0; i < w->n; i++) *find(w, text[i], strlen(text[i])) = i + 1;
  return true;
}

uint32_t align_word(align_words_t *w, const char *text, size_t n) {
  if (w->n == w->room && !enlarge(w)) return UINT32_MAX;
  uint32_t *slot = find(w, text, n);
  if (*slot) return *slot - 1;
  char *copy = malloc(n + 1);
  if (!copy) return UINT32_MAX;
  memcpy(copy, text, n);
  copy[n] = '\0';
  w->text[w->n++] = copy;
  return (*slot = w->n) - 1;
}

const char *align_word_text(const align_words_t *w, uint32_t number) {
  return w->text[number];
}
