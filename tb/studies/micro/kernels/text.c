/* SPDX-License-Identifier: Apache-2.0 */
/* See text.h. */
#include "studies/micro/kernels/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool grow(text_t *t, size_t more) {
  size_t room = t->room ? t->room : 1024;
  while (room < t->n + more + 1) room *= 2;
  if (room == t->room) return true;
  char *at = realloc(t->at, room);
  if (!at) {
    t->failed = true;
    return false;
  }
  t->at = at;
  t->room = room;
  return true;
}

void text_add(text_t *t, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n >= 0 && !t->failed && grow(t, (size_t)n)) {
    vsnprintf(t->at + t->n, (size_t)n + 1, format, again);
    t->n += (size_t)n;
  }
  va_end(again);
}

void text_free(text_t *t) {
  free(t->at);
  *t = (text_t){0};
}
