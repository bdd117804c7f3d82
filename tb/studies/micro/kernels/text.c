/* SPDX-License-Identifier: Apache-2.0 */
/* See text.h. */
#include "studies/micro/kernels/text.h"

#include "base/grow.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool make_room(text_t *t, size_t more) {
  char *at = grow(t->at, t->n + more + 1, &t->room, 1);
  if (at) t->at = at;
  t->failed = !at;
  return at;
}

void text_add(text_t *t, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n >= 0 && !t->failed && make_room(t, (size_t)n)) {
    vsnprintf(t->at + t->n, (size_t)n + 1, format, again);
    t->n += (size_t)n;
  }
  va_end(again);
}

void text_free(text_t *t) {
  free(t->at);
  *t = (text_t){0};
}
