/* SPDX-License-Identifier: Apache-2.0 */
/* See text.h. The templates are embedded in the program. */
#include "studies/micro/kernels/text.h"

#include "base/grow.h"
#include "base/memory_file.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PTX_TEXT(name, symbol)                                                                     \
  extern const char _binary_##symbol##_start[], _binary_##symbol##_end[];
#include "kernels.def"
#undef PTX_TEXT

static const struct {
  const char *name, *start, *end;
} templates[] = {
#define PTX_TEXT(name, symbol) {name, _binary_##symbol##_start, _binary_##symbol##_end},
#include "kernels.def"
#undef PTX_TEXT
};

static const char *find(const char *name, size_t *n) {
  const size_t length = strlen(name);
  for (unsigned i = 0; i < sizeof templates / sizeof *templates; i++) {
    if (strncmp(templates[i].name, name, length) != 0) continue;
    if (strcmp(templates[i].name + length, ".ptx") != 0) continue;
    *n = (size_t)(templates[i].end - templates[i].start);
    return templates[i].start;
  }
  return NULL;
}

static bool make_room(text_t *t, size_t more) {
  char *at = grow(t->at, t->n + more + 1, &t->room, 1);
  if (at) t->at = at;
  if (!at) mrpb_fail(&t->failed, "micro: out of memory");
  return at;
}

void text_add(text_t *t, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n >= 0 && !t->failed.text[0] && make_room(t, (size_t)n)) {
    vsnprintf(t->at + t->n, (size_t)n + 1, format, again);
    t->n += (size_t)n;
  }
  va_end(again);
}

void text_write(text_t *t, const char *name, const ptx_value_t *values) {
  char *at = NULL;
  size_t n = 0;
  FILE *f = memory_file(&at, &n);
  int rc = f ? ptx_template_write(name, find, values, f, &t->failed) : -1;
  if (f && fclose(f) != 0) rc = -1;
  if (rc != 0)
    mrpb_fail(&t->failed, "micro: out of memory");
  else if (make_room(t, n))
    memcpy(t->at + t->n, at, n + 1), t->n += n;
  free(at);
}

void text_free(text_t *t) {
  free(t->at);
  *t = (text_t){0};
}
