/* SPDX-License-Identifier: Apache-2.0 */
/* See latencies.h. */
#include "studies/micro/kernels/latencies.h"

enum {
  ROUNDS = 64,
  BLOCK = 4096,
  SETTLED = 300 /* cycles after which all warps have left the barrier */
};

static int once(bench_t *b, const bench_launch_t *l, bench_place_t place, double *cycles,
                mrpb_err_t *err) {
  const uint64_t in = l->arg[0], out = l->arg[1];
  if (place == BENCH_DEVICE && bench_put(b, in, (uint64_t)ROUNDS * BLOCK, err) != 0) return -1;
  if (bench_must(b, l, err) != 0) return -1;
  if (bench_get(b, out, l->threads * sizeof(uint32_t), err) != 0) return -1;
  const uint32_t *sum = bench_at(b, out, l->threads * sizeof(uint32_t));
  double all = 0;
  for (uint32_t t = 0; t < l->threads; t += WARP_LANES) all += bench_cycles(b, sum[t]);
  *cycles = all * (double)WARP_LANES / l->threads / (double)ROUNDS;
  return 0;
}

int together_read(const bench_gpu_t *gpu, bench_place_t place, together_t lie, uint32_t warps,
                  double *cycles, mrpb_err_t *err) {
  bench_t b;
  uint64_t in = 0, out = 0;
  int rc = bench_make(
      &b, gpu, "kernels/together",
      TEXT_VALUES(TEXT_NUMBER("threads", WARP_LANES * TOGETHER_WARPS), TEXT_NUMBER("block", BLOCK),
                  TEXT_NUMBER("rounds", ROUNDS), TEXT_NUMBER("settled", SETTLED)),
      BENCH_ARRAYS({&in, (uint64_t)ROUNDS * BLOCK, place},
                   {&out, WARP_LANES * TOGETHER_WARPS * sizeof(uint32_t), BENCH_DEVICE}),
      err);
  const uint32_t apart = BENCH_LINE + (lie == TOGETHER_OWN_BLOCKS ? 2 * BLOCK : 0);
  const bench_launch_t l =
      BENCH_LAUNCH("together", 1, WARP_LANES * warps, TOGETHER_REGS, in, out, BENCH_NEVER, apart);
  /* An additional first launch fills TLBs and instruction caches. */
  for (unsigned pass = 0; rc == 0 && pass <= gpu->limits.repeats; pass++) {
    double now = 0;
    rc = once(&b, &l, place, &now, err);
    if (pass <= 1 || now < *cycles) *cycles = now;
  }
  bench_close(&b);
  return rc;
}
