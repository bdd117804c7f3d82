/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the project's own trace format (docs/trace.md). */
#include "base/output.h"
#include "base/compress.h"
#include "workload/trace/write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 8192 };

typedef struct {
  trace_writer_t base;
  char *path, temp[OUTPUT_NAME];
  FILE *file;
  compress_t *compress;
  uint64_t records;
} text_t;

static int put(text_t *t, const char *text, size_t n, mrpb_err_t *err) {
  if (compress_write(t->compress, text, n) == 0) return 0;
  return mrpb_fail(err, "%s: %s; nothing was written", t->path, strerror(errno));
}

static size_t put_waits(const trace_record_t *r, char *line, size_t at) {
  if (r->n_wait == 0) at += (size_t)snprintf(line + at, LINE - at, " -");
  for (unsigned i = 0; i < r->n_wait; i++)
    at += (size_t)snprintf(line + at, LINE - at, "%c%u", i ? ',' : ' ', r->wait[i]);
  return at;
}

static size_t put_addresses(const trace_record_t *r, char *line, size_t at) {
  uint64_t list[WARP_LANES], stride = 0;
  unsigned n = 0;
  bool regular = true;
  for (uint32_t m = r->mask; m; m &= m - 1) list[n++] = r->addr[__builtin_ctz(m)];
  if (n > 1) stride = list[1] - list[0];
  for (unsigned i = 2; i < n; i++) regular &= list[i] - list[i - 1] == stride;
  if (regular)
    return at + (size_t)snprintf(line + at, LINE - at, " %" PRIx64 "%c%" PRIu64, list[0],
                                 (int64_t)stride < 0 ? '-' : '+',
                                 (int64_t)stride < 0 ? -stride : stride);
  for (unsigned i = 0; i < n; i++)
    at += (size_t)snprintf(line + at, LINE - at, "%c%" PRIx64, i ? ',' : ' ', list[i]);
  return at;
}

static int text_record(trace_writer_t *w, const trace_from_t *from, const trace_record_t *r,
                       mrpb_err_t *err) {
  static const char kinds[] = "mmbx", spaces[] = "gsct"; /* by trace_kind_t, warp_space_t */
  text_t *t = (text_t *)w;
  char line[LINE];
  size_t at = (size_t)snprintf(line, sizeof line, "%c %" PRIu32 " %" PRIu32 " %" PRIu32,
                               kinds[r->kind], from->block, from->warp, r->gap);
  at = put_waits(r, line, at);
  if (r->kind <= TRACE_STORE) {
    at += (size_t)snprintf(line + at, sizeof line - at, " %s.%c.%u %" PRIx32,
                           r->kind == TRACE_LOAD ? "ld" : "st", spaces[r->space], r->elem, r->mask);
    if (r->mask) at = put_addresses(r, line, at);
  }
  line[at++] = '\n';
  t->records++;
  return put(t, line, at, err);
}

static int text_launch(trace_writer_t *w, const launch_t *l, mrpb_err_t *err) {
  char line[LINE];
  const int n = snprintf(line, sizeof line,
                         "launch %.4000s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
                         l->kernel, l->blocks, l->threads, l->regs, l->shared);
  return put((text_t *)w, line, (size_t)n, err);
}

static int text_end(trace_writer_t *w, mrpb_err_t *err) {
  text_t *t = (text_t *)w;
  char line[64];
  const int n = snprintf(line, sizeof line, "end %" PRIu64 "\n", t->records);
  const bool bad =
      compress_write(t->compress, line, (size_t)n) != 0 || compress_end(t->compress) != 0;
  FILE *f = t->file;
  t->file = NULL;
  return output_close(f, bad, t->path, t->temp, err);
}

static void text_close(trace_writer_t *w) {
  text_t *t = (text_t *)w;
  if (t->file) {
    fclose(t->file);
    output_discard(t->path, t->temp);
  }
  compress_close(t->compress);
  free(t->path);
  free(t);
}

int trace_write_text(trace_writer_t **out, const char *path, mrpb_err_t *err) {
  static const char head[] = "mrpb-trace 1\n";
  const size_t n = strlen(path) + 1;
  text_t *t = calloc(1, sizeof *t);
  *out = NULL;
  if (!t || !(t->path = malloc(n))) {
    free(t);
    return mrpb_fail(err, "%s: out of memory", path);
  }
  memcpy(t->path, path, n);
  t->base = (trace_writer_t){
      .launch = text_launch, .record = text_record, .end = text_end, .close = text_close};
  int rc = (t->file = output_open(path, t->temp, err)) ? 0 : -1;
  if (rc == 0 && !(t->compress = compress_open(t->file, compress_of(path))))
    rc = mrpb_fail(err, "%s: out of memory", path);
  if (rc == 0) rc = put(t, head, sizeof head - 1, err);
  if (rc == 0)
    *out = &t->base;
  else
    text_close(&t->base);
  return rc;
}
