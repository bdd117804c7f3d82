/* SPDX-License-Identifier: Apache-2.0 */
/* See walk.h. Loads are unrolled; the loop runs often enough for whole rounds of the ring. The
 * rival runs until the walker raises a flag. */
#include "studies/micro/kernels/walk.h"
#include "studies/micro/deduce/numbers.h"

#include <math.h>
#include <string.h>

enum {
  WALK_LOADS = 512 /* at least, so that reading the clock counts little */,
  NO_BLOCK = 0x7fffffff
};
#define ALIGNED (UINT64_C(32) << 20) /* no page is larger on the GPUs that these walks are for */

void walk_open(walk_t *w, const bench_gpu_t *gpu, walk_space_t space, unsigned unroll,
               uint64_t bytes) {
  static const char *const name[] = {"global", "shared", "const"};
  *w = (walk_t){.space = space, .unroll = unroll, .bytes = bytes};
  bench_make(&w->bench, gpu, "kernels/walk",
             TEXT_VALUES(TEXT_NUMBER("shift", gpu->limits.clock_shift),
                         TEXT_NUMBER("unroll", unroll), TEXT_WORDS("space", name[space]),
                         TEXT_NUMBER("constants", space == WALK_CONST),
                         TEXT_NUMBER("shared", space == WALK_SHARED),
                         TEXT_NUMBER("rival", WALK_RIVAL_CODE / WARP_PC_STEP - 3)),
             BENCH_ARRAYS({&w->out, 16, BENCH_DEVICE}));
  if (space != WALK_GLOBAL) return;
  w->base = bench_alloc(&w->bench, bytes + ALIGNED, BENCH_DEVICE);
  w->base = (w->base + ALIGNED) / ALIGNED * ALIGNED;
}

static void *word(walk_t *w, uint64_t at) {
  if (w->space == WALK_CONST) return (char *)bench_constants(&w->bench) + at;
  return bench_at(&w->bench, w->base + at, 4);
}

static void link_up(walk_t *w, const walk_ring_t *r, uint64_t beyond) {
  for (size_t i = 0; i < r->n; i++) {
    uint32_t next = (uint32_t)(w->base + beyond + r->at[(i + 1) % r->n]);
    memcpy(word(w, beyond + r->at[i]), &next, 4);
  }
}

double walk_average(walk_t *w, const walk_ring_t *r) {
  size_t round = r->n / numbers_gcd(r->n, w->unroll);
  size_t least = WALK_LOADS / w->unroll;
  size_t loops = (least + round - 1) / round * round;
  uint32_t *result = bench_at(&w->bench, w->out, 8);
  uint64_t first = w->base + r->at[0];
  if (!result) return 0;
  if (w->space != WALK_SHARED) link_up(w, r, 0);
  if (r->rival == RIVAL_DATA) link_up(w, r, r->beyond);
  result[1] = 0;
  w->bench.first_sm = r->sm;
  const bool rival = r->rival != RIVAL_NONE;
  const bench_launch_t l =
      BENCH_LAUNCH("walk", rival ? r->where + 1 : 1, 1, 16, w->out, first, loops,
                   rival ? r->where : NO_BLOCK, r->rival == RIVAL_CODE ? 1 : first + r->beyond, 0);
  return bench_must(&w->bench, &l) ? (double)result[0] / (double)(loops * w->unroll) : 0;
}

static double walk_on(walk_t *w, uint64_t bytes, uint64_t stride, unsigned sm) {
  uint64_t at[WALK_MOST];
  size_t n = 0;
  for (uint64_t a = 0; a < bytes && n < WALK_MOST; a += stride) at[n++] = a;
  return walk_average(w, &(walk_ring_t){.at = at, .n = n, .sm = sm});
}

double walk_stride(walk_t *w, uint64_t bytes, uint64_t stride) {
  return walk_on(w, bytes, stride, 0);
}

walk_mean_t walk_placements(walk_t *w, uint64_t bytes, uint64_t stride) {
  const bench_limits_t *has = &w->bench.gpu.limits;
  walk_mean_t of = {.mean = 0, .least = INFINITY, .most = 0};
  unsigned n = 0;
  for (unsigned sm = 0; sm < has->sms; sm += has->cluster, n++) {
    const double one = walk_on(w, bytes, stride, sm);
    of.least = fmin(of.least, one);
    of.most = fmax(of.most, one);
    of.mean += one;
  }
  of.mean /= n;
  return of;
}
