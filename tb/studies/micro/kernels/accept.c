/* SPDX-License-Identifier: Apache-2.0 */
/* See accept.h. */
#include "studies/micro/kernels/accept.h"

#include "studies/micro/deduce/numbers.h"

enum { LINE = 128, REGS = 60, PAUSE = 100 /* cycles that are no mere turn of the unit */ };

/* Thread t of warp w loads line (32 w + i) * lines + lane * lines / 32 in its i-th load, or always
 * those of its first (step 0). The clocks of a warp's loads go through shared memory. */
static void write_kernel(text_t *t, uint32_t lines, uint32_t step) {
  enum { N = ACCEPT_LOADS };
  text_add(
      t,
      ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry accept(\n"
      "  .param .u64 p_in, .param .u64 p_first, .param .u64 p_out, .param .u32 p_schedulers)\n{\n"
      "  .reg .pred %%p<4>;\n  .reg .b32 %%r<%d>;\n  .reg .b64 %%rd<9>;\n"
      "  .shared .align 4 .b8 log[%d];\n",
      N + 14, 4 * ACCEPT_MOST);
  text_add(t,
           "  ld.param.u64 %%rd1, [p_in];\n  ld.param.u64 %%rd2, [p_first];\n"
           "  ld.param.u64 %%rd3, [p_out];\n  ld.param.u32 %%r2, [p_schedulers];\n"
           "  mov.u32 %%r4, %%tid.x;\n  shr.u32 %%r5, %%r4, 5;\n  and.b32 %%r6, %%r4, 31;\n"
           "  and.b32 %%r7, %%r5, 3;\n  setp.ge.u32 %%p1, %%r7, %%r2;\n  @%%p1 ret;\n"
           "  mul.lo.u32 %%r8, %%r5, %u;\n  mul.lo.u32 %%r9, %%r6, %u;\n"
           "  shr.u32 %%r9, %%r9, 5;\n  add.u32 %%r8, %%r8, %%r9;\n"
           "  mul.wide.u32 %%rd4, %%r8, %d;\n  add.u64 %%rd4, %%rd1, %%rd4;\n",
           N * lines, lines, LINE);
  text_add(t,
           "  setp.ne.u64 %%p2, %%rd2, 0;\n  setp.eq.and.u32 %%p2, %%r5, 0, %%p2;\n"
           "  mov.u32 %%r13, 0;\n  @%%p2 ld.global.u32 %%r13, [%%rd2];\n"
           "  setp.eq.u32 %%p3, %%r6, 0;\n  mul.lo.u32 %%r10, %%r5, %d;\n"
           "  mov.u32 %%r11, log;\n  add.u32 %%r10, %%r10, %%r11;\n  bar.sync 0;\n",
           4 * N);
  for (uint32_t i = 0; i < N; i++)
    text_add(t,
             "  ld.global.u32 %%r%u, [%%rd4+%u];\n  mov.u32 %%r12, %%clock;\n"
             "  @%%p3 st.shared.u32 [%%r10+%u], %%r12;\n",
             14 + i, i * step * LINE, 4 * i);
  for (uint32_t i = 0; i < N; i++) text_add(t, "  add.u32 %%r%u, %%r%u, 1;\n", 14 + i, 14 + i);
  text_add(t,
           "  add.u32 %%r13, %%r13, 1;\n  mul.wide.u32 %%rd6, %%r5, %d;\n  add.u64 %%rd7, %%rd3, "
           "%%rd6;\n",
           4 * N);
  for (uint32_t i = 0; i < N; i++)
    text_add(t, "  ld.shared.u32 %%r12, [%%r10+%u];\n  @%%p3 st.global.u32 [%%rd7+%u], %%r12;\n",
             4 * i, 4 * i);
  text_add(t, "  ret;\n}\n");
}

int accept_open(accept_bench_t *b, const device_cfg_t *cfg, const unit_choice_t *choice,
                uint32_t lines, bool same, mrpb_err_t *err) {
  text_t text = {0};
  uint64_t bytes = (uint64_t)ACCEPT_MOST * 32 * LINE;
  *b = (accept_bench_t){.lines = lines};
  write_kernel(&text, lines, same ? 0 : lines);
  if (bench_open(&b->bench, cfg, choice, &text, err) != 0) return -1;
  b->in = bench_alloc(&b->bench, bytes, err);
  b->host = b->in ? bench_alloc(&b->bench, bytes, err) : 0;
  b->out = b->host ? bench_alloc(&b->bench, (uint64_t)ACCEPT_MOST * 4, err) : 0;
  if (!b->out) return -1;
  device_set_host(b->bench.device, b->host, b->host + bytes);
  return 0;
}

void accept_close(accept_bench_t *b) {
  bench_close(&b->bench);
}

/* The clocks of each warp that issued. */
static void collect(const accept_bench_t *b, const accept_t *p, accepted_t *seen) {
  const uint32_t *out = bench_at(&b->bench, b->out, (uint64_t)ACCEPT_MOST * 4);
  seen->n = 0;
  for (uint32_t w = 0; w < ACCEPT_WARPS; w++)
    for (uint32_t i = 0; w % 4 < p->schedulers && i < ACCEPT_LOADS; i++)
      seen->at[seen->n++] = out[w * ACCEPT_LOADS + i];
  numbers_sort32(seen->at, seen->n);
  uint32_t first = seen->at[0];
  for (uint32_t i = 0; i < seen->n; i++) seen->at[i] = bench_cycles(&b->bench, seen->at[i] - first);
  seen->accepted = seen->n;
  seen->pause = PAUSE;
  for (uint32_t i = 1; i < seen->n; i++) {
    if (seen->at[i] - seen->at[i - 1] <= seen->pause) continue;
    if (seen->accepted == seen->n) seen->accepted = i;
    if (seen->at[i] - seen->at[i - 1] > 2 * seen->pause) seen->accepted = i;
    seen->pause = seen->at[i] - seen->at[i - 1];
  }
}

int accept_run(accept_bench_t *b, const accept_t *p, accepted_t *seen, mrpb_err_t *err) {
  uint64_t in = p->from_host ? b->host : b->in;
  const bench_launch_t l = {.kernel = "accept",
                            .blocks = 1,
                            .threads = 32 * ACCEPT_WARPS,
                            .regs = REGS,
                            .n_args = 4,
                            .arg = {in, p->first_from_host ? b->host : 0, b->out, p->schedulers}};
  if (!p->from_host)
    device_copy_in(b->bench.device, b->in, (uint64_t)ACCEPT_MOST * b->lines * LINE);
  if (bench_must(&b->bench, &l, err) != 0) return -1;
  collect(b, p, seen);
  return 0;
}
