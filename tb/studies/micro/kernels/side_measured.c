/* SPDX-License-Identifier: Apache-2.0 */
/* Two sides of a bench: one records the results of another side, one replays a record. Both use the
 * same functions for each line, so one reads exactly what the other writes. See measured.h. */
#include "base/hash.h"
#include "studies/micro/kernels/measured.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const bench_side_t recorder, record;

bench_gpu_t measured_recording(measured_t *m, const bench_gpu_t *g) {
  bench_gpu_t r = *g;
  r.inner = g->side;
  r.side = &recorder;
  r.measured = m;
  return r;
}

bench_gpu_t measured_gpu(measured_t *m, const bench_limits_t *limits) {
  return (bench_gpu_t){.side = &record, .limits = *limits, .measured = m};
}

/* ---- what both say ------------------------------------------------------------------ */

static int say_open(bench_t *b, const text_t *text, int opened, mrpb_err_t *err) {
  b->put_hash = HASH_START;
  return measured_text(b->gpu.measured, hash_bytes(HASH_START, text->at, text->n), opened, err);
}

/* Pinned memory has a different address each time, so an address in it is written as which piece,
 * and at which offset. */
static void name_argument(const bench_t *b, uint64_t v, char *to, size_t size) {
  for (unsigned i = 0; i < b->n_pinned; i++) {
    const uint64_t from = (uint64_t)(uintptr_t)b->pinned[i].at;
    if (v < from || v - from >= b->pinned[i].bytes) continue;
    snprintf(to, size, " host%u+%" PRIu64, i, v - from);
    return;
  }
  snprintf(to, size, " %" PRIu64, v);
}

/* A prefix is enough of a large text: the note is for reading, not for replay. */
static void note_put(bench_t *b, uint64_t addr, uint64_t bytes) {
  enum { MOST = 1 << 16 };
  const void *at = bench_at(b, addr, bytes);
  char place[64];
  name_argument(b, addr, place, sizeof place);
  b->put_hash = hash_text(b->put_hash, place);
  b->put_hash = hash_bytes(b->put_hash, &bytes, sizeof bytes);
  if (at) b->put_hash = hash_bytes(b->put_hash, at, bytes < MOST ? bytes : MOST);
}

static int say_launch(bench_t *b, const bench_launch_t *l, mrpb_err_t *err) {
  char args[640] = "";
  for (unsigned i = 0; i < l->n_args; i++) {
    const size_t at = strlen(args);
    name_argument(b, l->arg[i], args + at, sizeof args - at);
  }
  return measured_line(b->gpu.measured, err,
                       "launch %s %" PRIu32 " x %" PRIu32 " l1d %" PRIu32 " put %016" PRIx64 "%s",
                       l->kernel, l->blocks, l->threads, b->gpu.l1d_kb, b->put_hash, args);
}

static int say_get(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err) {
  uint32_t *word = bench_at(b, addr, bytes);
  if (!word || bytes % sizeof *word)
    return mrpb_fail(err, "micro: %" PRIu64 " bytes; legal: words", bytes);
  if (measured_line(b->gpu.measured, err, "got %" PRIu64, bytes / sizeof *word) != 0) return -1;
  return measured_words(b->gpu.measured, word, bytes / sizeof *word, err);
}

static int say_span(bench_t *b, uint32_t *cycles, mrpb_err_t *err) {
  return measured_line(b->gpu.measured, err, "span") != 0
             ? -1
             : measured_words(b->gpu.measured, cycles, 1, err);
}

/* ---- the one that writes -------------------------------------------------------------- */

static int recorder_open(bench_t *b, const text_t *text, mrpb_err_t *err) {
  const int opened = b->gpu.inner->open(b, text, err);
  return opened < 0 ? -1 : say_open(b, text, opened, err);
}
static void recorder_close(bench_t *b) {
  b->gpu.inner->close(b);
}
static uint64_t recorder_alloc(bench_t *b, uint64_t bytes, bench_place_t place, mrpb_err_t *err) {
  return b->gpu.inner->alloc(b, bytes, place, err);
}
static void *recorder_at(const bench_t *b, uint64_t addr, uint64_t bytes) {
  return b->gpu.inner->at(b, addr, bytes);
}
static int recorder_put(bench_t *b, uint64_t addr, uint64_t bytes, bench_cached_t in,
                        mrpb_err_t *err) {
  note_put(b, addr, bytes);
  return b->gpu.inner->put(b, addr, bytes, in, err);
}
static int recorder_get(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err) {
  return b->gpu.inner->get(b, addr, bytes, err) != 0 ? -1 : say_get(b, addr, bytes, err);
}
static device_end_t recorder_run(bench_t *b, const bench_launch_t *l, mrpb_err_t *err) {
  return say_launch(b, l, err) != 0 ? DEVICE_FAILED : b->gpu.inner->run(b, l, err);
}
static int recorder_span(bench_t *b, uint64_t addr, uint32_t threads, uint32_t *cycles,
                         mrpb_err_t *err) {
  if (b->gpu.inner->get(b, addr, threads * UINT64_C(8), err) != 0) return -1;
  *cycles = bench_span_of(b, addr, threads);
  return say_span(b, cycles, err);
}

static const bench_side_t recorder = {.open = recorder_open,
                                      .close = recorder_close,
                                      .alloc = recorder_alloc,
                                      .at = recorder_at,
                                      .put = recorder_put,
                                      .get = recorder_get,
                                      .run = recorder_run,
                                      .span = recorder_span};

/* ---- the one that was written ----------------------------------------------------------- */

static int record_open(bench_t *b, const text_t *text, mrpb_err_t *err) {
  return memory_create(&b->memory, err) != 0 ? -1 : say_open(b, text, 0, err);
}

static void record_close(bench_t *b) {
  for (unsigned i = 0; i < b->n_pinned; i++) free(b->pinned[i].at);
  memory_destroy(b->memory);
}

static uint64_t record_alloc(bench_t *b, uint64_t bytes, bench_place_t place, mrpb_err_t *err) {
  if (place == BENCH_DEVICE) return memory_alloc(b->memory, bytes, err);
  void *at = b->n_pinned < BENCH_PINNED ? calloc(bytes, 1) : NULL;
  if (!at) return mrpb_fail(err, "micro: out of memory"), 0;
  b->pinned[b->n_pinned++] = (bench_pinned_t){at, bytes};
  return (uint64_t)(uintptr_t)at;
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

static const bench_side_t record = {.open = record_open,
                                    .close = record_close,
                                    .alloc = record_alloc,
                                    .at = bench_image_at,
                                    .put = record_put,
                                    .get = say_get,
                                    .run = record_run,
                                    .span = record_span};
