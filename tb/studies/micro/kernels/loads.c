/* SPDX-License-Identifier: Apache-2.0 */
/* See loads.h. A thread's n-th line is (n * lines of all + group) where its group is its
 * number among those that share: lines follow each other without gaps, so that they fill the sets
 * of an L1D evenly. Unlike Listing 1 each value is used before the second barrier: a barrier does
 * not wait for loads, their use does. */
#include "studies/micro/kernels/loads.h"

enum { MAX_THREADS = 1024, LINE = 128, REGS = 20 };

static void write_kernel(text_t *t, uint32_t n, const char *cache) {
  text_add(t,
           ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry loads(\n"
           "  .param .u64 p_in, .param .u64 p_out, .param .u64 p_times, .param .u32 p_sharers,\n"
           "  .param .u32 p_lines, .param .u32 p_total)\n{\n"
           "  .reg .pred %%p<%u>;\n  .reg .b32 %%r<%u>;\n  .reg .b64 %%rd<%u>;\n",
           n + 1, 2 * n + 12, n + 8);
  text_add(t,
           "  ld.param.u64 %%rd1, [p_in];\n  ld.param.u64 %%rd2, [p_out];\n"
           "  ld.param.u64 %%rd3, [p_times];\n  ld.param.u32 %%r1, [p_sharers];\n"
           "  ld.param.u32 %%r2, [p_lines];\n  ld.param.u32 %%r10, [p_total];\n"
           "  mov.u32 %%r3, %%tid.x;\n  div.u32 %%r4, %%r3, %%r1;\n  shr.u32 %%r9, %%r3, 5;\n"
           "  mul.lo.u32 %%r9, %%r9, %u;\n  mov.u32 %%r8, 0;\n",
           n);
  for (uint32_t i = 0; i < n; i++)
    text_add(t,
             "  mul.wide.u32 %%rd4, %%r4, %d;\n  add.u64 %%rd%u, %%rd1, %%rd4;\n"
             "  add.u32 %%r4, %%r4, %%r2;\n  mov.u32 %%r%u, 0;\n"
             "  setp.lt.u32 %%p%u, %%r9, %%r10;\n  add.u32 %%r9, %%r9, 1;\n",
             LINE, 8 + i, 12 + i, 1 + i);
  text_add(t, "  bar.sync 0;\n  mov.u32 %%r5, %%clock;\n");
  for (uint32_t i = 0; i < n; i++)
    text_add(t, "  @%%p%u ld.global%s.u32 %%r%u, [%%rd%u];\n", 1 + i, cache, 12 + i, 8 + i);
  for (uint32_t i = 0; i < n; i++) text_add(t, "  add.u32 %%r%u, %%r%u, 1;\n", 12 + n + i, 12 + i);
  text_add(t, "  bar.sync 0;\n  mov.u32 %%r6, %%clock;\n  sub.u32 %%r6, %%r6, %%r5;\n");
  for (uint32_t i = 0; i < n; i++) text_add(t, "  add.u32 %%r8, %%r8, %%r%u;\n", 12 + n + i);
  text_add(t, "  mul.wide.u32 %%rd5, %%r3, 4;\n  add.u64 %%rd6, %%rd2, %%rd5;\n"
              "  st.global.u32 [%%rd6], %%r8;\n  add.u64 %%rd7, %%rd3, %%rd5;\n"
              "  st.global.u32 [%%rd7], %%r6;\n  ret;\n}\n");
}

int loads_open(loads_bench_t *l, const device_cfg_t *cfg, const unit_choice_t *choice,
               uint32_t loads, bool bypass, bool host, mrpb_err_t *err) {
  text_t text = {0};
  uint64_t bytes = (uint64_t)loads * MAX_THREADS * LINE;
  *l = (loads_bench_t){.loads = loads};
  write_kernel(&text, loads, bypass ? ".cg" : "");
  if (bench_open(&l->bench, cfg, choice, &text, err) != 0) return -1;
  l->in = bench_alloc(&l->bench, bytes, err);
  l->out = l->in ? bench_alloc(&l->bench, MAX_THREADS * 4, err) : 0;
  l->times = l->out ? bench_alloc(&l->bench, MAX_THREADS * 4, err) : 0;
  if (!l->times) return -1;
  if (host) device_set_host(l->bench.device, l->in, l->in + bytes);
  l->host = host;
  return 0;
}

void loads_close(loads_bench_t *l) {
  bench_close(&l->bench);
}

int loads_run(loads_bench_t *l, const loads_t *p, uint32_t *cycles, mrpb_err_t *err) {
  uint32_t sharers = p->sharers * p->warps_on_line;
  uint32_t lines = (p->threads + sharers - 1) / sharers, total = p->total ? p->total : UINT32_MAX;
  const bench_launch_t launch = {.kernel = "loads",
                                 .blocks = 1,
                                 .threads = p->threads,
                                 .regs = REGS,
                                 .n_args = 6,
                                 .arg = {l->in, l->out, l->times, sharers, lines, total}};
  if (!l->host) device_copy_in(l->bench.device, l->in, (uint64_t)lines * p->loads * LINE);
  if (bench_must(&l->bench, &launch, err) != 0) return -1;
  *cycles = bench_cycles(&l->bench, bench_largest(&l->bench, l->times, p->threads));
  return 0;
}
