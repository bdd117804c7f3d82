/* SPDX-License-Identifier: Apache-2.0 */
/* See code.h. */
#include "studies/micro/kernels/code.h"

#include <string.h>

int code_open(code_bench_t *b, const bench_gpu_t *gpu, const char *name, const ptx_value_t *values,
              mrpb_err_t *err) {
  text_t text = {0};
  ptx_value_t all[CODE_VALUES] = {
      TEXT_NUMBER("step", WARP_PC_STEP),  TEXT_NUMBER("shift", gpu->limits.clock_shift),
      TEXT_NUMBER("line", CODE_LINE),     TEXT_NUMBER("flood", CODE_FLOOD),
      TEXT_NUMBER("floods", CODE_FLOODS), TEXT_NUMBER("out", CODE_OUT)};
  for (unsigned i = 6; values->name && i + 1 < CODE_VALUES; i++) all[i] = *values++;
  text_write(&text, name, all);
  if (bench_open(&b->bench, gpu, &text, err) != 0) return -1;
  return bench_arrays(&b->bench, BENCH_ARRAYS({&b->out, CODE_OUT + CODE_BLOCKS * 4, BENCH_DEVICE}),
                      err);
}

int code_run(code_bench_t *b, const uint32_t *role, uint32_t blocks, uint32_t threads, uint32_t n,
             mrpb_err_t *err) {
  const bench_launch_t l = BENCH_LAUNCH("code", blocks, threads, CODE_REGISTERS, b->out, n);
  memset(bench_at(&b->bench, b->out, CODE_OUT), 0, CODE_OUT);
  memcpy(bench_at(&b->bench, b->out + CODE_OUT, blocks * sizeof *role), role,
         blocks * sizeof *role);
  return bench_must(&b->bench, &l, err);
}
