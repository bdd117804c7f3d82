/* SPDX-License-Identifier: Apache-2.0 */
/* Two sides of a bench: one records the results of another side, one replays a record. Both use the
 * same functions for each line, so one reads exactly what the other writes. See measured.h. */
#include "base/hash.h"
#include "studies/micro/kernels/measured.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  measured_t *m;
  bench_t inner;       /* what is recorded */
  bench_image_t image; /* the one that was written: what the host has; both: what is pinned */
  uint64_t put_hash;   /* of everything that the host has written */
} record_t;

static const bench_side_t recorder, record;

bench_gpu_t measured_recording(measured_t *m, const bench_gpu_t *g) {
  bench_gpu_t r = *measured_inner(m, g);
  r.side = &recorder;
  r.given[0] = m;
  return r;
}

bench_gpu_t measured_gpu(measured_t *m, const bench_limits_t *limits) {
  return (bench_gpu_t){.side = &record, .limits = *limits, .given = {m}};
}

/* ---- what both say ------------------------------------------------------------------ */

static record_t *new_record(bench_t *b, mrpb_err_t *err) {
  record_t *r = b->own = calloc(1, sizeof *r);
  if (!r) return mrpb_fail(err, "micro: out of memory"), NULL;
  memcpy(&r->m, &b->gpu.given[0], sizeof r->m);
  r->put_hash = HASH_START;
  return r;
}

static int say_open(const record_t *r, const text_t *text, int opened, mrpb_err_t *err) {
  return measured_text(r->m, hash_bytes(HASH_START, text->at, text->n), opened, err);
}

/* Pinned memory has a different address each time, so an address in it is written as which piece,
 * and at which offset. */
static void name_argument(const record_t *r, uint64_t v, char *to, size_t size) {
  for (unsigned i = 0; i < r->image.n_pinned; i++) {
    const uint64_t from = (uint64_t)(uintptr_t)r->image.pinned[i].at;
    if (v < from || v - from >= r->image.pinned[i].bytes) continue;
    snprintf(to, size, " host%u+%" PRIu64, i, v - from);
    return;
  }
  snprintf(to, size, " %" PRIu64, v);
}

/* A prefix is enough of a large text: the note is for reading, not for replay. */
static void note_put(const bench_t *b, uint64_t addr, uint64_t bytes) {
  enum { MOST = 1 << 16 };
  record_t *r = b->own;
  const void *at = bench_at(b, addr, bytes);
  char place[64];
  name_argument(r, addr, place, sizeof place);
  r->put_hash = hash_text(r->put_hash, place);
  r->put_hash = hash_bytes(r->put_hash, &bytes, sizeof bytes);
  if (at) r->put_hash = hash_bytes(r->put_hash, at, bytes < MOST ? bytes : MOST);
}

static int say_launch(const bench_t *b, const bench_launch_t *l, mrpb_err_t *err) {
  const record_t *r = b->own;
  char args[640] = "";
  for (unsigned i = 0; i < l->n_args; i++) {
    const size_t at = strlen(args);
    name_argument(r, l->arg[i], args + at, sizeof args - at);
  }
  return measured_line(r->m, err,
                       "launch %s %" PRIu32 " x %" PRIu32 " l1d %" PRIu32 " put %016" PRIx64 "%s",
                       l->kernel, l->blocks, l->threads, b->gpu.l1d_kb, r->put_hash, args);
}

static int record_get(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err) {
  measured_t *m = ((const record_t *)b->own)->m;
  uint32_t *word = bench_at(b, addr, bytes);
  if (!word || bytes % sizeof *word)
    return mrpb_fail(err, "micro: %" PRIu64 " bytes; legal: words", bytes);
  if (measured_line(m, err, "got %" PRIu64, bytes / sizeof *word) != 0) return -1;
  return measured_words(m, word, bytes / sizeof *word, err);
}

static int say_span(const bench_t *b, uint32_t *cycles, mrpb_err_t *err) {
  measured_t *m = ((const record_t *)b->own)->m;
  return measured_line(m, err, "span") != 0 ? -1 : measured_words(m, cycles, 1, err);
}

/* ---- the one that writes -------------------------------------------------------------- */

static bench_t *inner_of(const bench_t *b) {
  return &((record_t *)b->own)->inner;
}

static int recorder_open(bench_t *b, const text_t *text, mrpb_err_t *err) {
  record_t *r = new_record(b, err);
  if (!r) return -1;
  const bench_gpu_t *kept = measured_inner(r->m, NULL);
  r->inner.gpu = b->gpu;
  r->inner.gpu.side = kept->side;
  memcpy(r->inner.gpu.given, kept->given, sizeof kept->given);
  const int opened = kept->side->open(&r->inner, text, err);
  b->limit = r->inner.limit;
  return opened < 0 ? -1 : say_open(r, text, opened, err);
}

static void recorder_close(bench_t *b) {
  if (b->own) bench_close(inner_of(b));
  free(b->own);
}

static uint64_t recorder_alloc(bench_t *b, uint64_t bytes, bench_place_t place, mrpb_err_t *err) {
  record_t *r = b->own;
  const uint64_t at = r->inner.gpu.side->alloc(&r->inner, bytes, place, err);
  if (!at || place == BENCH_DEVICE) return at;
  return bench_image_pin(&r->image, bench_at(&r->inner, at, bytes), bytes, err);
}

static void *recorder_at(const bench_t *b, uint64_t addr, uint64_t bytes) {
  return bench_at(inner_of(b), addr, bytes);
}

static int recorder_put(bench_t *b, uint64_t addr, uint64_t bytes, bench_cached_t in,
                        mrpb_err_t *err) {
  note_put(b, addr, bytes);
  return inner_of(b)->gpu.side->put(inner_of(b), addr, bytes, in, err);
}

static int recorder_get(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err) {
  bench_t *in = inner_of(b);
  return in->gpu.side->get(in, addr, bytes, err) != 0 ? -1 : record_get(b, addr, bytes, err);
}

static device_end_t recorder_run(bench_t *b, const bench_launch_t *l, mrpb_err_t *err) {
  bench_t *in = inner_of(b);
  in->first_sm = b->first_sm;
  in->limit = b->limit;
  return say_launch(b, l, err) != 0 ? DEVICE_FAILED : in->gpu.side->run(in, l, err);
}

static int recorder_span(bench_t *b, uint64_t addr, uint32_t threads, uint32_t *cycles,
                         mrpb_err_t *err) {
  bench_t *in = inner_of(b);
  if (in->gpu.side->get(in, addr, threads * UINT64_C(8), err) != 0) return -1;
  *cycles = bench_span_of(b, addr, threads);
  return say_span(b, cycles, err);
}

static const bench_side_t recorder = BENCH_SIDE(recorder, .span = recorder_span);

/* ---- the one that was written ----------------------------------------------------------- */

static int record_open(bench_t *b, const text_t *text, mrpb_err_t *err) {
  record_t *r = new_record(b, err);
  if (!r || memory_create(&r->image.memory, err) != 0) return -1;
  return say_open(r, text, 0, err);
}

static void record_close(bench_t *b) {
  record_t *r = b->own;
  if (!r) return;
  for (unsigned i = 0; i < r->image.n_pinned; i++) free(r->image.pinned[i].at);
  memory_destroy(r->image.memory);
  free(r);
}

static uint64_t record_alloc(bench_t *b, uint64_t bytes, bench_place_t place, mrpb_err_t *err) {
  record_t *r = b->own;
  if (place == BENCH_DEVICE) return memory_alloc(r->image.memory, bytes, err);
  void *at = calloc(bytes, 1);
  const uint64_t pinned = at ? bench_image_pin(&r->image, at, bytes, err) : 0;
  if (!pinned) free(at);
  if (!pinned) mrpb_fail(err, "micro: out of memory");
  return pinned;
}

static void *record_at(const bench_t *b, uint64_t addr, uint64_t bytes) {
  return bench_image_at(&((const record_t *)b->own)->image, addr, bytes);
}

static int record_put(bench_t *b, uint64_t addr, uint64_t bytes, bench_cached_t in,
                      mrpb_err_t *err) {
  (void)in, (void)err;
  note_put(b, addr, bytes);
  return 0;
}

static device_end_t record_run(bench_t *b, const bench_launch_t *l, mrpb_err_t *err) {
  return say_launch(b, l, err) == 0 ? DEVICE_DONE : DEVICE_FAILED;
}

static int record_span(bench_t *b, uint64_t addr, uint32_t threads, uint32_t *cycles,
                       mrpb_err_t *err) {
  (void)addr, (void)threads;
  return say_span(b, cycles, err);
}

static const bench_side_t record = BENCH_SIDE(record, .span = record_span);
