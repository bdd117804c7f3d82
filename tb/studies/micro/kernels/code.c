/* SPDX-License-Identifier: Apache-2.0 */
/* See code.h. */
#include "studies/micro/kernels/code.h"

#include <string.h>

enum { CODE_REGS = 8 };

void code_add(code_t *c, unsigned n, const char *text) {
  text_add(&c->text, "%s", text);
  c->n += n;
}

void code_nops(code_t *c, unsigned n) {
  for (unsigned i = 0; i < n; i++, c->n++)
    text_add(&c->text, "  add.u32 %%x%u, %%x%u, 1;\n", c->n % CODE_REGS, c->n % CODE_REGS);
}

void code_align(code_t *c, unsigned bytes, unsigned offset) {
  unsigned at = (c->n * WARP_PC_STEP + bytes - offset % bytes) % bytes;
  code_nops(c, (bytes - at) % bytes / WARP_PC_STEP);
}

unsigned code_clock(code_t *c, const bench_gpu_t *gpu, const char *reg) {
  unsigned n = gpu->limits.clock_shift ? 2 : 1;
  chain_clock(&c->text, gpu, reg);
  c->n += n;
  return n;
}

void code_start(code_t *c) {
  text_add(&c->text,
           "%s.visible .entry code(.param .u32 p_out, .param .u32 p_n)\n{\n"
           "  .reg .pred %%p, %%q, %%w;\n  .reg .u32 %%out, %%n, %%b, %%f, %%i, %%id, %%t0, %%t1, "
           "%%x<8>, %%v<64>, %%s<64>;\n  .shared .u32 flag[1];\n",
           chain_header());
  code_add(c, 5,
           "  ld.param.u32 %out, [p_out];\n  ld.param.u32 %n, [p_n];\n  mov.u32 %b, %ctaid.x;\n"
           "  shl.b32 %b, %b, 2;\n  add.u32 %b, %b, %out;\n");
  text_add(&c->text, "  ld.global.u32 %%b, [%%b+%d];\n", CODE_OUT);
  c->n++;
  code_add(c, 3, "  mov.u32 %id, %tid.x;\n  mov.u32 %i, 0;\n  mov.u32 %f, 0;\n");
}

void code_end(code_t *c) {
  code_add(c, 1, "FLOOD:\n  ld.global.u32 %f, [%out+4];\n");
  for (unsigned k = 0; k < CODE_FLOODS; k++) {
    text_add(&c->text, "FLOOD%u:\n", k);
    code_nops(c, (CODE_FLOOD / WARP_PC_STEP - 3) / CODE_FLOODS);
  }
  code_add(c, 3, "  setp.eq.u32 %p, %f, 0;\n  @%p bra FLOOD;\nEND:\n  ret;\n}\n");
}

int code_open(code_bench_t *b, const bench_gpu_t *gpu, code_t *c, mrpb_err_t *err) {
  if (bench_open(&b->bench, gpu, &c->text, err) != 0) return -1;
  return (b->out = bench_alloc(&b->bench, CODE_OUT + CODE_BLOCKS * 4, BENCH_DEVICE, err)) ? 0 : -1;
}

int code_run(code_bench_t *b, const uint32_t *role, uint32_t blocks, uint32_t threads, uint32_t n,
             mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = "code",
                            .blocks = blocks,
                            .threads = threads,
                            .regs = CODE_REGISTERS,
                            .n_args = 2,
                            .arg = {b->out, n}};
  memset(bench_at(&b->bench, b->out, CODE_OUT), 0, CODE_OUT);
  memcpy(bench_at(&b->bench, b->out + CODE_OUT, blocks * sizeof *role), role,
         blocks * sizeof *role);
  return bench_must(&b->bench, &l, err);
}
