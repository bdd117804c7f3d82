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
static int open(hops_t *h, const bench_gpu_t *gpu, uint64_t length, mrpb_err_t *err) {
  *h = (hops_t){0};
  if (bench_make(&h->bench, gpu, "kernels/hops", TEXT_VALUES(TEXT_NUMBER("reads", READS)),
                 BENCH_ARRAYS({&h->out, HOPS_LINES * sizeof(uint32_t), BENCH_DEVICE}), err) != 0)
    return -1;
  if (!gpu->limits.host) return 0;
  h->list = bench_alloc(&h->bench, length * STEP, BENCH_HOST, err);
  if (!h->list) return -1;
  for (uint64_t i = 0; i < length; i++)
    *(uint64_t *)bench_at(&h->bench, h->list + i * STEP, sizeof(uint64_t)) =
        h->list + (i + 1) % length * STEP;
  return 0;
}

/* The quickest of as many launches as the GPU's noise requires, after a first launch that fills
 * TLBs and instruction caches. */
static int launch(hops_t *h, const char *kernel, uint32_t n, uint32_t *cycles, mrpb_err_t *err) {
  const bench_launch_t l = BENCH_LAUNCH(kernel, 1, 1, REGS, h->list, h->out, n);
  if (bench_must(&h->bench, &l, err) != 0) return -1;
  return bench_quickest(&h->bench, &l, h->out, h->bench.gpu.limits.repeats, cycles, err);
}

static int difference(const bench_gpu_t *gpu, const char *one, const char *two, uint32_t n,
                      double *cycles, mrpb_err_t *err) {
  hops_t h;
  uint32_t once, twice;
  int rc = open(&h, gpu, 2 * HOPS, err);
  if (rc == 0) rc = launch(&h, one, n, &once, err);
  if (rc == 0) rc = launch(&h, two, 2 * n, &twice, err);
  if (rc == 0) *cycles = ((double)twice - once) / n;
  bench_close(&h.bench);
  return rc;
}

int hops_host(const bench_gpu_t *gpu, double *cycles, mrpb_err_t *err) {
  return difference(gpu, "hops", "hops", HOPS, cycles, err);
}

int hops_clock(const bench_gpu_t *gpu, double *cycles, mrpb_err_t *err) {
  char one[16], two[16];
  snprintf(one, sizeof one, "reads%d", READS);
  snprintf(two, sizeof two, "reads%d", 2 * READS);
  return difference(gpu, one, two, READS, cycles, err);
}

static int walk(hops_t *h, uint32_t latency[HOPS_LINES], mrpb_err_t *err) {
  const bench_launch_t l = BENCH_LAUNCH("lines", 1, 1, REGS, h->list, h->out, HOPS_LINES);
  const uint64_t bytes = HOPS_LINES * sizeof *latency;
  if (bench_must(&h->bench, &l, err) != 0 || bench_get(&h->bench, h->out, bytes, err) != 0)
    return -1;
  const uint32_t *ticks = bench_at(&h->bench, h->out, bytes);
  for (unsigned i = 0; i < HOPS_LINES; i++) latency[i] = bench_cycles(&h->bench, ticks[i]);
  return 0;
}

/* An additional first walk fills the TLBs. */
int hops_lines(const bench_gpu_t *gpu, unsigned walks, uint32_t *latency, mrpb_err_t *err) {
  hops_t h;
  int rc = open(&h, gpu, HOPS_LINES, err);
  for (unsigned w = 0; rc == 0 && w <= walks; w++)
    rc = walk(&h, latency + (w ? w - 1 : 0) * HOPS_LINES, err);
  bench_close(&h.bench);
  return rc;
}
