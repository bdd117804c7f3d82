/* SPDX-License-Identifier: Apache-2.0 */
/* See hops.h. */
#include "studies/micro/kernels/hops.h"

enum { HOPS = 64, READS = 8, STEP = 4096 + BENCH_LINE, REGS = 24 };

typedef struct {
  bench_t bench;
  uint64_t list, out;
} hops_t;

/* %r1 is the first clock reading. The last hop's value is used, so a compiler cannot drop it. */
static void write_hops(text_t *t) {
  text_add(t, ".visible .entry hops(.param .u64 p_list, .param .u64 p_out, .param .u32 p_n)\n{\n"
              "  .reg .pred %%p;\n  .reg .b32 %%r<5>;\n  .reg .b64 %%rd<3>;\n"
              "  ld.param.u64 %%rd1, [p_list];\n  ld.param.u64 %%rd2, [p_out];\n"
              "  ld.param.u32 %%r3, [p_n];\n  mov.u32 %%r1, %%clock;\n"
              ".pragma \"nounroll\";\nHOP:\n  ld.global.cg.u64 %%rd1, [%%rd1];\n"
              "  sub.u32 %%r3, %%r3, 1;\n  setp.ne.u32 %%p, %%r3, 0;\n  @%%p bra HOP;\n"
              "  setp.eq.u64 %%p, %%rd1, 0;\n  @%%p bra END;\n  mov.u32 %%r2, %%clock;\n"
              "  sub.u32 %%r4, %%r2, %%r1;\n  st.global.u32 [%%rd2], %%r4;\nEND:\n  ret;\n}\n");
}

/* Each hop stands between two clock readings; their differences are written one after the other. */
static void write_lines(text_t *t) {
  text_add(t, ".visible .entry lines(.param .u64 p_list, .param .u64 p_out, .param .u32 p_n)\n{\n"
              "  .reg .pred %%p;\n  .reg .b32 %%r<5>;\n  .reg .b64 %%rd<3>;\n"
              "  ld.param.u64 %%rd1, [p_list];\n  ld.param.u64 %%rd2, [p_out];\n"
              "  ld.param.u32 %%r3, [p_n];\n.pragma \"nounroll\";\nLINE:\n"
              "  mov.u32 %%r1, %%clock;\n  ld.global.cg.u64 %%rd1, [%%rd1];\n"
              "  setp.eq.u64 %%p, %%rd1, 0;\n  @%%p bra END;\n  mov.u32 %%r2, %%clock;\n"
              "  sub.u32 %%r4, %%r2, %%r1;\n  st.global.u32 [%%rd2], %%r4;\n"
              "  add.u64 %%rd2, %%rd2, 4;\n  sub.u32 %%r3, %%r3, 1;\n"
              "  setp.ne.u32 %%p, %%r3, 0;\n  @%%p bra LINE;\nEND:\n  ret;\n}\n");
}

/* Each reading has a register of its own that is used; otherwise a compiler would drop it, or it
 * would wait for an earlier one. */
static void write_reads(text_t *t, unsigned n) {
  text_add(t,
           ".visible .entry reads%u(.param .u64 p_list, .param .u64 p_out, .param .u32 p_n)\n{\n"
           "  .reg .b32 %%r<3>, %%c<%u>;\n  .reg .b64 %%rd<3>;\n"
           "  ld.param.u64 %%rd2, [p_out];\n  mov.u32 %%r1, %%clock;\n",
           n, n);
  for (unsigned i = 0; i < n; i++) text_add(t, "  mov.u32 %%c%u, %%clock;\n", i);
  text_add(t, "  sub.u32 %%r1, %%c%u, %%r1;\n  mov.u32 %%r2, 0;\n", n - 1);
  for (unsigned i = 0; i < n; i++) text_add(t, "  xor.b32 %%r2, %%r2, %%c%u;\n", i);
  text_add(t, "  st.global.u32 [%%rd2], %%r1;\n  st.global.u32 [%%rd2+4], %%r2;\n  ret;\n}\n");
}

/* Makes a cyclic list of words, each on its own page. The list lies in host memory that the GPU
 * reads in place, at a different address each time. */
static int open(hops_t *h, const bench_gpu_t *gpu, uint64_t length, mrpb_err_t *err) {
  text_t text = {0};
  *h = (hops_t){0};
  text_add(&text, ".version 6.0\n.target sm_50\n.address_size 64\n");
  write_hops(&text);
  write_lines(&text);
  write_reads(&text, READS);
  write_reads(&text, 2 * READS);
  if (bench_open(&h->bench, gpu, &text, err) != 0) return -1;
  h->out = bench_alloc(&h->bench, HOPS_LINES * sizeof(uint32_t), BENCH_DEVICE, err);
  if (!h->out || !gpu->limits.host) return h->out ? 0 : -1;
  h->list = bench_alloc(&h->bench, length * STEP, BENCH_HOST, err);
  if (!h->list) return -1;
  for (uint64_t i = 0; i < length; i++)
    *(uint64_t *)bench_at(&h->bench, h->list + i * STEP, sizeof(uint64_t)) =
        h->list + (i + 1) % length * STEP;
  return 0;
}

/* The quickest of as many launches as the GPU's noise requires, after a first launch that fills
 * TLBs and instruction caches. */
static int launch(hops_t *h, const char *kernel, uint32_t n, uint32_t *cycles, mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = kernel,
                            .blocks = 1,
                            .threads = 1,
                            .regs = REGS,
                            .n_args = 3,
                            .arg = {h->list, h->out, n}};
  if (bench_must(&h->bench, &l, err) != 0) return -1;
  return bench_quickest(&h->bench, &l, h->out, h->bench.gpu.limits.repeats, cycles, err);
}

static int difference(const bench_gpu_t *gpu, const char *one, const char *two, uint32_t n,
                      double *cycles, mrpb_err_t *err) {
  hops_t h;
  uint32_t once, twice;
  int rc = open(&h, gpu, 2 * HOPS, err);
  if (rc == 0) rc = launch(&h, one, n, &once, err);
  if (rc == 0) rc = launch(&h, two, 2 * n, &twice, err);
  if (rc == 0) *cycles = ((double)twice - once) / n;
  bench_close(&h.bench);
  return rc;
}

int hops_host(const bench_gpu_t *gpu, double *cycles, mrpb_err_t *err) {
  return difference(gpu, "hops", "hops", HOPS, cycles, err);
}

int hops_clock(const bench_gpu_t *gpu, double *cycles, mrpb_err_t *err) {
  char one[16], two[16];
  snprintf(one, sizeof one, "reads%d", READS);
  snprintf(two, sizeof two, "reads%d", 2 * READS);
  return difference(gpu, one, two, READS, cycles, err);
}

static int walk(hops_t *h, uint32_t latency[HOPS_LINES], mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = "lines",
                            .blocks = 1,
                            .threads = 1,
                            .regs = REGS,
                            .n_args = 3,
                            .arg = {h->list, h->out, HOPS_LINES}};
  const uint64_t bytes = HOPS_LINES * sizeof *latency;
  if (bench_must(&h->bench, &l, err) != 0 || bench_get(&h->bench, h->out, bytes, err) != 0)
    return -1;
  const uint32_t *ticks = bench_at(&h->bench, h->out, bytes);
  for (unsigned i = 0; i < HOPS_LINES; i++) latency[i] = bench_cycles(&h->bench, ticks[i]);
  return 0;
}

/* An additional first walk fills the TLBs. */
int hops_lines(const bench_gpu_t *gpu, unsigned walks, uint32_t *latency, mrpb_err_t *err) {
  hops_t h;
  int rc = open(&h, gpu, HOPS_LINES, err);
  for (unsigned w = 0; rc == 0 && w <= walks; w++)
    rc = walk(&h, latency + (w ? w - 1 : 0) * HOPS_LINES, err);
  bench_close(&h.bench);
  return rc;
}
