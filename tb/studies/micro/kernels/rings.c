/* SPDX-License-Identifier: Apache-2.0 */
/* See latencies.h. All words of a place point to the next place, so lanes may read any of them:
 * lane i reads the word at byte 0, 4 i or 16 i. */
#include "studies/micro/kernels/latencies.h"

#include <math.h>

enum { PLACES = 512, PAGES = 16, PAGE = 2 << 20, PLACE = 4 * BENCH_LINE, REGS = 24, WORD = 4 };

typedef struct {
  bench_t bench;
  uint64_t in, out;
} rings_t;

/* Spreads places over pages so that no two consecutive ones share a row of the DRAM; the first is
 * at 0. */
static uint64_t place(uint64_t i) {
  return i % PAGES * PAGE + i / PAGES * 37 * PLACE;
}

static void open(rings_t *r, const bench_gpu_t *gpu) {
  const uint64_t bytes = (uint64_t)PAGES * PAGE;
  *r = (rings_t){.in = 0};
  bench_make(&r->bench, gpu, "kernels/rings", TEXT_NONE,
             BENCH_ARRAYS({&r->in, bytes, BENCH_DEVICE}, {&r->out, WORD, BENCH_DEVICE}));
  r->bench.first_sm = gpu->limits.middle_sm;
  for (uint64_t i = 0; i < PLACES; i++) {
    uint32_t *words = bench_at(&r->bench, r->in + place(i), PLACE);
    for (unsigned k = 0; words && k < PLACE / WORD; k++)
      words[k] = (uint32_t)place((i + 1) % PLACES);
  }
  bench_written(&r->bench, r->in, bytes);
}

/* Times one round; if `warm`, after one more round that is not timed. */
static double walk(rings_t *r, bool warm, rings_width_t width) {
  static const uint64_t stride[] = {
      [RINGS_WORD] = 0, [RINGS_LINE] = WORD, [RINGS_FOUR_LINES] = 4 * WORD};
  const bench_launch_t l = BENCH_LAUNCH("ring", 1, WARP_LANES, REGS, r->in, r->out,
                                        warm ? PLACES : 0, PLACES, stride[width], BENCH_NEVER);
  if (!warm) bench_put(&r->bench, r->in, WORD);
  return (double)bench_quickest(&r->bench, &l, r->out, 1) / (double)PLACES;
}

/* The widths take turns, so that drift affects all alike. A first walk fills the TLBs. */
void rings_hops(const bench_gpu_t *gpu, bool cold, unsigned walks, rings_hop_t hop[RINGS_WIDTHS]) {
  rings_t r;
  double sum[RINGS_WIDTHS] = {0}, squares[RINGS_WIDTHS] = {0};
  open(&r, gpu);
  walk(&r, true, RINGS_WORD);
  for (unsigned i = 0; i < walks * RINGS_WIDTHS; i++) {
    const double one = walk(&r, !cold, (rings_width_t)(i % RINGS_WIDTHS));
    sum[i % RINGS_WIDTHS] += one;
    squares[i % RINGS_WIDTHS] += one * one;
  }
  bench_close(&r.bench);
  for (unsigned w = 0; w < RINGS_WIDTHS; w++) {
    const double mean = sum[w] / walks, variance = fmax(0, squares[w] / walks - mean * mean);
    hop[w] = (rings_hop_t){mean, walks > 1 ? sqrt(variance / (walks - 1)) : 0};
  }
}
