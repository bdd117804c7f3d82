/* SPDX-License-Identifier: Apache-2.0 */
/* See latencies.h. */
#include "studies/micro/kernels/latencies.h"

enum { HOPS = 64, READS = 8, STEP = 4096 + BENCH_LINE, REGS = 24 };

typedef struct {
  bench_t bench;
  uint64_t list, out;
} hops_t;

/* Makes a cyclic list of words, each on its own page. The list lies in host memory that the GPU
 * reads in place, at a different address each time. */
static void open(hops_t *h, const bench_gpu_t *gpu, uint64_t length) {
  *h = (hops_t){0};
  bench_make(&h->bench, gpu, "kernels/hops", TEXT_VALUES(TEXT_NUMBER("reads", READS)),
             BENCH_ARRAYS({&h->out, HOPS_LINES * sizeof(uint32_t), BENCH_DEVICE}));
  if (gpu->limits.host) h->list = bench_alloc(&h->bench, length * STEP, BENCH_HOST);
  for (uint64_t i = 0; h->list && i < length; i++)
    *(uint64_t *)bench_at(&h->bench, h->list + i * STEP, sizeof(uint64_t)) =
        h->list + (i + 1) % length * STEP;
}

/* The quickest of as many launches as the GPU's noise requires, after a first launch that fills
 * TLBs and instruction caches. */
static uint32_t launch(hops_t *h, const char *kernel, uint32_t n) {
  const bench_launch_t l = BENCH_LAUNCH(kernel, 1, 1, REGS, h->list, h->out, n);
  bench_must(&h->bench, &l);
  return bench_quickest(&h->bench, &l, h->out, h->bench.gpu.limits.repeats);
}

static double difference(const bench_gpu_t *gpu, const char *one, const char *two, uint32_t n) {
  hops_t h;
  open(&h, gpu, 2 * HOPS);
  const uint32_t once = launch(&h, one, n), twice = launch(&h, two, 2 * n);
  bench_close(&h.bench);
  return ((double)twice - once) / n;
}

double hops_host(const bench_gpu_t *gpu) {
  return difference(gpu, "hops", "hops", HOPS);
}

double hops_clock(const bench_gpu_t *gpu) {
  char one[16], two[16];
  snprintf(one, sizeof one, "reads%d", READS);
  snprintf(two, sizeof two, "reads%d", 2 * READS);
  return difference(gpu, one, two, READS);
}

static void walk(hops_t *h, uint32_t latency[HOPS_LINES]) {
  const bench_launch_t l = BENCH_LAUNCH("lines", 1, 1, REGS, h->list, h->out, HOPS_LINES);
  bench_must(&h->bench, &l);
  const uint32_t *ticks = bench_get(&h->bench, h->out, HOPS_LINES * sizeof *latency);
  for (unsigned i = 0; ticks && i < HOPS_LINES; i++) latency[i] = bench_cycles(&h->bench, ticks[i]);
}

/* An additional first walk fills the TLBs. */
void hops_lines(const bench_gpu_t *gpu, unsigned walks, uint32_t *latency) {
  hops_t h;
  open(&h, gpu, HOPS_LINES);
  for (unsigned w = 0; w <= walks; w++) walk(&h, latency + (w ? w - 1 : 0) * HOPS_LINES);
  bench_close(&h.bench);
}
