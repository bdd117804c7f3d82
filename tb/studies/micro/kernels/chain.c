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

const char *chain_header(void) {
  return ".version 1.4\n.target sm_13\n.address_size 32\n";
}

void chain_clock(text_t *t, const bench_gpu_t *gpu, const char *reg) {
  text_add(t, "  mov.u32 %s, %%clock;\n", reg);
  if (gpu->limits.clock_shift)
    text_add(t, "  shl.b32 %s, %s, %u;\n", reg, reg, gpu->limits.clock_shift);
}

static void declare(text_t *t, chain_type_t type) {
  static const char *const types[] = {"u32", "s32", "f32", "f64"};
  static const char *const start[] = {"9", "9", "0f3F800001", "0d3FF0000000000001"};
  static const char *const constant[] = {"3", "3", "0f3F7FFFFE", "0d3FEFFFFFFFFFFFFE"};
  text_add(t,
           "  .reg .%s %%x, %%c, %%a, %%b;\n  mov.%s %%x, %s;\n  mov.%s %%c, %s;\n"
           "  mov.%s %%a, %%c;\n  mov.%s %%b, %%c;\n",
           types[type], types[type], start[type], types[type], constant[type], types[type],
           types[type]);
}

static void write_kernel(text_t *t, const bench_gpu_t *gpu, const chain_op_t *op, unsigned repeat) {
  text_add(t,
           "%s.visible .entry chain(.param .u32 p_out)\n{\n  .reg .pred %%p;\n"
           "  .reg .f32 %%z;\n"
           "  .reg .u32 %%out, %%n, %%id, %%t<4>;\n",
           chain_header());
  declare(t, op->type);
  text_add(t,
           "  mov.u32 %%id, %%tid.x;\n  mul.lo.u32 %%id, %%id, %d;\n  ld.param.u32 %%out, "
           "[p_out];\n  add.u32 %%out, %%out, %%id;\n  mov.u32 %%n, 0;\nL:\n",
           4 * CHAIN_WORDS);
  for (unsigned part = 0; part < CHAIN_PARTS; part++) {
    char reg[8];
    snprintf(reg, sizeof reg, "%%t%u", 2 * part);
    text_add(t, "  bar.sync 0;\n");
    chain_clock(t, gpu, reg);
    text_add(t, "  bar.sync 0;\n");
    for (unsigned i = 0; i < (part + 1) * repeat; i++) text_add(t, "  %s\n", op->body);
    snprintf(reg, sizeof reg, "%%t%u", 2 * part + 1);
    chain_clock(t, gpu, reg);
  }
  text_add(t, "  add.u32 %%n, %%n, 1;\n  setp.lt.u32 %%p, %%n, 2;\n  @%%p bra L;\n");
  for (unsigned i = 0; i < 2 * CHAIN_PARTS; i++)
    text_add(t, "  st.global.u32 [%%out+%u], %%t%u;\n", 4 * i, i);
  static const char *const store[] = {
      "st.global.u32 [%out+16], %x;", "st.global.s32 [%out+16], %x;",
      "st.global.f32 [%out+16], %x;", "cvt.rn.f32.f64 %z, %x;\n  st.global.f32 [%out+16], %z;"};
  text_add(t, "  %s\n  ret;\n}\n", store[op->type]);
}

int chain_open(chain_t *c, const bench_gpu_t *gpu, const chain_op_t *op, mrpb_err_t *err) {
  text_t text = {0};
  *c = (chain_t){.repeat = CHAIN_CODE / op->natives};
  write_kernel(&text, gpu, op, c->repeat);
  if (bench_open(&c->bench, gpu, &text, err) != 0) return -1;
  c->out = bench_alloc(&c->bench, CHAIN_THREADS * CHAIN_WORDS * 4, BENCH_DEVICE, err);
  return c->out ? 0 : -1;
}

void chain_close(chain_t *c) {
  bench_close(&c->bench);
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

int chain_run(chain_t *c, uint32_t threads, chain_result_t *r, mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = "chain",
                            .blocks = 1,
                            .threads = threads,
                            .regs = CHAIN_REGISTERS,
                            .n_args = 1,
                            .arg = {c->out}};
  uint32_t warps = (threads + 31) / 32;
  int64_t sum = 0;
  *r = (chain_result_t){0};
  if (bench_must(&c->bench, &l, err) != 0) return -1;
  const uint32_t(*at)[CHAIN_WORDS] = bench_at(&c->bench, c->out, (uint64_t)threads * sizeof *at);
  for (uint32_t w = 0; w < warps; w++) {
    const uint32_t *t = at[w * 32];
    sum += (int64_t)(t[3] - t[2]) - (int64_t)(t[1] - t[0]);
  }
  r->latency = (double)sum / warps / c->repeat;
  r->throughput = (double)c->repeat * threads / ((double)span(at, warps, 1) - span(at, warps, 0));
  return 0;
}
