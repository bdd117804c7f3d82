/* SPDX-License-Identifier: Apache-2.0 */
/* Line reader over plain and xz files: see lines.h. */
#include "lines.h"

#include "input.h"

#include <errno.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 65536, LONGEST = 8191 };

struct lines {
  FILE *file;
  char *path;
  bool xz, file_end, end;
  lzma_stream stream;
  uint8_t in[CHUNK], text[CHUNK];
  size_t at, n; /* unread part of text */
  char line[LONGEST + 1];
  unsigned long number;
};

int lines_open(lines_t **out, const char *path, mrpb_err_t *err) {
  static const uint8_t magic[6] = {0xfd, '7', 'z', 'X', 'Z', 0};
  static const uint8_t zstd[4] = {0x28, 0xb5, 0x2f, 0xfd};
  lines_t *l = calloc(1, sizeof *l);
  uint8_t head[sizeof magic];
  *out = NULL;
  if (!l || !(l->path = malloc(strlen(path) + 1))) {
    free(l);
    return mrpb_fail(err, "%s: out of memory", path);
  }
  strcpy(l->path, path);
  l->stream = (lzma_stream)LZMA_STREAM_INIT;
  l->file = input_open(path, err);
  if (!l->file) {
    lines_close(l);
    return -1;
  }
  size_t n = fread(head, 1, sizeof head, l->file); /* kept: a pipe cannot be read twice */
  l->xz = n == sizeof head && memcmp(head, magic, sizeof magic) == 0;
  if (n == sizeof head && memcmp(head, zstd, sizeof zstd) == 0) {
    lines_close(l);
    return mrpb_fail(err, "%s: compressed by zstd; legal: text, or text compressed by xz", path);
  }
  memcpy(l->xz ? l->in : l->text, head, n);
  if (l->xz) {
    l->stream.next_in = l->in;
    l->stream.avail_in = n;
  } else {
    l->n = n;
  }
  if (l->xz && lzma_stream_decoder(&l->stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK) {
    lines_close(l);
    return mrpb_fail(err, "%s: the xz decoder cannot start", path);
  }
  *out = l;
  return 0;
}

static int read_error(lines_t *l, const char *what, mrpb_err_t *err) {
  return mrpb_fail(err, "%s:%lu: %s", l->path, l->number + 1, what);
}

static int refill_xz(lines_t *l, mrpb_err_t *err) {
  l->stream.next_out = l->text;
  l->stream.avail_out = CHUNK;
  while (l->stream.avail_out > 0 && !l->end) {
    if (l->stream.avail_in == 0 && !l->file_end) {
      l->stream.next_in = l->in;
      l->stream.avail_in = fread(l->in, 1, CHUNK, l->file);
      if (ferror(l->file)) return read_error(l, strerror(errno), err);
      l->file_end = l->stream.avail_in < CHUNK;
    }
    lzma_ret rc = lzma_code(&l->stream, l->file_end ? LZMA_FINISH : LZMA_RUN);
    if (rc == LZMA_STREAM_END)
      l->end = true;
    else if (rc != LZMA_OK)
      return read_error(l, "the xz data is damaged or cut off", err);
  }
  l->n = CHUNK - l->stream.avail_out;
  return 0;
}

/* The next piece of text; n = 0 at the end. */
static int refill(lines_t *l, mrpb_err_t *err) {
  l->at = l->n = 0;
  if (l->end) return 0;
  if (l->xz) return refill_xz(l, err);
  l->n = fread(l->text, 1, CHUNK, l->file);
  if (ferror(l->file)) return read_error(l, strerror(errno), err);
  l->end = l->n < CHUNK;
  return 0;
}

int lines_next(lines_t *l, const char **line, mrpb_err_t *err) {
  size_t len = 0;
  for (;;) {
    if (l->at == l->n) {
      if (refill(l, err) != 0) return -1;
      if (l->n == 0) break;
    }
    char c = (char)l->text[l->at++];
    if (c == '\n') {
      l->line[len] = '\0';
      l->number++;
      *line = l->line;
      return 1;
    }
    if (c == '\0') return read_error(l, "a byte 0; legal: text, or text compressed by xz", err);
    if (len == LONGEST) return read_error(l, "line longer than 8191 characters", err);
    l->line[len++] = c;
  }
  if (len > 0) return read_error(l, "the last line is cut off; legal: a newline at its end", err);
  return 0;
}

unsigned long lines_number(const lines_t *l) {
  return l->number;
}

void lines_close(lines_t *l) {
  if (!l) return;
  if (l->file) fclose(l->file);
  lzma_end(&l->stream);
  free(l->path);
  free(l);
}
