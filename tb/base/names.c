/* SPDX-License-Identifier: Apache-2.0 */
/* Edit distance of names. */
#include "names.h"

#include <ctype.h>
#include <string.h>

unsigned names_distance(const char *a, const char *b) {
  enum { MAX = 40 };
  unsigned row[MAX + 1], la = (unsigned)strlen(a), lb = (unsigned)strlen(b);
  if (la > MAX) la = MAX;
  if (lb > MAX) lb = MAX;
  for (unsigned j = 0; j <= lb; j++) row[j] = j;
  for (unsigned i = 1; i <= la; i++) {
    unsigned diag = row[0];
    row[0] = i;
    for (unsigned j = 1; j <= lb; j++) {
      unsigned same = toupper((unsigned char)a[i - 1]) == toupper((unsigned char)b[j - 1]);
      unsigned best = diag + !same;
      diag = row[j];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[lb];
}
