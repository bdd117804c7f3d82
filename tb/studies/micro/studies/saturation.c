/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation: bytes that one SM loads in a cycle against the lines that it keeps on their way, from
 * the L2, the DRAM, the DRAM with a small L1D, and pinned host memory; loads of one line, of four
 * and of eight. docs/micro/h200.md */
#include "studies/micro/kernels/bench.h"
#include "studies/micro/study.h"

#include <math.h>

enum { LINE = 128, MAX_WARPS = 32, REGS = 60, LEVELS = 9, SMALL_L1D = 28 };

typedef enum { FROM_L2, FROM_DRAM, FROM_DRAM_SMALL, FROM_HOST, SOURCES } source_t;
typedef enum { ONE_LINE, FOUR_LINES, EIGHT_LINES, KINDS } kind_t;

static const char *const source_names[SOURCES] = {"L2", "DRAM", "DRAM, L1D of 28 KB", "host"};
static const uint32_t lines_of[KINDS] = {1, 4, 8};
/* The more the less filling and draining the SM counts; each kind loads about as much. */
static const uint32_t rounds_of[KINDS] = {64, 16, 8};
/* Loads of all warps that are meant to be on their way: warps and loads of each. */
static const struct {
  uint32_t warps, loads;
} level[LEVELS] = {{4, 1}, {4, 2}, {4, 4}, {8, 4}, {16, 4}, {16, 8}, {32, 8}, {28, 16}, {32, 20}};

/* So many rounds of `loads` independent loads of each warp, every one of other lines. */
static void write_kernel(text_t *t, kind_t kind, uint32_t loads, uint32_t warps) {
  uint32_t bytes = lines_of[kind] * LINE, round = warps * loads * bytes;
  uint32_t per_lane = bytes / 32, words = kind == FOUR_LINES ? 4 : 1;
  text_add(
      t,
      ".version 3.2\n.target sm_20\n.address_size 64\n"
      ".visible .entry stream(.param .u64 p_in, .param .u64 p_out)\n{\n  .reg .pred %%p<2>;\n"
      "  .reg .b32 %%r<%u>;\n  .reg .b64 %%rd<7>;\n  ld.param.u64 %%rd1, [p_in];\n"
      "  ld.param.u64 %%rd2, [p_out];\n  mov.u32 %%r1, %%tid.x;\n  shr.u32 %%r2, %%r1, 5;\n"
      "  and.b32 %%r3, %%r1, 31;\n  mul.lo.u32 %%r2, %%r2, %u;\n  mul.lo.u32 %%r3, %%r3, %u;\n"
      "  add.u32 %%r2, %%r2, %%r3;\n  cvt.u64.u32 %%rd3, %%r2;\n  add.u64 %%rd3, %%rd1, %%rd3;\n"
      "  mov.u32 %%r4, 0;\n  bar.sync 0;\n  mov.u32 %%r5, %%clock;\nround:\n",
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
  for (uint32_t i = 0; i < loads; i++)
    text_add(t, "  add.u32 %%r%u, %%r%u, 1;\n", 8 + words * i, 8 + words * i);
  text_add(
      t,
      "  add.u32 %%r4, %%r4, 1;\n  setp.lt.u32 %%p1, %%r4, %u;\n  @%%p1 bra round;\n  bar.sync 0;\n"
      "  mov.u32 %%r6, %%clock;\n  sub.u32 %%r6, %%r6, %%r5;\n  mul.wide.u32 %%rd4, %%r1, 4;\n"
      "  add.u64 %%rd5, %%rd2, %%rd4;\n  st.global.u32 [%%rd5], %%r6;\n  ret;\n}\n",
      rounds_of[kind]);
}

/* Bytes a cycle; the first launch of two fills the TLBs. */
static int measure(const study_t *s, const device_cfg_t *cfg, source_t from, kind_t kind,
                   unsigned l, double *rate, mrpb_err_t *err) {
  bench_t b;
  text_t text = {0};
  uint32_t warps = level[l].warps, most = 0;
  uint64_t bytes = (uint64_t)rounds_of[kind] * warps * level[l].loads * lines_of[kind] * LINE;
  write_kernel(&text, kind, level[l].loads, warps);
  int rc = bench_open(&b, cfg, s->choice, &text, err);
  uint64_t in = rc == 0 ? bench_alloc(&b, 2 * bytes, err) : 0;
  uint64_t out = in ? bench_alloc(&b, MAX_WARPS * 32 * 4, err) : 0;
  if (!out) rc = -1;
  if (rc == 0 && from == FROM_HOST) device_set_host(b.device, in, in + 2 * bytes);
  for (unsigned pass = 0; rc == 0 && pass < 2; pass++) {
    const bench_launch_t launch = {.kernel = "stream",
                                   .blocks = 1,
                                   .threads = 32 * warps,
                                   .regs = REGS,
                                   .n_args = 2,
                                   .arg = {in + pass * bytes, out}};
    if (from == FROM_L2) device_copy_in(b.device, in, 2 * bytes);
    rc = bench_must(&b, &launch, err);
  }
  if (rc == 0) most = bench_largest(&b, out, 32 * warps);
  *rate = most ? (double)bytes / bench_cycles(&b, most) : 0;
  bench_close(&b);
  return rc;
}

/* The best of all levels into a row. */
static int curve(study_t *s, source_t from, kind_t kind, micro_plot_t *plot, mrpb_err_t *err) {
  device_cfg_t cfg = *s->cfg;
  char name[64];
  double best = 0;
  if (from == FROM_DRAM_SMALL) cfg.l1d_ways = SMALL_L1D * 1024 / LINE / cfg.l1d_sets;
  snprintf(name, sizeof name, "%s, %u line%s a load", source_names[from], lines_of[kind],
           kind ? "s" : "");
  size_t series = micro_plot_series(plot, name, MICRO_LINESPOINTS, false);
  for (unsigned l = 0; l < LEVELS; l++) {
    double rate;
    if (level[l].loads > cfg.loads_per_warp) continue;
    if (measure(s, &cfg, from, kind, l, &rate, err) != 0) return -1;
    micro_series_add(plot, series, level[l].warps * level[l].loads * lines_of[kind], rate);
    best = fmax(best, rate);
  }
  study_row(s, name, "bytes/cycle", best, (double)NAN, MICRO_LATENCY, NULL);
  return 0;
}

static bool has(const device_cfg_t *c, source_t from) {
  uint64_t l1d = (uint64_t)c->l1d_sets * c->l1d_ways * LINE;
  if (from == FROM_HOST) return c->host_latency > 0;
  if (from == FROM_L2) return c->l2_total_sets > 0;
  return from == FROM_DRAM || l1d > SMALL_L1D * 1024;
}

static int measure_source(study_t *s, source_t from, mrpb_err_t *err) {
  static const char *const file[SOURCES] = {"l2", "dram", "dram-28", "host"};
  micro_plot_t plot = {.xlabel = "lines meant to be on their way",
                       .ylabel = "bytes a cycle of one SM",
                       .log_x = true};
  char name[32];
  snprintf(plot.title, sizeof plot.title, "%s: one SM, data from %s", s->gpu, source_names[from]);
  for (unsigned kind = 0; kind < KINDS; kind++)
    if (curve(s, from, (kind_t)kind, &plot, err) != 0) {
      micro_plot_free(&plot);
      return -1;
    }
  snprintf(name, sizeof name, "saturation-%s", file[from]);
  return study_plot(s, name, &plot, err);
}

int study_saturation(study_t *s, mrpb_err_t *err) {
  for (unsigned from = 0; from < SOURCES; from++)
    if (has(s->cfg, (source_t)from) && measure_source(s, (source_t)from, err) != 0) return -1;
  return 0;
}
