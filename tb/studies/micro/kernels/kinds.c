/* SPDX-License-Identifier: Apache-2.0 */
/* See kinds.h. The rules of accept.c hold: no store between what is counted (unless stores are what
 * is counted), all values into a branch, clocks in registers until the end. */
#include "studies/micro/kernels/kinds.h"

enum { LINE = 128, VALUE = 16 };
#define BYTES ((uint64_t)ACCEPT_MOST * LINE)

/* {%r16, %r17} of access i. */
static void write_registers(text_t *t, const kind_t *k, uint32_t i) {
  const uint32_t first = k->store ? VALUE : VALUE + k->words * i;
  if (k->words == 1) {
    text_add(t, "%%r%u", first);
    return;
  }
  for (uint32_t w = 0; w < k->words; w++) text_add(t, "%s%%r%u", w ? ", " : "{", first + w);
  text_add(t, "}");
}

static void write_access(text_t *t, const kind_t *k, uint32_t i) {
  const char *vector = k->words == 4 ? ".v4" : k->words == 2 ? ".v2" : "";
  text_add(t, "  %s%s.u32 ", k->op, vector);
  if (k->store) text_add(t, "[%%rd4+%u], ", i * LINE);
  write_registers(t, k, i);
  if (!k->store) text_add(t, ", [%%rd4+%u]", i * LINE);
  text_add(t, ";\n  setp.eq.u32 %%p3, %%r6, %u;\n  @%%p3 mov.u32 %%r14, %%clock;\n", i);
}

static void write_accesses(text_t *t, const kind_t *k) {
  for (uint32_t i = 0; k->store && i < k->words; i++)
    text_add(t, "  mov.u32 %%r%u, %%r5;\n", VALUE + i);
  for (uint32_t i = 0; i < ACCEPT_LOADS; i++) write_access(t, k, i);
  for (uint32_t i = 0; !k->store && i < ACCEPT_LOADS * k->words; i++)
    text_add(t, "  add.u32 %%r13, %%r13, %%r%u;\n", VALUE + i);
}

static void write_kernel(text_t *t, const kind_t *even, const kind_t *odd) {
  text_add(t,
           ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry kinds(\n"
           "  .param .u64 p_in, .param .u64 p_out, .param .u32 p_never)\n.maxntid %d, 1, 1\n{\n"
           "  .reg .pred %%p<5>;\n  .reg .b32 %%r<%d>;\n  .reg .b64 %%rd<9>;\n"
           "  .shared .align 4 .b8 go[4];\n",
           32 * ACCEPT_WARPS, VALUE + 4 * ACCEPT_LOADS);
  text_add(t,
           "  ld.param.u64 %%rd1, [p_in];\n  ld.param.u64 %%rd3, [p_out];\n"
           "  ld.param.u32 %%r3, [p_never];\n  mov.u32 %%r4, %%tid.x;\n  shr.u32 %%r5, %%r4, 5;\n"
           "  and.b32 %%r6, %%r4, 31;\n  mul.wide.u32 %%rd4, %%r5, %d;\n"
           "  add.u64 %%rd4, %%rd1, %%rd4;\n  mul.wide.u32 %%rd6, %%r4, 4;\n"
           "  add.u64 %%rd7, %%rd3, %%rd6;\n  mov.u32 %%r13, 0;\n  mov.u32 %%r14, 0;\n"
           "  mov.u32 %%r11, go;\n  st.shared.u32 [%%r11], %%r4;\n  bar.sync 0;\n"
           "  ld.shared.u32 %%r12, [%%r11];\n  setp.eq.u32 %%p4, %%r12, %%r3;\n  @%%p4 bra END;\n"
           "  and.b32 %%r7, %%r5, 1;\n  setp.eq.u32 %%p1, %%r7, 1;\n  @%%p1 bra ODD;\n",
           ACCEPT_LOADS * LINE);
  write_accesses(t, even);
  text_add(t, "  bra DONE;\nODD:\n");
  write_accesses(t, odd);
  text_add(t, "DONE:\n  setp.eq.u32 %%p4, %%r13, %%r3;\n  @%%p4 bra END;\n"
              "  st.global.u32 [%%rd7], %%r14;\n  ret;\n"
              "END:\n  st.global.u32 [%%rd3], %%r13;\n  ret;\n}\n");
}

int kinds_open(kinds_bench_t *b, const bench_gpu_t *gpu, const kind_t *even, const kind_t *odd,
               mrpb_err_t *err) {
  text_t text = {0};
  *b = (kinds_bench_t){0};
  write_kernel(&text, even, odd);
  if (bench_open(&b->bench, gpu, &text, err) != 0) return -1;
  b->host = bench_alloc(&b->bench, BYTES, BENCH_HOST, err);
  b->out = b->host ? bench_alloc(&b->bench, (uint64_t)ACCEPT_MOST * 4, BENCH_DEVICE, err) : 0;
  return b->out ? 0 : -1;
}

void kinds_close(kinds_bench_t *b) {
  bench_close(&b->bench);
}

static int once(void *ctx, accepted_t *seen, mrpb_err_t *err) {
  kinds_bench_t *b = ctx;
  const bench_launch_t l = {.kernel = "kinds",
                            .blocks = 1,
                            .threads = 32 * ACCEPT_WARPS,
                            .regs = ACCEPT_REGISTERS,
                            .n_args = 3,
                            .arg = {b->host, b->out, BENCH_NEVER}};
  if (bench_must(&b->bench, &l, err) != 0) return -1;
  if (bench_get(&b->bench, b->out, (uint64_t)ACCEPT_MOST * 4, err) != 0) return -1;
  accept_collect(&b->bench, b->out, 4, seen);
  return 0;
}

int kinds_run(kinds_bench_t *b, accepted_t *seen, mrpb_err_t *err) {
  if (once(b, seen, err) != 0) return -1; /* fills the TLBs */
  return accept_median(b->bench.gpu.limits.repeats, once, b, seen, err);
}
