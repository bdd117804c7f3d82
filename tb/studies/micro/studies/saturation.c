/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation: the bytes that one SM loads per cycle against the lines that it keeps in flight, from
 * the L2, the DRAM and pinned host memory, with the largest L1D and a small one, for loads of one,
 * four and eight lines. docs/micro/h200.md */
#include "studies/micro/kernels/bench.h"
#include "studies/micro/study.h"

#include <math.h>

enum { LINE = 128, MAX_WARPS = 32, REGS = 60, LEVELS = 9, SMALL_L1D = 28 };

typedef enum { ONE_LINE, FOUR_LINES, EIGHT_LINES, KINDS } kind_t;

/* Where the data come from: the L2, the DRAM or the host, with the largest L1D or a small one. */
typedef struct {
  const char *name, *file;
  bench_place_t place;
  bool in_l2;
  uint32_t l1d; /* KB; 0: the largest */
} source_t;

static const source_t sources[] = {
    {"L2", "l2", BENCH_DEVICE, true, 0},
    {"L2, L1D of 28 KB", "l2-28", BENCH_DEVICE, true, SMALL_L1D},
    {"DRAM", "dram", BENCH_DEVICE, false, 0},
    {"DRAM, L1D of 28 KB", "dram-28", BENCH_DEVICE, false, SMALL_L1D},
    {"host", "host", BENCH_HOST, false, 0},
    {"host, L1D of 28 KB", "host-28", BENCH_HOST, false, SMALL_L1D}};

static const uint32_t lines_of[KINDS] = {1, 4, 8};
/* With more rounds, filling and draining the SM counts less. Each kind loads about the same
 * amount. */
static const uint32_t rounds_of[KINDS] = {64, 16, 8};
/* The loads of all warps meant to be in flight: warps, and loads of each. */
static const struct {
  uint32_t warps, loads;
} level[LEVELS] = {{4, 1}, {4, 2}, {4, 4}, {8, 4}, {16, 4}, {16, 8}, {32, 8}, {28, 16}, {32, 20}};

/* Writes rounds of `loads` independent loads per warp, all of different lines. */
static void write_kernel(text_t *t, kind_t kind, uint32_t loads, uint32_t warps) {
  uint32_t bytes = lines_of[kind] * LINE, round = warps * loads * bytes;
  uint32_t per_lane = bytes / 32, words = kind == FOUR_LINES ? 4 : 1;
  text_add(
      t,
      ".version 3.2\n.target sm_20\n.address_size 64\n"
      ".visible .entry stream(.param .u64 p_in, .param .u64 p_out, .param .u32 p_never)\n"
      ".maxntid 1024, 1, 1\n{\n  .reg .pred %%p<3>;\n  .shared .align 4 .b8 go[4];\n"
      "  .reg .b32 %%r<%u>;\n  .reg .b64 %%rd<7>;\n  ld.param.u64 %%rd1, [p_in];\n"
      "  ld.param.u64 %%rd2, [p_out];\n  mov.u32 %%r1, %%tid.x;\n  shr.u32 %%r2, %%r1, 5;\n"
      "  and.b32 %%r3, %%r1, 31;\n  mul.lo.u32 %%r2, %%r2, %u;\n  mul.lo.u32 %%r3, %%r3, %u;\n"
      "  add.u32 %%r2, %%r2, %%r3;\n  cvt.u64.u32 %%rd3, %%r2;\n  add.u64 %%rd3, %%rd1, %%rd3;\n"
      "  ld.param.u32 %%r7, [p_never];\n  mov.u32 %%r6, go;\n  st.shared.u32 [%%r6], %%r1;\n"
      "  mov.u32 %%r4, 0;\n  bar.sync 0;\n  ld.shared.u32 %%r6, [%%r6];\n"
      "  setp.eq.u32 %%p2, %%r6, %%r7;\n  @%%p2 bra END;\n  bar.sync 0;\n  mov.u32 %%r5, %%clock;\n"
      ".pragma \"nounroll\";\nround:\n",
      8 + words * loads, loads * bytes, per_lane);
  for (uint32_t i = 0; i < loads; i++) {
    uint32_t at = 8 + words * i;
    if (words == 4)
      text_add(t, "  ld.global.v4.u32 {%%r%u, %%r%u, %%r%u, %%r%u}, [%%rd3+%u];\n", at, at + 1,
               at + 2, at + 3, i * bytes);
    else
      text_add(t, "  ld.global.u32 %%r%u, [%%rd3+%u];\n", at, i * bytes);
  }
  text_add(t, "  add.u64 %%rd3, %%rd3, %u;\n", round);
  for (uint32_t i = 0; i < loads; i++) text_add(t, "  add.u32 %%r6, %%r6, %%r%u;\n", 8 + words * i);
  text_add(t, "  setp.eq.u32 %%p2, %%r6, %%r7;\n  @%%p2 bra END;\n");
  text_add(
      t,
      "  add.u32 %%r4, %%r4, 1;\n  setp.lt.u32 %%p1, %%r4, %u;\n  @%%p1 bra round;\n"
      "  mov.u32 %%r6, %%clock;\n  bar.sync 0;\n  mul.wide.u32 %%rd4, %%r1, 8;\n"
      "  add.u64 %%rd5, %%rd2, %%rd4;\n  st.global.u32 [%%rd5], %%r5;\n"
      "  st.global.u32 [%%rd5+4], %%r6;\n  ret;\nEND:\n  st.global.u32 [%%rd2], %%r4;\n  ret;\n}\n",
      rounds_of[kind]);
}

/* One launch over `in` after the GPU has read `bytes` elsewhere. */
static int once(bench_t *b, const source_t *from, uint64_t in, uint64_t bytes, uint64_t out,
                uint32_t threads, uint32_t *cycles, mrpb_err_t *err) {
  const bench_launch_t launch = {.kernel = "stream",
                                 .blocks = 1,
                                 .threads = threads,
                                 .regs = REGS,
                                 .n_args = 3,
                                 .arg = {in, out, BENCH_NEVER}};
  if ((from->in_l2 ? bench_copy_in : bench_put)(b, in, bytes, err) != 0) return -1;
  if (bench_must(b, &launch, err) != 0) return -1;
  return bench_span(b, out, threads, cycles, err);
}

/* Bytes per cycle. The first launch fills the TLBs. */
static int measure(const bench_gpu_t *gpu, const source_t *from, kind_t kind, unsigned l,
                   double *rate, mrpb_err_t *err) {
  bench_t b;
  text_t text = {0};
  uint32_t threads = 32 * level[l].warps, least = UINT32_MAX, cycles = 0;
  uint64_t bytes =
      (uint64_t)rounds_of[kind] * level[l].warps * level[l].loads * lines_of[kind] * LINE;
  write_kernel(&text, kind, level[l].loads, level[l].warps);
  int rc = bench_open(&b, gpu, &text, err);
  uint64_t in = rc == 0 ? bench_alloc(&b, 2 * bytes, from->place, err) : 0;
  uint64_t out = in ? bench_alloc(&b, MAX_WARPS * 32 * 8, BENCH_DEVICE, err) : 0;
  if (!out) rc = -1;
  for (unsigned pass = 0; rc == 0 && pass <= gpu->limits.repeats; pass++) {
    rc = once(&b, from, in + (pass > 0) * bytes, bytes, out, threads, &cycles, err);
    if (pass > 0 && cycles < least) least = cycles;
  }
  *rate = rc == 0 ? (double)bytes / least : 0;
  bench_close(&b);
  return rc;
}

static bool fits(const bench_limits_t *most, unsigned l) {
  return 32 * level[l].warps <= bench_threads(most, REGS);
}

/* Adds a row with the best of all levels. */
static int curve(study_t *s, const source_t *from, kind_t kind, micro_plot_t *plot,
                 mrpb_err_t *err) {
  const bench_gpu_t gpu = bench_gpu_with_l1d(&s->on, from->l1d);
  char name[64];
  double best = 0;
  snprintf(name, sizeof name, "%s, %u line%s a load", from->name, lines_of[kind], kind ? "s" : "");
  size_t series = micro_plot_series(plot, name, MICRO_LINESPOINTS, false);
  for (unsigned l = 0; l < LEVELS; l++) {
    double rate;
    if (!fits(&s->on.limits, l)) continue;
    if (measure(&gpu, from, kind, l, &rate, err) != 0) return -1;
    micro_series_add(plot, series, level[l].warps * level[l].loads * lines_of[kind], rate);
    best = fmax(best, rate);
  }
  study_row(s, name, "bytes/cycle", best, (double)NAN, MICRO_LATENCY, NULL);
  return 0;
}

static bool has(const study_t *s, const source_t *from) {
  const bench_limits_t *most = &s->on.limits;
  if (from->place == BENCH_HOST && !most->host) return false;
  if (from->in_l2 && most->l2_bytes == 0) return false;
  return most->l1d_lines > from->l1d * 1024 / LINE;
}

static int measure_source(study_t *s, const source_t *from, mrpb_err_t *err) {
  micro_plot_t plot = {.xlabel = "lines intended to be in flight",
                       .ylabel = "bytes a cycle of one SM",
                       .log_x = true};
  char name[32];
  snprintf(plot.title, sizeof plot.title, "%s: one SM, data from %s", s->gpu, from->name);
  for (unsigned kind = 0; kind < KINDS; kind++)
    if (curve(s, from, (kind_t)kind, &plot, err) != 0) {
      micro_plot_free(&plot);
      return -1;
    }
  snprintf(name, sizeof name, "saturation-%s", from->file);
  return study_plot(s, name, &plot, err);
}

int study_saturation(study_t *s, mrpb_err_t *err) {
  s->from = "the best of nine levels";
  for (unsigned i = 0; i < sizeof sources / sizeof *sources; i++)
    if (has(s, &sources[i]) && measure_source(s, &sources[i], err) != 0) return -1;
  return 0;
}
