/* SPDX-License-Identifier: Apache-2.0 */
/* See latencies.h. Each kernel runs n rounds and 2 n rounds. The difference cancels the start and
 * end of a launch; the difference between two lengths of a round cancels the rest of the round. */
#include "studies/micro/kernels/latencies.h"

enum { ROUNDS = 64, PAIR = 2, REGS = 16, WORD = 4 };

/* Pairs in a round, for two lengths. An H100 takes 20 cycles more for a round of some 30
 * instructions or more, so these have fewer. */
enum { SUMS_FEW = 4, SUMS_MANY = 8, TESTED_FEW = 1, TESTED_MANY = 3 };

typedef struct {
  bench_t bench;
  uint64_t out;
} loops_t;

/* The quickest of as many launches as the GPU's noise requires, after a first launch that fills the
 * instruction caches. */
static uint32_t launch(loops_t *r, const char *kernel, uint32_t n) {
  const bench_launch_t l = BENCH_LAUNCH(kernel, 1, WARP_LANES, REGS, r->out, n, 3, BENCH_NEVER);
  bench_quickest(&r->bench, &l, r->out, 1);
  return bench_quickest(&r->bench, &l, r->out, r->bench.gpu.limits.repeats);
}

/* Cycles of a round. */
static double round_of(loops_t *r, const char *name, unsigned times) {
  char kernel[16];
  snprintf(kernel, sizeof kernel, "%s%u", name, times);
  const uint32_t once = launch(r, kernel, ROUNDS), twice = launch(r, kernel, 2 * ROUNDS);
  return ((double)twice - once) / (double)ROUNDS;
}

rounds_t rounds_measure(const bench_gpu_t *gpu) {
  loops_t r = {.out = 0};
  rounds_t of;
  bench_make(&r.bench, gpu, "kernels/rounds",
             TEXT_VALUES(TEXT_NUMBER("sums_few", SUMS_FEW), TEXT_NUMBER("sums_many", SUMS_MANY),
                         TEXT_NUMBER("tested_few", TESTED_FEW),
                         TEXT_NUMBER("tested_many", TESTED_MANY)),
             BENCH_ARRAYS({&r.out, WORD, BENCH_DEVICE}));
  const double few = round_of(&r, "sums", SUMS_FEW), many = round_of(&r, "sums", SUMS_MANY);
  const double shortest = round_of(&r, "tested", TESTED_FEW),
               longest = round_of(&r, "tested", TESTED_MANY);
  bench_close(&r.bench);
  of.add = (many - few) / (SUMS_MANY - SUMS_FEW) / (double)PAIR;
  /* Setting a predicate takes as long as a sum. */
  of.passed = (longest - shortest) / (TESTED_MANY - TESTED_FEW) / (double)PAIR - 2 * of.add;
  of.taken = shortest - TESTED_FEW * PAIR * (of.passed + 2 * of.add) - 2 * of.add;
  return of;
}
