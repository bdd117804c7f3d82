/* SPDX-License-Identifier: Apache-2.0 */
/* See latencies.h. */
#include "studies/micro/kernels/latencies.h"

#include <math.h>

enum {
  ROUNDS = 64,
  BLOCK = 4096,
  SETTLED = 300 /* cycles after which all warps have left the barrier */
};

static double once(bench_t *b, const bench_launch_t *l, bench_place_t place) {
  const uint64_t in = l->arg[0], out = l->arg[1];
  if (place == BENCH_DEVICE) bench_put(b, in, (uint64_t)ROUNDS * BLOCK);
  bench_must(b, l);
  const uint32_t *sum = bench_get(b, out, l->threads * sizeof *sum);
  double all = 0;
  for (uint32_t t = 0; sum && t < l->threads; t += WARP_LANES) all += bench_cycles(b, sum[t]);
  return all * (double)WARP_LANES / l->threads / (double)ROUNDS;
}

double together_read(const bench_gpu_t *gpu, bench_place_t place, together_t lie, uint32_t warps) {
  bench_t b;
  uint64_t in = 0, out = 0;
  double least = INFINITY;
  bench_make(&b, gpu, "kernels/together",
             TEXT_VALUES(TEXT_NUMBER("threads", WARP_LANES * TOGETHER_WARPS),
                         TEXT_NUMBER("block", BLOCK), TEXT_NUMBER("rounds", ROUNDS),
                         TEXT_NUMBER("settled", SETTLED)),
             BENCH_ARRAYS({&in, (uint64_t)ROUNDS * BLOCK, place},
                          {&out, WARP_LANES * TOGETHER_WARPS * sizeof(uint32_t), BENCH_DEVICE}));
  const uint32_t apart = BENCH_LINE + (lie == TOGETHER_OWN_BLOCKS ? 2 * BLOCK : 0);
  const bench_launch_t l =
      BENCH_LAUNCH("together", 1, WARP_LANES * warps, TOGETHER_REGS, in, out, BENCH_NEVER, apart);
  once(&b, &l, place); /* fills TLBs and instruction caches */
  for (unsigned i = 0; i < gpu->limits.repeats; i++) least = fmin(least, once(&b, &l, place));
  bench_close(&b);
  return least;
}
