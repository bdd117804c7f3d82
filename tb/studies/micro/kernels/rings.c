/* SPDX-License-Identifier: Apache-2.0 */
/* See rings.h. All words of a place point to the next place, so lanes may read any of them: lane i
 * reads the word at byte 0, 4 i or 16 i. */
#include "studies/micro/kernels/rings.h"

#include <math.h>

enum { PLACES = 512, PAGES = 16, PAGE = 2 << 20, PLACE = 4 * BENCH_LINE, REGS = 24, WORD = 4 };

typedef struct {
  bench_t bench;
  uint64_t in, out;
} rings_t;

/* %r1: offset of a place; %rd3: this lane's address of offset 0. */
static void write_loop(text_t *t, const char *label, const char *left) {
  text_add(t,
           ".pragma \"nounroll\";\n%s:\n  mad.wide.u32 %%rd4, %%r1, 1, %%rd3;\n"
           "  ld.global.cg.u32 %%r1, [%%rd4];\n  sub.u32 %s, %s, 1;\n"
           "  setp.ne.u32 %%p1, %s, 0;\n  @%%p1 bra %s;\n"
           "  setp.eq.u32 %%p2, %%r1, %%r5;\n  @%%p2 bra END;\n",
           label, left, left, left, label);
}

static void write_kernel(text_t *t) {
  text_add(t, ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry ring(\n"
              "  .param .u64 p_in, .param .u64 p_out, .param .u32 p_warm, .param .u32 p_n,\n"
              "  .param .u32 p_stride, .param .u32 p_never)\n.maxntid 32, 1, 1\n{\n"
              "  .reg .pred %%p<3>;\n  .reg .b32 %%r<9>;\n  .reg .b64 %%rd<5>;\n"
              "  ld.param.u64 %%rd1, [p_in];\n  ld.param.u64 %%rd2, [p_out];\n"
              "  ld.param.u32 %%r2, [p_warm];\n  ld.param.u32 %%r3, [p_n];\n"
              "  ld.param.u32 %%r4, [p_stride];\n  ld.param.u32 %%r5, [p_never];\n"
              "  mov.u32 %%r6, %%tid.x;\n  mul.wide.u32 %%rd3, %%r6, %%r4;\n"
              "  add.u64 %%rd3, %%rd1, %%rd3;\n  mov.u32 %%r1, 0;\n"
              "  setp.eq.u32 %%p1, %%r2, 0;\n  @%%p1 bra GO;\n");
  write_loop(t, "WARM", "%r2");
  text_add(t, "GO:\n  mov.u32 %%r7, %%clock;\n");
  write_loop(t, "TIMED", "%r3");
  text_add(t, "  mov.u32 %%r8, %%clock;\n  sub.u32 %%r8, %%r8, %%r7;\n"
              "  st.global.u32 [%%rd2], %%r8;\nEND:\n  ret;\n}\n");
}

/* Spreads places over pages so that no two consecutive ones share a row of the DRAM; the first is
 * at 0. */
static uint64_t place(uint64_t i) {
  return i % PAGES * PAGE + i / PAGES * 37 * PLACE;
}

static int open(rings_t *r, const bench_gpu_t *gpu, mrpb_err_t *err) {
  const uint64_t bytes = (uint64_t)PAGES * PAGE;
  text_t text = {0};
  *r = (rings_t){.in = 0};
  write_kernel(&text);
  if (bench_open(&r->bench, gpu, &text, err) != 0) return -1;
  r->bench.first_sm = gpu->limits.middle_sm;
  r->in = bench_alloc(&r->bench, bytes, BENCH_DEVICE, err);
  r->out = r->in ? bench_alloc(&r->bench, WORD, BENCH_DEVICE, err) : 0;
  if (!r->out) return -1;
  for (uint64_t i = 0; i < PLACES; i++) {
    uint32_t *words = bench_at(&r->bench, r->in + place(i), PLACE);
    for (unsigned k = 0; k < PLACE / WORD; k++) words[k] = (uint32_t)place((i + 1) % PLACES);
  }
  return bench_written(&r->bench, r->in, bytes, err);
}

/* Times one round; if `warm`, after one more round that is not timed. */
static int walk(rings_t *r, bool warm, rings_width_t width, double *cycles, mrpb_err_t *err) {
  static const uint64_t stride[] = {
      [RINGS_WORD] = 0, [RINGS_LINE] = WORD, [RINGS_FOUR_LINES] = 4 * WORD};
  const bench_launch_t l = {
      .kernel = "ring",
      .blocks = 1,
      .threads = WARP_LANES,
      .regs = REGS,
      .n_args = 6,
      .arg = {r->in, r->out, warm ? PLACES : 0, PLACES, stride[width], BENCH_NEVER}};
  uint32_t all;
  if (!warm && bench_put(&r->bench, r->in, WORD, err) != 0) return -1;
  if (bench_quickest(&r->bench, &l, r->out, 1, &all, err) != 0) return -1;
  *cycles = (double)all / (double)PLACES;
  return 0;
}

/* The widths take turns, so that drift affects all alike. A first walk fills the TLBs. */
int rings_hops(const bench_gpu_t *gpu, bool cold, unsigned walks, rings_hop_t hop[RINGS_WIDTHS],
               mrpb_err_t *err) {
  rings_t r;
  double one, sum[RINGS_WIDTHS] = {0}, squares[RINGS_WIDTHS] = {0};
  int rc = open(&r, gpu, err);
  if (rc == 0) rc = walk(&r, true, RINGS_WORD, &one, err);
  for (unsigned i = 0; rc == 0 && i < walks * RINGS_WIDTHS; i++) {
    rc = walk(&r, !cold, (rings_width_t)(i % RINGS_WIDTHS), &one, err);
    sum[i % RINGS_WIDTHS] += one;
    squares[i % RINGS_WIDTHS] += one * one;
  }
  bench_close(&r.bench);
  for (unsigned w = 0; w < RINGS_WIDTHS; w++) {
    const double mean = sum[w] / walks, variance = fmax(0, squares[w] / walks - mean * mean);
    hop[w] = (rings_hop_t){mean, walks > 1 ? sqrt(variance / (walks - 1)) : 0};
  }
  return rc;
}
