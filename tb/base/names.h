/* SPDX-License-Identifier: Apache-2.0 */
/* The known name that was perhaps meant by one that is not known: "; nearest: NAME" in messages, or
 * nothing where none is near. */
#ifndef NAMES_H
#define NAMES_H

enum { NAMES_TEXT = 96 };

typedef struct {
  const char *asked;
  unsigned distance;     /* of the nearest so far */
  char text[NAMES_TEXT]; /* "; nearest: NAME", "" while none is near */
} names_near_t;

/* `asked` must outlive it. */
names_near_t names_near(const char *asked);
/* A name that is known. Near is what so few edits make of the other (names_limit); of several the
 * nearest, of those the first. */
void names_offer(names_near_t *n, const char *known);

/* Edits that turn `a` into `b`, ignoring case: a letter more, less or another, two neighbours swapped.
 * Of long names the first 40 letters count. */
unsigned names_distance(const char *a, const char *b);
/* Up to how many edits apart two names are near, of which the longer has so many letters: about a
 * third of them, and none of a single one. */
unsigned names_limit(unsigned letters);

#endif
