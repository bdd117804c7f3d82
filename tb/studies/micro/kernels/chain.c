/* SPDX-License-Identifier: Apache-2.0 */
/* See chain.h. The kernel has two parts, of R and 2R operations, each between two clock readings;
 * barriers let all warps begin a part together. The difference cancels the cost of the readings and
 * of how warps start and end. No clock is read within a part, because warps that multiply could
 * pass one that waits for the SPs to read the clock. The first of two rounds fills caches. */
#include "studies/micro/kernels/chain.h"

enum {
  CHAIN_CODE = 120 /* instructions of R operations: 3R fit into a 4 KB cache */,
  CHAIN_PARTS = 2,
  CHAIN_WORDS = 2 * CHAIN_PARTS + 1,
  CHAIN_THREADS = 1024
};

static const struct {
  const char *type, *start, *constant;
} types[] = {{"u32", "9", "3"},
             {"s32", "9", "3"},
             {"f32", "0f3F800001", "0f3F7FFFFE"},
             {"f64", "0d3FF0000000000001", "0d3FEFFFFFFFFFFFFE"}};

void chain_open(chain_t *c, const bench_gpu_t *gpu, const chain_op_t *op) {
  *c = (chain_t){.repeat = CHAIN_CODE / op->natives};
  bench_make(&c->bench, gpu, "kernels/chain",
             TEXT_VALUES(TEXT_NUMBER("shift", gpu->limits.clock_shift),
                         TEXT_NUMBER("repeat", c->repeat), TEXT_NUMBER("bytes", 4 * CHAIN_WORDS),
                         TEXT_WORDS("op", op->body), TEXT_WORDS("type", types[op->type].type),
                         TEXT_WORDS("start", types[op->type].start),
                         TEXT_WORDS("constant", types[op->type].constant),
                         TEXT_NUMBER("wide", op->type == CHAIN_F64)),
             BENCH_ARRAYS({&c->out, CHAIN_THREADS * CHAIN_WORDS * 4, BENCH_DEVICE}));
}

/* Cycles from the first warp's start of a part to the last warp's end. */
static uint32_t span(const uint32_t (*at)[CHAIN_WORDS], uint32_t warps, unsigned part) {
  uint32_t first = at[0][2 * part], last = at[0][2 * part + 1];
  for (uint32_t w = 1; w < warps; w++) {
    const uint32_t *t = &at[w * 32][2 * part];
    if ((int32_t)(t[0] - first) < 0) first = t[0];
    if ((int32_t)(t[1] - last) > 0) last = t[1];
  }
  return last - first;
}

chain_result_t chain_run(chain_t *c, uint32_t threads) {
  const bench_launch_t l = BENCH_LAUNCH("chain", 1, threads, CHAIN_REGISTERS, c->out);
  const uint32_t warps = (threads + 31) / 32;
  int64_t sum = 0;
  if (!bench_must(&c->bench, &l)) return (chain_result_t){0};
  const uint32_t(*at)[CHAIN_WORDS] = bench_at(&c->bench, c->out, (uint64_t)threads * sizeof *at);
  for (uint32_t w = 0; w < warps; w++) {
    const uint32_t *t = at[w * 32];
    sum += (int64_t)(t[3] - t[2]) - (int64_t)(t[1] - t[0]);
  }
  return (chain_result_t){.latency = (double)sum / warps / c->repeat,
                          .throughput = (double)c->repeat * threads /
                                        ((double)span(at, warps, 1) - span(at, warps, 0))};
}
