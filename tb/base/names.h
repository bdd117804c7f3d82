/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests the known name that an unknown one may have meant: "; nearest: NAME" in messages, or
 * nothing if none is near. */
#ifndef NAMES_H
#define NAMES_H

enum { NAMES_TEXT = 96 };

typedef struct {
  const char *asked;
  unsigned distance;     /* of the nearest name so far */
  char text[NAMES_TEXT]; /* "; nearest: NAME"; "" if none is near */
} names_near_t;

/* `asked` must outlive the result. */
names_near_t names_near(const char *asked);
/* Offers a known name. It is near if at most names_limit edits separate the two; the nearest wins,
 * and the first of several. */
void names_offer(names_near_t *n, const char *known);

/* Number of edits that turn `a` into `b`, ignoring case: insert, delete or replace a letter, or
 * swap two adjacent ones. Only the first 40 letters of long names count. */
unsigned names_distance(const char *a, const char *b);
/* The most edits between two near names, for the number of letters of the longer one: about a third
 * of it, and none for a single letter. */
unsigned names_limit(unsigned letters);

#endif
