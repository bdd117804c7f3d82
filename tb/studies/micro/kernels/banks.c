/* SPDX-License-Identifier: Apache-2.0 */
/* See shared.h. As in Listing 1 every load's result is the next one's address; each place
 * that is read holds its own address, so that all loads of a lane go there. */
#include "studies/micro/kernels/banks.h"

#include <inttypes.h>

enum { REPEAT = 64, REGS = 12, WORD = 4 };

static void write_kernel(text_t *t, const char *name, bool add, unsigned repeat) {
  text_add(t,
           ".visible .entry %s(.param .u64 p_in, .param .u64 p_out)\n{\n"
           "  .reg .b32 %%r<8>;\n  .reg .b64 %%rd<6>;\n  .shared .align 16 .b8 data[%d];\n"
           "  ld.param.u64 %%rd1, [p_in];\n  ld.param.u64 %%rd2, [p_out];\n"
           "  mov.u32 %%r1, %%tid.x;\n  mul.wide.u32 %%rd3, %%r1, 4;\n"
           "  add.u64 %%rd1, %%rd1, %%rd3;\n  add.u64 %%rd2, %%rd2, %%rd3;\n"
           "  ld.global.u32 %%r2, [%%rd1];\n  mov.u32 %%r3, data;\n  add.u32 %%r2, %%r2, %%r3;\n"
           "  st.shared.u32 [%%r2], %%r2;\n  bar.sync 0;\n  add.u32 %%r3, %%r2, 0;\n"
           "  add.u32 %%r3, %%r3, 0;\n  mov.u32 %%r4, %%clock;\n",
           name, BANKS_BYTES);
  for (unsigned i = 0; i < repeat; i++)
    text_add(t, add ? "  add.u32 %%r2, %%r2, 0;\n" : "  ld.shared.u32 %%r2, [%%r2];\n");
  text_add(t, "  add.u32 %%r6, %%r2, 0;\n  mov.u32 %%r5, %%clock;\n  sub.u32 %%r5, %%r5, %%r4;\n"
              "  st.global.u32 [%%rd2], %%r5;\n  ret;\n}\n");
}

/* The first launch fills caches of instructions. */
static int launch(banks_bench_t *b, const char *kernel, uint32_t *cycles, mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = kernel,
                            .blocks = 1,
                            .threads = BANKS_LANES,
                            .regs = REGS,
                            .n_args = 2,
                            .arg = {b->in, b->out}};
  for (unsigned i = 0; i < 2; i++)
    if (bench_must(&b->bench, &l, err) != 0) return -1;
  *cycles = bench_cycles(&b->bench, *(const uint32_t *)bench_at(&b->bench, b->out, WORD));
  return 0;
}

int banks_open(banks_bench_t *b, const device_cfg_t *cfg, const unit_choice_t *choice,
               mrpb_err_t *err) {
  text_t text = {0};
  uint32_t one, two;
  *b = (banks_bench_t){0};
  text_add(&text, ".version 3.2\n.target sm_20\n.address_size 64\n");
  write_kernel(&text, "banks", false, REPEAT);
  write_kernel(&text, "adds", true, REPEAT);
  write_kernel(&text, "adds2", true, 2 * REPEAT);
  if (bench_open(&b->bench, cfg, choice, &text, err) != 0) return -1;
  b->in = bench_alloc(&b->bench, BANKS_LANES * WORD, err);
  b->out = b->in ? bench_alloc(&b->bench, BANKS_LANES * WORD, err) : 0;
  if (!b->out || launch(b, "adds", &one, err) != 0 || launch(b, "adds2", &two, err) != 0) return -1;
  b->overhead = one - (two - one);
  return 0;
}

void banks_close(banks_bench_t *b) {
  bench_close(&b->bench);
}

int banks_run(banks_bench_t *b, const uint32_t word[BANKS_LANES], double *latency,
              mrpb_err_t *err) {
  uint32_t *in = bench_at(&b->bench, b->in, BANKS_LANES * WORD), cycles;
  for (unsigned k = 0; k < BANKS_LANES; k++) {
    in[k] = word[k] * WORD;
    if (word[k] >= BANKS_BYTES / WORD)
      return mrpb_fail(err, "shared memory: word %" PRIu32 "; legal: less than %d", word[k],
                       BANKS_BYTES / WORD);
  }
  if (launch(b, "banks", &cycles, err) != 0) return -1;
  *latency = ((double)cycles - b->overhead) / REPEAT;
  return 0;
}
