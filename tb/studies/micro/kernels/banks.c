/* SPDX-License-Identifier: Apache-2.0 */
/* See banks.h. As in Listing 1, every load's result is the next load's address. Each word that is
 * read holds its own address, so all loads of a lane read the same word. The difference between two
 * lengths of the chain cancels the cost of the clocks. */
#include "studies/micro/kernels/banks.h"

#include <inttypes.h>

enum { REPEAT = 64, REGS = 12, WORD = 4 };

/* The least of several launches. The first launch fills the instruction caches. */
static int launch(banks_bench_t *b, const char *kernel, uint32_t *cycles, mrpb_err_t *err) {
  const bench_launch_t l = BENCH_LAUNCH(kernel, 1, BANKS_LANES, REGS, b->in, b->out, BENCH_NEVER);
  return bench_quickest(&b->bench, &l, b->out, 1 + b->bench.gpu.limits.repeats, cycles, err);
}

int banks_open(banks_bench_t *b, const bench_gpu_t *gpu, mrpb_err_t *err) {
  *b = (banks_bench_t){0};
  return bench_make(&b->bench, gpu, "kernels/banks",
                    TEXT_VALUES(TEXT_NUMBER("repeat", REPEAT), TEXT_NUMBER("bytes", BANKS_BYTES)),
                    BENCH_ARRAYS({&b->in, BANKS_LANES * WORD, BENCH_DEVICE},
                                 {&b->out, BANKS_LANES * WORD, BENCH_DEVICE}),
                    err);
}

int banks_run(banks_bench_t *b, const uint32_t word[BANKS_LANES], double *latency,
              mrpb_err_t *err) {
  uint32_t *in = bench_at(&b->bench, b->in, BANKS_LANES * WORD), whole, half;
  for (unsigned k = 0; k < BANKS_LANES; k++) {
    in[k] = word[k] * WORD;
    if (word[k] >= BANKS_BYTES / WORD)
      return mrpb_fail(err, "shared memory: word %" PRIu32 "; legal: less than %d", word[k],
                       BANKS_BYTES / WORD);
  }
  if (bench_copy_in(&b->bench, b->in, BANKS_LANES * WORD, err) != 0) return -1;
  if (launch(b, "half", &half, err) != 0 || launch(b, "banks", &whole, err) != 0) return -1;
  *latency = ((double)whole - half) / (double)REPEAT;
  return 0;
}

double banks_tick(const banks_bench_t *b) {
  return (double)bench_cycles(&b->bench, 1) / (double)REPEAT;
}
