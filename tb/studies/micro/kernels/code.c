/* SPDX-License-Identifier: Apache-2.0 */
/* See code.h. */
#include "studies/micro/kernels/code.h"

#include <string.h>

void code_open(code_bench_t *b, const bench_gpu_t *gpu, const char *name,
               const ptx_value_t *values) {
  ptx_value_t all[CODE_VALUES] = {
      TEXT_NUMBER("step", WARP_PC_STEP),  TEXT_NUMBER("shift", gpu->limits.clock_shift),
      TEXT_NUMBER("line", CODE_LINE),     TEXT_NUMBER("flood", CODE_FLOOD),
      TEXT_NUMBER("floods", CODE_FLOODS), TEXT_NUMBER("out", CODE_OUT)};
  for (unsigned i = 6; values->name && i + 1 < CODE_VALUES; i++) all[i] = *values++;
  bench_make(&b->bench, gpu, name, all,
             BENCH_ARRAYS({&b->out, CODE_OUT + CODE_BLOCKS * 4, BENCH_DEVICE}));
}

void *code_run(code_bench_t *b, const uint32_t *role, uint32_t blocks, uint32_t threads,
               uint32_t n) {
  const bench_launch_t l = BENCH_LAUNCH("code", blocks, threads, CODE_REGISTERS, b->out, n);
  uint32_t *out = bench_at(&b->bench, b->out, CODE_OUT + blocks * sizeof *role);
  if (!out) return NULL;
  memset(out, 0, CODE_OUT);
  memcpy(out + CODE_OUT / sizeof *out, role, blocks * sizeof *role);
  return bench_must(&b->bench, &l) ? out : NULL;
}
