/* SPDX-License-Identifier: Apache-2.0 */
/* See loads.h. A thread's n-th line is n * (number of all lines) + group, where threads that share
 * lines have the same group number. The lines are contiguous, so they fill the sets of an L1D
 * evenly. Unlike in Listing 1, each warp reads the clock itself. It reads the end when it has used
 * all its values, after a branch on their sum, so that no compiler moves a clock across. At the
 * start, a clock could be moved ahead of a barrier, but not ahead of a word that is read after one;
 * a second barrier then starts all warps at once. The last barrier keeps stores from delaying other
 * warps' loads. */
#include "studies/micro/kernels/loads.h"

enum { MAX_THREADS = 1024, LINE = 128, TIMES = 8 /* bytes of a thread's two clocks */ };

/* A few addresses are computed before the first clock. If there were many, a compiler would move
 * that clock after them, before the first load; so each is computed after the previous load. If all
 * launches have the same distance, it is part of the instruction. */
void loads_open(loads_bench_t *l, const bench_gpu_t *gpu, const loads_kind_t *k) {
  const unsigned blocks = k->two ? 2 : 1;
  const bool before = !k->one_warp && k->loads <= LOADS_BEFORE && !k->counted;
  const uint64_t bytes = (uint64_t)k->loads * MAX_THREADS * LINE * blocks;
  *l = (loads_bench_t){.kind = *k};
  bench_make(&l->bench, gpu, "kernels/loads",
             TEXT_VALUES(TEXT_NUMBER("loads", k->loads), TEXT_NUMBER("block", MAX_THREADS),
                         TEXT_NUMBER("threads", k->one_warp ? WARP_LANES : MAX_THREADS),
                         TEXT_NUMBER("line", LINE), TEXT_NUMBER("before", before),
                         TEXT_NUMBER("between", !before && !k->one_warp),
                         TEXT_NUMBER("two", k->two), TEXT_WORDS("cache", k->bypass ? ".cg" : "")),
             BENCH_ARRAYS({&l->in, bytes, k->host ? BENCH_HOST : BENCH_DEVICE},
                          {&l->out, 4, BENCH_DEVICE},
                          {&l->times, MAX_THREADS * TIMES * blocks, BENCH_DEVICE}));
}

uint32_t loads_once(loads_bench_t *l, const loads_t *p) {
  uint32_t sharers = p->sharers * p->warps_on_line;
  uint32_t lines = (p->threads + sharers - 1) / sharers;
  const bench_launch_t launch =
      BENCH_LAUNCH("loads", l->kind.two ? 2 : 1, p->threads, LOADS_REGISTERS, l->in, l->out,
                   l->times, sharers, lines, p->total ? p->total : INT32_MAX, BENCH_NEVER);
  if (!l->kind.host) bench_copy_in(&l->bench, l->in, (uint64_t)lines * l->kind.loads * LINE);
  bench_must(&l->bench, &launch);
  return bench_span(&l->bench, l->times, p->threads);
}

uint32_t loads_run(loads_bench_t *l, const loads_t *p) {
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < l->bench.gpu.limits.repeats; i++) {
    const uint32_t now = loads_once(l, p);
    if (now < least) least = now;
  }
  return least;
}
