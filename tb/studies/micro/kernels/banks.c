/* SPDX-License-Identifier: Apache-2.0 */
/* See banks.h. As in Listing 1, every load's result is the next load's address. Each word that is
 * read holds its own address, so all loads of a lane read the same word. The difference between two
 * lengths of the chain cancels the cost of the clocks. */
#include "studies/micro/kernels/banks.h"

#include <inttypes.h>

enum { REPEAT = 64, REGS = 12, WORD = 4 };

/* The least of several launches. The first launch fills the instruction caches. */
static uint32_t launch(banks_bench_t *b, const char *kernel) {
  const bench_launch_t l = BENCH_LAUNCH(kernel, 1, BANKS_LANES, REGS, b->in, b->out, BENCH_NEVER);
  return bench_quickest(&b->bench, &l, b->out, 1 + b->bench.gpu.limits.repeats);
}

void banks_open(banks_bench_t *b, const bench_gpu_t *gpu) {
  *b = (banks_bench_t){0};
  bench_make(&b->bench, gpu, "kernels/banks",
             TEXT_VALUES(TEXT_NUMBER("repeat", REPEAT), TEXT_NUMBER("bytes", BANKS_BYTES)),
             BENCH_ARRAYS({&b->in, BANKS_LANES * WORD, BENCH_DEVICE},
                          {&b->out, BANKS_LANES * WORD, BENCH_DEVICE}));
}

double banks_run(banks_bench_t *b, const uint32_t word[BANKS_LANES]) {
  uint32_t *in = bench_at(&b->bench, b->in, BANKS_LANES * WORD);
  for (unsigned k = 0; in && k < BANKS_LANES; k++) {
    in[k] = word[k] * WORD;
    if (word[k] >= BANKS_BYTES / WORD)
      mrpb_fail(b->bench.gpu.err, "shared memory: word %" PRIu32 "; legal: less than %d", word[k],
                BANKS_BYTES / WORD);
  }
  bench_copy_in(&b->bench, b->in, BANKS_LANES * WORD);
  const uint32_t half = launch(b, "half"), whole = launch(b, "banks");
  return ((double)whole - half) / (double)REPEAT;
}

double banks_tick(const banks_bench_t *b) {
  return (double)bench_cycles(&b->bench, 1) / (double)REPEAT;
}
