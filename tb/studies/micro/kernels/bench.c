/* SPDX-License-Identifier: Apache-2.0 */
/* See bench.h. */
#include "studies/micro/kernels/bench.h"

#include "parts/occupancy.h"

bench_gpu_t bench_gpu_with_l1d(const bench_gpu_t *g, uint32_t kb) {
  bench_gpu_t small = *g;
  small.l1d_kb = kb;
  return small;
}

void bench_open(bench_t *b, const bench_gpu_t *gpu, text_t *text) {
  mrpb_err_t why = {""};
  const char *failed = text->failed.text;
  *b = (bench_t){.gpu = *gpu};
  int rc = -1;
  if (bench_ok(gpu))
    rc = failed[0] ? mrpb_fail(gpu->err, "%s", failed) : gpu->side->open(b, text, &why);
  if (rc == BENCH_REFUSED) b->refused = why;
  if (rc < 0) mrpb_fail(gpu->err, "%s", why.text);
  text_free(text);
}

void bench_arrays(bench_t *b, const bench_array_t *arrays) {
  for (; arrays->at; arrays++) *arrays->at = bench_alloc(b, arrays->bytes, arrays->place);
}

void bench_make(bench_t *b, const bench_gpu_t *gpu, const char *name, const ptx_value_t *values,
                const bench_array_t *arrays) {
  text_t text = {0};
  text_write(&text, name, values);
  bench_open(b, gpu, &text);
  bench_arrays(b, arrays);
}

uint32_t bench_threads(const bench_limits_t *l, uint32_t regs) {
  const occupancy_sm_t sm = {.warps = UINT32_MAX / WARP_LANES,
                             .blocks = UINT32_MAX,
                             .registers = l->registers,
                             .register_unit = l->register_unit,
                             .thread_unit = l->thread_unit};
  if (regs > l->registers_per_thread) return 0;
  uint32_t warps = occupancy_blocks(&sm, WARP_LANES, regs, 0), most = warps * WARP_LANES;
  return most < l->threads_per_block ? most : l->threads_per_block;
}

uint32_t bench_clusters(const bench_limits_t *l) {
  return (l->sms + l->cluster - 1) / l->cluster;
}

uint32_t bench_sm(const bench_limits_t *l, uint32_t block) {
  const uint32_t clusters = bench_clusters(l), rest = l->sms % l->cluster;
  uint32_t i = block % l->sms, turn = 0;
  if (!l->by_cluster) return i;
  for (uint32_t all; i >= (all = rest && turn >= rest ? clusters - 1 : clusters); turn++) i -= all;
  return i * l->cluster + turn;
}

void bench_close(bench_t *b) {
  if (b->gpu.side) b->gpu.side->close(b);
  *b = (bench_t){0};
}

uint64_t bench_alloc(bench_t *b, uint64_t bytes, bench_place_t place) {
  return bench_ok(&b->gpu) ? b->gpu.side->alloc(b, bytes, place, b->gpu.err) : 0;
}

void *bench_at(const bench_t *b, uint64_t addr, uint64_t bytes) {
  return bench_ok(&b->gpu) ? b->gpu.side->at(b, addr, bytes) : NULL;
}

void *bench_get(bench_t *b, uint64_t addr, uint64_t bytes) {
  if (bench_ok(&b->gpu)) (void)b->gpu.side->get(b, addr, bytes, b->gpu.err);
  return bench_at(b, addr, bytes);
}

static void put(bench_t *b, uint64_t addr, uint64_t bytes, bench_cached_t in) {
  if (bench_ok(&b->gpu)) (void)b->gpu.side->put(b, addr, bytes, in, b->gpu.err);
}

void bench_put(bench_t *b, uint64_t addr, uint64_t bytes) {
  put(b, addr, bytes, BENCH_IN_NO_CACHE);
}

void bench_copy_in(bench_t *b, uint64_t addr, uint64_t bytes) {
  put(b, addr, bytes, BENCH_IN_L2);
}

void bench_written(bench_t *b, uint64_t addr, uint64_t bytes) {
  put(b, addr, bytes, BENCH_ANYWHERE);
}

uint32_t bench_span_of(const bench_t *b, uint64_t addr, uint32_t threads) {
  const uint32_t(*at)[2] = bench_at(b, addr, threads * UINT64_C(8));
  uint32_t first = at[0][0], last = at[0][1];
  for (uint32_t i = 1; i < threads; i++) {
    if ((int32_t)(at[i][0] - first) < 0) first = at[i][0];
    if ((int32_t)(at[i][1] - last) > 0) last = at[i][1];
  }
  return bench_cycles(b, last - first);
}

uint32_t bench_span(bench_t *b, uint64_t addr, uint32_t threads) {
  uint32_t cycles = 0;
  if (!b->gpu.side->span)
    return bench_get(b, addr, threads * UINT64_C(8)) ? bench_span_of(b, addr, threads) : 0;
  if (bench_ok(&b->gpu)) (void)b->gpu.side->span(b, addr, threads, &cycles, b->gpu.err);
  return cycles;
}

static bool in_image(uint64_t addr) {
  return addr >= MEMORY_BASE && addr < MEMORY_BASE + MEMORY_CAPACITY;
}

void *bench_image_at(const bench_image_t *image, uint64_t addr, uint64_t bytes) {
  if (in_image(addr)) return memory_at(image->memory, addr, bytes);
  for (unsigned i = 0; i < image->n_pinned; i++) {
    const uint64_t from = (uint64_t)(uintptr_t)image->pinned[i].at, all = image->pinned[i].bytes;
    if (addr >= from && addr - from <= all && bytes <= all - (addr - from))
      return (char *)image->pinned[i].at + (addr - from);
  }
  return NULL;
}

uint64_t bench_image_pin(bench_image_t *image, void *at, uint64_t bytes, mrpb_err_t *err) {
  if (image->n_pinned == BENCH_PINNED)
    return mrpb_fail(err, "micro: more than %d pieces of pinned memory", BENCH_PINNED), 0;
  image->pinned[image->n_pinned++] = (bench_pinned_t){at, bytes};
  return (uint64_t)(uintptr_t)at;
}

uint32_t bench_cycles(const bench_t *b, uint32_t ticks) {
  return ticks << b->gpu.limits.clock_shift;
}

static device_end_t run(bench_t *b, const bench_launch_t *l, mrpb_err_t *err) {
  return bench_ok(&b->gpu) ? b->gpu.side->run(b, l, err) : DEVICE_FAILED;
}

device_end_t bench_run(bench_t *b, const bench_launch_t *l) {
  mrpb_err_t why = {""};
  const device_end_t end = run(b, l, &why);
  if (end == DEVICE_FAILED) mrpb_fail(b->gpu.err, "%s", why.text);
  if (end == DEVICE_REFUSED) b->refused = why;
  return end;
}

bool bench_must(bench_t *b, const bench_launch_t *l) {
  switch (run(b, l, b->gpu.err)) {
  case DEVICE_DONE:
    return true;
  case DEVICE_DEADLOCK:
    mrpb_fail(b->gpu.err, "%s: no warp can go on", l->kernel);
    break;
  case DEVICE_SPINS:
    mrpb_fail(b->gpu.err, "%s: did not end within %llu cycles", l->kernel,
              (unsigned long long)b->limit);
    break;
  case DEVICE_NONE:
    mrpb_fail(b->gpu.err, "%s: not launched", l->kernel);
    break;
  case DEVICE_REFUSED:
  case DEVICE_FAILED:
    break;
  }
  return false;
}

uint32_t bench_quickest(bench_t *b, const bench_launch_t *l, uint64_t addr, uint32_t launches) {
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < launches && bench_must(b, l); i++) {
    const uint32_t *ticks = bench_get(b, addr, sizeof *ticks);
    if (ticks && *ticks < least) least = *ticks;
  }
  return bench_cycles(b, least);
}
