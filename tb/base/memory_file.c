/* SPDX-License-Identifier: Apache-2.0 */
/* A stream of its own over a text that grows: see memory_file.h. */
#define _GNU_SOURCE /* fopencookie */
#include "base/memory_file.h"

#include "base/grow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char **text;
  size_t *size, room;
  bool lost; /* for good: the rest would stand behind a gap */
} memory_t;

static ssize_t add(void *cookie, const char *bytes, size_t n) {
  memory_t *m = cookie;
  char *more = m->lost ? NULL : grow(*m->text, *m->size + n + 1, &m->room, 1);
  if (!more) {
    m->lost = true;
    return 0;
  }
  memcpy(more + *m->size, bytes, n);
  *m->text = more;
  *m->size += n;
  more[*m->size] = '\0';
  return (ssize_t)n;
}

static int end(void *cookie) {
  memory_t *m = cookie;
  const bool lost = m->lost;
  free(m);
  return lost ? EOF : 0;
}

FILE *memory_file(char **text, size_t *size) {
  size_t room = 0;
  memory_t *m = malloc(sizeof *m);
  *size = 0;
  *text = grow(NULL, 1, &room, 1); /* nothing may be written at all */
  if (*text && m) {
    **text = '\0';
    *m = (memory_t){.text = text, .size = size, .room = room};
    FILE *f = fopencookie(m, "w", (cookie_io_functions_t){.write = add, .close = end});
    if (f) return f;
  }
  free(*text);
  free(m);
  *text = NULL;
  return NULL;
}
