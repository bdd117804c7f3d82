/* SPDX-License-Identifier: Apache-2.0 */
/* See loads.h. A thread's n-th line is n * (number of all lines) + group, where threads that share
 * lines have the same group number. The lines are contiguous, so they fill the sets of an L1D
 * evenly. Unlike in Listing 1, each warp reads the clock itself. It reads the end when it has used
 * all its values, after a branch on their sum, so that no compiler moves a clock across. At the
 * start, a clock could be moved ahead of a barrier, but not ahead of a word that is read after one;
 * a second barrier then starts all warps at once. The last barrier keeps stores from delaying other
 * warps' loads. */
#include "studies/micro/kernels/loads.h"

enum { MAX_THREADS = 1024, LINE = 128, TIMES = 8 /* bytes of a thread's two clocks */ };

/* How a load gets its address. A few addresses are computed before the first clock. If there
 * were many, a compiler would move that clock after them, before the first load; so each is
 * computed after the previous load. If all launches have the same distance, it is part of the
 * instruction. */
typedef enum { BEFORE, BETWEEN, CONSTANT } address_t;

static address_t address_of(const loads_kind_t *k) {
  return k->one_warp ? CONSTANT : k->loads <= LOADS_BEFORE && !k->counted ? BEFORE : BETWEEN;
}

/* Reads the parameters. The warp's first address goes to %rd4, the distance to %rd5, its share of
 * the total to %r10, the address of its clocks to %rd7. */
static void write_head(text_t *t, const loads_kind_t *k) {
  const uint32_t n = k->loads;
  text_add(t,
           ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry loads(\n"
           "  .param .u64 p_in, .param .u64 p_out, .param .u64 p_times, .param .u32 p_sharers,\n"
           "  .param .u32 p_lines, .param .u32 p_total, .param .u32 p_never)\n.maxntid %d, 1, 1\n"
           "{\n  .reg .pred %%p<3>;\n  .reg .b32 %%r<%u>;\n  .reg .b64 %%rd<%u>;\n"
           "  .shared .align 4 .b8 go[4];\n",
           k->one_warp ? WARP_LANES : MAX_THREADS, n + 12, n + 9);
  text_add(t,
           "  ld.param.u64 %%rd1, [p_in];\n  ld.param.u64 %%rd2, [p_out];\n"
           "  ld.param.u64 %%rd3, [p_times];\n  ld.param.u32 %%r1, [p_sharers];\n"
           "  ld.param.u32 %%r2, [p_lines];\n  ld.param.u32 %%r10, [p_total];\n"
           "  ld.param.u32 %%r11, [p_never];\n"
           "  mov.u32 %%r3, %%tid.x;\n  div.u32 %%r4, %%r3, %%r1;\n  shr.u32 %%r9, %%r3, 5;\n"
           "  mul.lo.u32 %%r9, %%r9, %u;\n  mul.wide.u32 %%rd4, %%r4, %d;\n"
           "  add.u64 %%rd4, %%rd1, %%rd4;\n  mul.wide.u32 %%rd5, %%r2, %d;\n"
           "  sub.u32 %%r10, %%r10, %%r9;\n  mul.wide.u32 %%rd6, %%r3, 8;\n"
           "  add.u64 %%rd7, %%rd3, %%rd6;\n  mov.u32 %%r8, go;\n",
           n, LINE, LINE);
  if (!k->two) return;
  text_add(t,
           "  mov.u32 %%r9, %%ctaid.x;\n  mul.wide.u32 %%rd6, %%r9, %u;\n"
           "  add.u64 %%rd4, %%rd4, %%rd6;\n  mul.wide.u32 %%rd6, %%r9, %d;\n"
           "  add.u64 %%rd7, %%rd7, %%rd6;\n",
           n * MAX_THREADS * LINE, MAX_THREADS * TIMES);
}

/* Writes load i of a warp, to be made if its share is more than i; kernels of few loads and of one
 * warp make all. Without that condition a compiler computes addresses ahead until registers run
 * out, and splits the loads into two groups. */
static void write_load(text_t *t, address_t how, const char *cache, uint32_t i) {
  if (how == BETWEEN) text_add(t, "  setp.gt.s32 %%p2, %%r10, %u;\n  @%%p2", i);
  text_add(t, "  ld.global%s.u32 %%r%u, [%%rd%u+%u];\n", cache, 12 + i, how == BEFORE ? 9 + i : 4,
           how == CONSTANT ? i * LINE : 0);
  if (how == BETWEEN) text_add(t, "  add.u64 %%rd4, %%rd4, %%rd5;\n");
}

static void write_kernel(text_t *t, const loads_kind_t *k) {
  const uint32_t n = k->loads;
  const address_t how = address_of(k);
  write_head(t, k);
  for (uint32_t i = 0; how == BETWEEN && i < n; i++) text_add(t, "  mov.u32 %%r%u, 0;\n", 12 + i);
  for (uint32_t i = 0; how == BEFORE && i < n; i++)
    text_add(t, "  mov.u64 %%rd%u, %%rd4;\n  add.u64 %%rd4, %%rd4, %%rd5;\n", 9 + i);
  text_add(t, "  st.shared.u32 [%%r8], %%r2;\n  bar.sync 0;\n  ld.shared.u32 %%r7, [%%r8];\n"
              "  setp.eq.u32 %%p1, %%r7, %%r11;\n  @%%p1 bra END;\n  bar.sync 0;\n  mov.u32 %%r5, "
              "%%clock;\n");
  for (uint32_t i = 0; i < n; i++) write_load(t, how, k->bypass ? ".cg" : "", i);
  for (uint32_t i = 1; i < n; i++) text_add(t, "  add.u32 %%r12, %%r12, %%r%u;\n", 12 + i);
  text_add(
      t, "  setp.eq.u32 %%p1, %%r12, %%r11;\n  @%%p1 bra END;\n  mov.u32 %%r6, %%clock;\n"
         "  bar.sync 0;\n  st.global.u32 [%%rd7], %%r5;\n  st.global.u32 [%%rd7+4], %%r6;\n  ret;\n"
         "END:\n  st.global.u32 [%%rd2], %%r11;\n  ret;\n}\n");
}

int loads_open(loads_bench_t *l, const bench_gpu_t *gpu, const loads_kind_t *k, mrpb_err_t *err) {
  text_t text = {0};
  const unsigned blocks = k->two ? 2 : 1;
  uint64_t bytes = (uint64_t)k->loads * MAX_THREADS * LINE * blocks;
  *l = (loads_bench_t){.kind = *k};
  write_kernel(&text, k);
  if (bench_open(&l->bench, gpu, &text, err) != 0) return -1;
  l->in = bench_alloc(&l->bench, bytes, k->host ? BENCH_HOST : BENCH_DEVICE, err);
  l->out = l->in ? bench_alloc(&l->bench, 4, BENCH_DEVICE, err) : 0;
  l->times = l->out ? bench_alloc(&l->bench, MAX_THREADS * TIMES * blocks, BENCH_DEVICE, err) : 0;
  return l->times ? 0 : -1;
}

void loads_close(loads_bench_t *l) {
  bench_close(&l->bench);
}

int loads_once(loads_bench_t *l, const loads_t *p, uint32_t *cycles, mrpb_err_t *err) {
  uint32_t sharers = p->sharers * p->warps_on_line;
  uint32_t lines = (p->threads + sharers - 1) / sharers;
  const bench_launch_t launch = {.kernel = "loads",
                                 .blocks = l->kind.two ? 2 : 1,
                                 .threads = p->threads,
                                 .regs = LOADS_REGISTERS,
                                 .n_args = 7,
                                 .arg = {l->in, l->out, l->times, sharers, lines,
                                         p->total ? p->total : INT32_MAX, BENCH_NEVER}};
  if (!l->kind.host &&
      bench_copy_in(&l->bench, l->in, (uint64_t)lines * l->kind.loads * LINE, err) != 0)
    return -1;
  if (bench_must(&l->bench, &launch, err) != 0) return -1;
  return bench_span(&l->bench, l->times, p->threads, cycles, err);
}

int loads_run(loads_bench_t *l, const loads_t *p, uint32_t *cycles, mrpb_err_t *err) {
  uint32_t now;
  *cycles = UINT32_MAX;
  for (uint32_t i = 0; i < l->bench.gpu.limits.repeats; i++) {
    if (loads_once(l, p, &now, err) != 0) return -1;
    if (now < *cycles) *cycles = now;
  }
  return 0;
}
