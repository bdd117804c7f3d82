/* SPDX-License-Identifier: Apache-2.0 */
/* See banks.h. As in Listing 1, every load's result is the next load's address. Each word that is
 * read holds its own address, so all loads of a lane read the same word. The difference between two
 * lengths of the chain cancels the cost of the clocks. */
#include "studies/micro/kernels/banks.h"

#include <inttypes.h>

enum { REPEAT = 64, REGS = 12, WORD = 4 };

static void write_kernel(text_t *t, const char *name, unsigned repeat) {
  text_add(t,
           ".visible .entry %s(.param .u64 p_in, .param .u64 p_out, .param .u32 p_never)\n{\n"
           "  .reg .pred %%p;\n  .reg .b32 %%r<8>;\n  .reg .b64 %%rd<6>;\n"
           "  .shared .align 16 .b8 data[%d];\n"
           "  ld.param.u64 %%rd1, [p_in];\n  ld.param.u64 %%rd2, [p_out];\n"
           "  ld.param.u32 %%r6, [p_never];\n"
           "  mov.u32 %%r1, %%tid.x;\n  mul.wide.u32 %%rd3, %%r1, 4;\n"
           "  add.u64 %%rd1, %%rd1, %%rd3;\n  add.u64 %%rd2, %%rd2, %%rd3;\n"
           "  ld.global.u32 %%r2, [%%rd1];\n  mov.u32 %%r3, data;\n  add.u32 %%r2, %%r2, %%r3;\n"
           "  st.shared.u32 [%%r2], %%r2;\n  bar.sync 0;\n  ld.shared.u32 %%r2, [%%r2];\n"
           "  setp.eq.u32 %%p, %%r2, %%r6;\n  @%%p bra END_%s;\n  mov.u32 %%r4, %%clock;\n",
           name, BANKS_BYTES, name);
  for (unsigned i = 0; i < repeat; i++) text_add(t, "  ld.shared.u32 %%r2, [%%r2];\n");
  text_add(t,
           "  setp.eq.u32 %%p, %%r2, %%r6;\n  @%%p bra END_%s;\n  mov.u32 %%r5, %%clock;\n"
           "  sub.u32 %%r5, %%r5, %%r4;\n  st.global.u32 [%%rd2], %%r5;\n  ret;\n"
           "END_%s:\n  st.global.u32 [%%rd2], %%r2;\n  ret;\n}\n",
           name, name);
}

/* The least of several launches. The first launch fills the instruction caches. */
static int launch(banks_bench_t *b, const char *kernel, uint32_t *cycles, mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = kernel,
                            .blocks = 1,
                            .threads = BANKS_LANES,
                            .regs = REGS,
                            .n_args = 3,
                            .arg = {b->in, b->out, BENCH_NEVER}};
  return bench_quickest(&b->bench, &l, b->out, 1 + b->bench.gpu.limits.repeats, cycles, err);
}

int banks_open(banks_bench_t *b, const bench_gpu_t *gpu, mrpb_err_t *err) {
  text_t text = {0};
  *b = (banks_bench_t){0};
  text_add(&text, ".version 3.2\n.target sm_20\n.address_size 64\n");
  write_kernel(&text, "banks", 2 * REPEAT);
  write_kernel(&text, "half", REPEAT);
  if (bench_open(&b->bench, gpu, &text, err) != 0) return -1;
  b->in = bench_alloc(&b->bench, BANKS_LANES * WORD, BENCH_DEVICE, err);
  b->out = b->in ? bench_alloc(&b->bench, BANKS_LANES * WORD, BENCH_DEVICE, err) : 0;
  return b->out ? 0 : -1;
}

void banks_close(banks_bench_t *b) {
  bench_close(&b->bench);
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
