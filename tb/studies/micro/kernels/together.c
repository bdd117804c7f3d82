/* SPDX-License-Identifier: Apache-2.0 */
/* See together.h. */
#include "studies/micro/kernels/together.h"

enum {
  ROUNDS = 64,
  BLOCK = 4096,
  SETTLED = 300 /* cycles after which all warps have left the barrier */
};

/* In round r warp w reads line w of block r, or of block r + 2 w, modulo ROUNDS blocks, so each
 * line is read once. After the barrier each warp waits until the clock reaches a given time: a
 * compiler may move a clock reading ahead of the barrier, but not ahead of the loop that reads the
 * clock. */
static void write_kernel(text_t *t) {
  text_add(t,
           ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry together(\n"
           "  .param .u64 p_in, .param .u64 p_out, .param .u32 p_never, .param .u32 "
           "p_apart)\n.maxntid %d, 1, 1\n{\n"
           "  .reg .pred %%p<3>;\n  .reg .b32 %%r<10>;\n  .reg .b64 %%rd<6>;\n"
           "  ld.param.u32 %%r9, [p_apart];\n  ld.param.u64 %%rd1, [p_in];\n  ld.param.u64 %%rd2, "
           "[p_out];\n"
           "  ld.param.u32 %%r1, [p_never];\n  mov.u32 %%r2, %%tid.x;\n"
           "  shr.u32 %%r3, %%r2, 5;\n  and.b32 %%r4, %%r2, 31;\n"
           "  mul.lo.u32 %%r3, %%r3, %%r9;\n  mad.lo.u32 %%r3, %%r4, 4, %%r3;\n"
           "  mul.wide.u32 %%rd4, %%r2, 4;\n  add.u64 %%rd4, %%rd4, %%rd2;\n"
           "  mov.u32 %%r5, 0;\n  mov.u32 %%r6, 0;\n.pragma \"nounroll\";\nROUND:\n",
           WARP_LANES * TOGETHER_WARPS);
  text_add(
      t,
      "  bar.sync 0;\n  mov.u32 %%r7, %%clock;\nWAIT:\n  mov.u32 %%r8, %%clock;\n"
      "  sub.u32 %%r8, %%r8, %%r7;\n  setp.lt.u32 %%p1, %%r8, %d;\n  @%%p1 bra WAIT;\n"
      "  and.b32 %%r3, %%r3, %d;\n  cvt.u64.u32 %%rd3, %%r3;\n  add.u64 %%rd3, %%rd3, %%rd1;\n"
      "  mov.u32 %%r7, %%clock;\n  ld.global.u32 %%r9, [%%rd3];\n"
      "  setp.eq.u32 %%p1, %%r9, %%r1;\n  @%%p1 bra END;\n  mov.u32 %%r8, %%clock;\n"
      "  sub.u32 %%r8, %%r8, %%r7;\n  add.u32 %%r5, %%r5, %%r8;\n"
      "  add.u32 %%r3, %%r3, %d;\n  add.u32 %%r6, %%r6, 1;\n"
      "  setp.lt.u32 %%p2, %%r6, %d;\n  @%%p2 bra ROUND;\n"
      "  st.global.u32 [%%rd4], %%r5;\n  ret;\nEND:\n  st.global.u32 [%%rd2], %%r9;\n  ret;\n}\n",
      SETTLED, ROUNDS * BLOCK - 1, BLOCK, ROUNDS);
}

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
  text_t text = {0};
  write_kernel(&text);
  int rc = bench_open(&b, gpu, &text, err);
  bench_launch_t l = {.kernel = "together",
                      .blocks = 1,
                      .threads = WARP_LANES * warps,
                      .regs = TOGETHER_REGS,
                      .n_args = 4,
                      .arg = {0, 0, BENCH_NEVER, BENCH_LINE}};
  if (lie == TOGETHER_OWN_BLOCKS) l.arg[3] += 2 * BLOCK;
  if (rc == 0) l.arg[0] = bench_alloc(&b, (uint64_t)ROUNDS * BLOCK, place, err);
  if (l.arg[0])
    l.arg[1] = bench_alloc(&b, WARP_LANES * TOGETHER_WARPS * sizeof(uint32_t), BENCH_DEVICE, err);
  if (!l.arg[1]) rc = -1;
  /* An additional first launch fills TLBs and instruction caches. */
  for (unsigned pass = 0; rc == 0 && pass <= gpu->limits.repeats; pass++) {
    double now = 0;
    rc = once(&b, &l, place, &now, err);
    if (pass <= 1 || now < *cycles) *cycles = now;
  }
  bench_close(&b);
  return rc;
}
