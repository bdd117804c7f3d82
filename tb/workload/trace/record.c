/* SPDX-License-Identifier: Apache-2.0 */
/* Recording: a workload around another one. Registers are followed from loads to the instruction
 * that first uses them: that one waits, and with it everything behind it in the warp. */
#include "base/output.h"
#include "workload/trace/store.h"
#include "workload/trace/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 65536, LINE = 8192 };

typedef struct {
  workload_t base;
  workload_t *inner;
  char *path, temp[OUTPUT_NAME];
  FILE *file;
  bool xz, failed, done;
  int why;
  lzma_stream stream;
  uint8_t out[BUFFER];
  uint64_t records;
  struct warp_stream *spare;
  mrpb_err_t refused; /* what has no place in a trace */
} record_t;

struct warp_stream {
  record_t *record;
  struct warp_stream *next;
  warp_stream_t *inner;
  uint32_t block, warp, gap;
  uint64_t loads;
  unsigned n_wait;
  uint8_t wait[TRACE_MAX_WAITS];
  uint64_t reg_load[WARP_REGS]; /* 1 + the load that a register waits for, 0 none */
};

/* ---- the file -------------------------------------------------------------- */

static void failed(record_t *r) {
  if (!r->failed) r->why = errno;
  r->failed = true;
}

static void write_out(record_t *r, const void *bytes, size_t n) {
  if (!r->failed && fwrite(bytes, 1, n, r->file) != n) failed(r);
}

static void compress(record_t *r, const char *text, size_t n, lzma_action action) {
  r->stream.next_in = (const uint8_t *)text;
  r->stream.avail_in = n;
  for (;;) {
    r->stream.next_out = r->out;
    r->stream.avail_out = BUFFER;
    lzma_ret rc = lzma_code(&r->stream, action);
    write_out(r, r->out, BUFFER - r->stream.avail_out);
    if (rc == LZMA_STREAM_END) return;
    if (rc != LZMA_OK) {
      errno = ENOMEM;
      failed(r);
      return;
    }
    if (action == LZMA_RUN && r->stream.avail_in == 0 && r->stream.avail_out > 0) return;
  }
}

static void put(record_t *r, const char *text, size_t n) {
  if (r->failed) return;
  if (r->xz)
    compress(r, text, n, LZMA_RUN);
  else
    write_out(r, text, n);
}

/* ---- records --------------------------------------------------------------- */

static size_t put_waits(const warp_stream_t *s, char *line, size_t at) {
  if (s->n_wait == 0) at += (size_t)snprintf(line + at, LINE - at, " -");
  for (unsigned i = 0; i < s->n_wait; i++)
    at += (size_t)snprintf(line + at, LINE - at, "%c%u", i ? ',' : ' ', s->wait[i]);
  return at;
}

static size_t put_addresses(const uint64_t addr[WARP_LANES], uint32_t mask, char *line, size_t at) {
  uint64_t list[WARP_LANES], stride = 0;
  unsigned n = 0;
  bool regular = true;
  for (uint32_t m = mask; m; m &= m - 1) list[n++] = addr[__builtin_ctz(m)];
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

static void put_record(warp_stream_t *s, char kind, const warp_inst_t *i) {
  static const char spaces[] = "gsct";
  record_t *r = s->record;
  char line[LINE];
  size_t at = (size_t)snprintf(line, sizeof line, "%c %" PRIu32 " %" PRIu32 " %" PRIu32, kind,
                               s->block, s->warp, s->gap);
  at = put_waits(s, line, at);
  if (i) {
    uint64_t addr[WARP_LANES];
    uint32_t mask = warp_stream_mask(r->inner, s->inner);
    warp_stream_addresses(r->inner, s->inner, addr);
    at += (size_t)snprintf(line + at, sizeof line - at, " %s.%c.%u %" PRIx32,
                           i->cls == WARP_LOAD ? "ld" : "st", spaces[i->space], i->elem, mask);
    if (mask) at = put_addresses(addr, mask, line, at);
  }
  line[at++] = '\n';
  put(r, line, at);
  r->records++;
  s->gap = 0;
  s->n_wait = 0;
}

/* The instruction uses a register: it waits for the load behind it, if there is one. */
static void use(warp_stream_t *s, uint16_t reg) {
  if (reg == 0 || s->reg_load[reg] == 0) return;
  uint64_t load = s->reg_load[reg], distance = s->loads + 1 - load;
  for (unsigned i = 0; i < WARP_REGS; i++)
    if (s->reg_load[i] == load) s->reg_load[i] = 0;
  if (distance <= TRACE_MAX_WAITS && s->n_wait < TRACE_MAX_WAITS)
    s->wait[s->n_wait++] = (uint8_t)distance;
}

/* A trace knows one barrier, of all warps. */
static void record_barrier(warp_stream_t *s) {
  const warp_barrier_t b = warp_stream_barrier(s->record->inner, s->inner);
  if (b.comes) put_record(s, 'b', NULL);
  if (b.comes && (b.number != 0 || b.warps != 0 || !b.waits))
    mrpb_fail(
        &s->record->refused,
        "%s: a barrier other than 0 of all threads has no place in a trace; legal: bar.sync 0",
        s->record->path);
}

static warp_barrier_t record_at_barrier(warp_stream_t *s) {
  return warp_stream_barrier(s->record->inner, s->inner);
}

static void record_step(warp_stream_t *s) {
  const workload_t *inner = s->record->inner;
  const warp_inst_t *i = warp_stream_peek(inner, s->inner);
  for (unsigned k = 0; k < WARP_OPERANDS; k++) use(s, i->regs[k]);
  if (i->cls == WARP_LOAD || i->cls == WARP_STORE) {
    put_record(s, 'm', i);
    for (unsigned k = 0; i->cls == WARP_LOAD && k < 4 && i->dst[k]; k++)
      s->reg_load[i->dst[k]] = s->loads + 1;
    s->loads += i->cls == WARP_LOAD;
  } else if (i->cls == WARP_BARRIER) {
    record_barrier(s);
  }
  bool other = i->cls == WARP_ALU || i->cls == WARP_BRANCH || i->cls == WARP_EXIT;
  warp_stream_step(inner, s->inner);
  if (!warp_stream_peek(inner, s->inner))
    put_record(s, 'x', NULL);
  else
    s->gap += other;
}

/* ---- the workload ---------------------------------------------------------- */

static const launch_t *record_next(workload_t *w) {
  record_t *r = (record_t *)w;
  const launch_t *l = workload_next(r->inner);
  char line[LINE];
  if (!l) return NULL;
  put(r, line,
      (size_t)snprintf(line, sizeof line,
                       "launch %.4000s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
                       l->kernel, l->blocks, l->threads, l->regs, l->shared));
  return l;
}

static double record_progress(const workload_t *w) {
  return workload_progress(((const record_t *)w)->inner);
}

static warp_stream_t *record_open(workload_t *w, uint32_t block, uint32_t warp) {
  record_t *r = (record_t *)w;
  warp_stream_t *s = r->spare;
  if (s)
    r->spare = s->next;
  else
    s = malloc(sizeof *s);
  if (!s) return NULL;
  memset(s, 0, sizeof *s);
  s->record = r;
  s->block = block;
  s->warp = warp;
  s->inner = warp_stream_open(r->inner, block, warp);
  if (s->inner) return s;
  free(s);
  return NULL;
}

static const warp_inst_t *record_peek(const warp_stream_t *s) {
  return warp_stream_peek(s->record->inner, s->inner);
}
static uint32_t record_mask(const warp_stream_t *s) {
  return warp_stream_mask(s->record->inner, s->inner);
}
static void record_addresses(const warp_stream_t *s, uint64_t addr[WARP_LANES]) {
  warp_stream_addresses(s->record->inner, s->inner, addr);
}
static void record_values(const warp_stream_t *s, uint8_t value[WARP_LANES][16]) {
  warp_stream_values(s->record->inner, s->inner, value);
}

static void record_close(warp_stream_t *s) {
  warp_stream_close(s->record->inner, s->inner);
  s->next = s->record->spare;
  s->record->spare = s;
}

static const mrpb_err_t *record_fault(const workload_t *w) {
  const record_t *r = (const record_t *)w;
  return r->refused.text[0] ? &r->refused : workload_fault(r->inner);
}

static void record_initial(const workload_t *w, uint64_t addr, void *to, size_t bytes) {
  const workload_t *inner = ((const record_t *)w)->inner;
  inner->ops->initial(inner, addr, to, bytes);
}

static void record_set_clock(workload_t *w, const uint64_t *clock) {
  workload_set_clock(((record_t *)w)->inner, clock);
}

static void record_on_sm(warp_stream_t *s, uint32_t sm, uint32_t sms) {
  warp_stream_on_sm(s->record->inner, s->inner, sm, sms);
}

static int record_check(workload_t *w, mrpb_err_t *err) {
  record_t *r = (record_t *)w;
  char line[LINE];
  int rc = workload_check(r->inner, err);
  if (r->done) return rc;
  put(r, line, (size_t)snprintf(line, sizeof line, "end %" PRIu64 "\n", r->records));
  if (r->xz && !r->failed) compress(r, "", 0, LZMA_FINISH);
  if (fflush(r->file) != 0) failed(r);
  if (fclose(r->file) != 0) failed(r);
  r->file = NULL;
  r->done = true;
  if (r->failed) {
    output_discard(r->path, r->temp);
    mrpb_fail(err, "%s: %s; nothing was written", r->path, strerror(r->why));
    return rc ? rc : WORKLOAD_FAILED;
  }
  if (output_commit(r->path, r->temp, err) != 0 && rc == 0) rc = WORKLOAD_FAILED;
  return rc;
}

static void record_destroy(workload_t *w) {
  record_t *r = (record_t *)w;
  if (r->file) fclose(r->file);
  if (!r->done) output_discard(r->path, r->temp);
  lzma_end(&r->stream);
  for (warp_stream_t *s = r->spare; s;) {
    warp_stream_t *next = s->next;
    free(s);
    s = next;
  }
  workload_close(r->inner);
  free(r->path);
  free(r);
}

static const workload_ops_t record_ops = {
    .next = record_next,
    .progress = record_progress,
    .open = record_open,
    .peek = record_peek,
    .mask = record_mask,
    .addresses = record_addresses,
    .values = record_values,
    .step = record_step,
    .close = record_close,
    .fault = record_fault,
    .check = record_check,
    .initial = record_initial,
    .set_clock = record_set_clock,
    .on_sm = record_on_sm,
    .barrier = record_at_barrier,
    .destroy = record_destroy,
};

int trace_record(workload_t **out, workload_t *inner, const char *path, mrpb_err_t *err) {
  static const char head[] = "mrpb-trace 1\n";
  size_t n = strlen(path);
  record_t *r = calloc(1, sizeof *r);
  *out = NULL;
  if (!r || !(r->path = malloc(n + 1))) {
    free(r);
    return mrpb_fail(err, "%s: out of memory", path);
  }
  memcpy(r->path, path, n + 1);
  r->base.ops = &record_ops;
  r->stream = (lzma_stream)LZMA_STREAM_INIT;
  r->xz = n > 3 && strcmp(path + n - 3, ".xz") == 0;
  int rc = output_temp(path, r->temp, err);
  if (rc == 0 && !(r->file = fopen(r->temp, "wb")))
    rc = mrpb_fail(err, "%s: %s; legal: a file that can be written", path, strerror(errno));
  if (rc == 0 && r->xz && lzma_easy_encoder(&r->stream, 1, LZMA_CHECK_CRC64) != LZMA_OK)
    rc = mrpb_fail(err, "%s: the xz encoder cannot start", path);
  if (rc != 0) {
    if (r->file) {
      fclose(r->file);
      output_discard(path, r->temp);
    }
    free(r->path);
    free(r);
    return -1;
  }
  r->inner = inner;
  put(r, head, sizeof head - 1);
  *out = &r->base;
  return 0;
}
