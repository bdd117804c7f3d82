/* SPDX-License-Identifier: Apache-2.0 */
/* Line reader over plain and compressed files: see lines.h. */
#include "lines.h"

#include "compress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 65536, LONGEST = 8191 };

struct lines {
  compress_in_t *from;
  char *path;
  size_t at, n; /* unread part of text */
  unsigned long number;
  char text[LONGEST + 1 + CHUNK];
};

int lines_open(lines_t **out, const char *path, mrpb_err_t *err) {
  lines_t *l = malloc(sizeof *l);
  *out = NULL;
  if (l) *l = (lines_t){.path = malloc(strlen(path) + 1)};
  if (!l || !l->path) {
    free(l);
    return mrpb_fail(err, "%s: out of memory", path);
  }
  strcpy(l->path, path);
  if (compress_in_open(&l->from, path, err) != 0) {
    lines_close(l);
    return -1;
  }
  *out = l;
  return 0;
}

static int read_error(lines_t *l, const char *what, mrpb_err_t *err) {
  return mrpb_fail(err, "%s:%lu: %s", l->path, l->number + 1, what);
}

/* Reads more text after the unread part; 0 at the end. */
static long refill(lines_t *l, mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  memmove(l->text, l->text + l->at, l->n - l->at);
  l->n -= l->at;
  l->at = 0;
  const long n = compress_in_read(l->from, l->text + l->n, sizeof l->text - l->n, &why);
  if (n < 0) return read_error(l, why.text, err);
  l->n += (size_t)n;
  return n;
}

static bool has_zero(const char *text, size_t n) {
  return memchr(text, '\0', n) != NULL;
}

int lines_next(lines_t *l, const char **line, mrpb_err_t *err) {
  char *end;
  for (size_t seen = 0; !(end = memchr(l->text + l->at + seen, '\n', l->n - l->at - seen));) {
    seen = l->n - l->at;
    if (has_zero(l->text + l->at, seen)) break;
    if (seen > LONGEST) break;
    const long more = refill(l, err);
    if (more < 0) return -1;
    if (more > 0) continue;
    if (seen > 0)
      return read_error(l, "the last line is cut off; legal: a newline at its end", err);
    return 0;
  }
  char *text = l->text + l->at;
  const size_t n = end ? (size_t)(end - text) : l->n - l->at;
  if (has_zero(text, n))
    return read_error(l, "a byte 0; legal: text, plain or compressed by xz, gzip or zstd", err);
  if (n > LONGEST) return read_error(l, "line longer than 8191 characters", err);
  *end = '\0';
  l->at += n + 1;
  l->number++;
  *line = text;
  return 1;
}

unsigned long lines_number(const lines_t *l) {
  return l->number;
}

void lines_close(lines_t *l) {
  if (!l) return;
  compress_in_close(l->from);
  free(l->path);
  free(l);
}
