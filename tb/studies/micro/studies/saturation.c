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

/* One launch over `in` after the GPU has read `bytes` elsewhere. */
static uint32_t once(bench_t *b, const source_t *from, uint64_t in, uint64_t bytes, uint64_t out,
                     uint32_t threads) {
  const bench_launch_t launch = BENCH_LAUNCH("stream", 1, threads, REGS, in, out, BENCH_NEVER);
  (from->in_l2 ? bench_copy_in : bench_put)(b, in, bytes);
  bench_must(b, &launch);
  return bench_span(b, out, threads);
}

/* Bytes per cycle. The first launch fills the TLBs. */
static double measure(const bench_gpu_t *gpu, const source_t *from, kind_t kind, unsigned l) {
  bench_t b;
  const uint32_t warps = level[l].warps, loads = level[l].loads, line = lines_of[kind] * LINE;
  const uint32_t threads = 32 * warps;
  const uint64_t bytes = (uint64_t)rounds_of[kind] * warps * loads * line;
  uint64_t in, out;
  uint32_t least = UINT32_MAX;
  bench_make(&b, gpu, "studies/saturation",
             TEXT_VALUES(TEXT_NUMBER("loads", loads), TEXT_NUMBER("warps", warps),
                         TEXT_NUMBER("bytes", line),
                         TEXT_NUMBER("words", kind == FOUR_LINES ? 4 : 1),
                         TEXT_NUMBER("rounds", rounds_of[kind])),
             BENCH_ARRAYS({&in, 2 * bytes, from->place}, {&out, MAX_WARPS * 32 * 8, BENCH_DEVICE}));
  for (unsigned pass = 0; pass <= gpu->limits.repeats; pass++) {
    const uint32_t cycles = once(&b, from, in + (pass > 0) * bytes, bytes, out, threads);
    if (pass > 0 && cycles < least) least = cycles;
  }
  bench_close(&b);
  return (double)bytes / least;
}

static bool fits(const bench_limits_t *most, unsigned l) {
  return 32 * level[l].warps <= bench_threads(most, REGS);
}

/* Adds a row with the best of all levels. */
static void curve(study_t *s, const source_t *from, kind_t kind, micro_plot_t *plot) {
  const bench_gpu_t gpu = bench_gpu_with_l1d(&s->on, from->l1d);
  char name[MICRO_TABLE_TEXT];
  double best = 0;
  study_of(s, "%s, %u line%s", from->name, lines_of[kind], kind ? "s" : "");
  study_row_text(ROW_SATURATION, s->of, name);
  size_t series = micro_plot_series(plot, name, MICRO_LINESPOINTS, false);
  for (unsigned l = 0; l < LEVELS; l++) {
    if (!fits(&s->on.limits, l)) continue;
    const double rate = measure(&gpu, from, kind, l);
    micro_series_add(plot, series, level[l].warps * level[l].loads * lines_of[kind], rate);
    best = fmax(best, rate);
  }
  study_row(s, ROW_SATURATION, best, (double)NAN, NULL);
}

static bool has(const study_t *s, const source_t *from) {
  const bench_limits_t *most = &s->on.limits;
  if (from->place == BENCH_HOST && !most->host) return false;
  if (from->in_l2 && most->l2_bytes == 0) return false;
  return most->l1d_lines > from->l1d * 1024 / LINE;
}

static void measure_source(study_t *s, const source_t *from) {
  micro_plot_t plot = study_new_plot(s, "lines intended to be in flight", "bytes a cycle of one SM",
                                     "one SM, data from %s", from->name);
  char name[32];
  plot.log_x = true;
  for (unsigned kind = 0; kind < KINDS; kind++) curve(s, from, (kind_t)kind, &plot);
  snprintf(name, sizeof name, "saturation-%s", from->file);
  study_plot(s, name, &plot);
}

void study_saturation(study_t *s) {
  s->from = "the best of nine levels";
  for (unsigned i = 0; i < sizeof sources / sizeof *sources; i++)
    if (has(s, &sources[i])) measure_source(s, &sources[i]);
}
