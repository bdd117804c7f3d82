/* SPDX-License-Identifier: Apache-2.0 */
#include "base/split.h"

#include <string.h>

int split_words(char *line, char **word, int most, mrpb_err_t *err) {
  int n = 0;
  for (char *at = line;;) {
    at += strspn(at, " \t\r\n");
    if (*at == '\0' || *at == '#') return n;
    if (n == most) return mrpb_fail(err, "too many words; legal: %d in a line", most);
    char *end;
    if (*at == '"') {
      word[n++] = ++at;
      end = strchr(at, '"');
      if (!end) return mrpb_fail(err, "a quote is not closed");
    } else {
      word[n++] = at;
      end = at + strcspn(at, " \t\r\n");
    }
    if (*end == '\0') return n;
    *end = '\0';
    at = end + 1;
  }
}
