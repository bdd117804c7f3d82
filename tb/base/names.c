/* SPDX-License-Identifier: Apache-2.0 */
/* Finding near names: see names.h. */
#include "names.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 40 };

static unsigned length(const char *name) {
  const size_t n = strlen(name);
  return n < MOST ? (unsigned)n : MOST;
}

static bool same(char a, char b) {
  return toupper((unsigned char)a) == toupper((unsigned char)b);
}

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

unsigned names_distance(const char *a, const char *b) {
  unsigned row[3][MOST + 1]; /* for two letters of `a` before, one before, and now */
  const unsigned la = length(a), lb = length(b);
  for (unsigned j = 0; j <= lb; j++) row[2][j] = j;
  for (unsigned i = 1; i <= la; i++) {
    memcpy(row[0], row[1], sizeof row[0]);
    memcpy(row[1], row[2], sizeof row[1]);
    row[2][0] = i;
    for (unsigned j = 1; j <= lb; j++) {
      unsigned best = row[1][j - 1] + !same(a[i - 1], b[j - 1]);
      best = least(best, 1 + least(row[1][j], row[2][j - 1]));
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        best = least(best, row[0][j - 2] + 1);
      row[2][j] = best;
    }
  }
  return row[2][lb];
}

unsigned names_limit(unsigned letters) {
  return letters < 2 ? 0 : (letters + 2) / 3;
}

names_near_t names_near(const char *asked) {
  return (names_near_t){.asked = asked, .distance = UINT_MAX};
}

void names_offer(names_near_t *n, const char *known) {
  const unsigned d = names_distance(n->asked, known), a = length(n->asked), b = length(known);
  if (d >= n->distance || d > names_limit(a > b ? a : b)) return;
  n->distance = d;
  snprintf(n->text, sizeof n->text, "; nearest: %.80s", known);
}
