/* SPDX-License-Identifier: Apache-2.0 */
/* The register file, and the shared memory that a block may have (paper 004, sections IV-E and
 * IV-F): Figure 9. docs/micro/gt200.md */
#include "studies/micro/kernels/chain.h"
#include "studies/micro/study.h"

#include <math.h>

enum { REG_MOST = 256, REG_LOW = 4, REG_SHOWN = 88 /* of Figure 9 */ };

/* Whether a block is launched, not refused. */
static bool launches(bench_t *b, uint32_t threads, uint32_t regs, uint32_t shared) {
  const bench_launch_t l = {"none", 1, threads, regs, shared, .n_args = 5};
  return bench_run(b, &l) == DEVICE_DONE;
}

/* The largest block, in warps of 32, with that many registers per thread; 0: none. */
static uint32_t largest(bench_t *b, uint32_t regs, uint32_t most) {
  uint32_t t = 0;
  while (t + 32 <= most && launches(b, t + 32, regs, 0)) t += 32;
  return t;
}

/* The largest blocks for each number of registers. */
typedef struct {
  uint32_t threads[REG_MOST + 1]; /* of the largest block */
  uint32_t last;                  /* most registers of a thread */
  uint32_t most;                  /* threads of any block */
} blocks_t;

typedef struct {
  uint32_t from, to;
} bounds_t;

/* The possible sizes of a register file that allocates in units of `unit` registers per thread
 * and `of_threads` threads per block, if these blocks are the largest. from > to: no size is
 * possible. */
static bounds_t file_of(const blocks_t *b, uint32_t unit, uint32_t of_threads) {
  bounds_t r = {0, UINT32_MAX};
  for (uint32_t n = REG_LOW; n <= b->last; n++) {
    uint32_t each = (n + unit - 1) / unit * unit * of_threads, t = b->threads[n];
    uint32_t held = (t + of_threads - 1) / of_threads * each;
    uint32_t refused = (t + WARP_LANES + of_threads - 1) / of_threads * each;
    if (held > r.from) r.from = held;
    if (t < b->most && refused - 1 < r.to) r.to = refused - 1;
  }
  return r;
}

static void widen(bounds_t *b, uint32_t from, uint32_t to) {
  if (from < b->from) b->from = from;
  if (to > b->to) b->to = to;
}

static micro_value_t value_of(const bounds_t *b) {
  return micro_range(b->from, b->to == UINT32_MAX ? (double)INFINITY : b->to);
}

/* Blocks consist of whole warps, so a unit of a few threads more is not seen. */
static uint32_t in_warps(uint32_t threads) {
  return threads < WARP_LANES ? WARP_LANES : threads / WARP_LANES * WARP_LANES;
}

/* Every pair of units up to MOST_* that explains all blocks is possible. */
static void block_rows(study_t *s, const blocks_t *b) {
  enum { MOST_REGISTERS = 64, MOST_THREADS = 256 };
  const config_t *c = study_known(s);
  bounds_t file = {UINT32_MAX, 0}, unit = file, of_threads = file;
  bool beside = false; /* the file may not hold a warp with one register more per thread */
  for (uint32_t u = 1; u <= MOST_REGISTERS; u++)
    for (uint32_t t = 1; t <= MOST_THREADS; t++) {
      bounds_t r = file_of(b, u, t);
      if (r.from > r.to) continue;
      beside |= (b->last + u) / u * u * ((WARP_LANES + t - 1) / t * t) > r.from;
      widen(&file, r.from, r.to);
      widen(&unit, u, u);
      widen(&of_threads, in_warps(t), in_warps(t));
    }
  s->from = "the largest block by registers";
  study_row_value(s, ROW_REGISTERS, value_of(&file), c->registers_per_sm,
                  "from the most that a block had to the fewest that were too many");
  study_row_value(s, ROW_THREAD_REGISTERS,
                  beside || b->last == REG_MOST ? micro_at_least(b->last) : micro_number(b->last),
                  c->registers_per_thread, "at most");
  study_row_value(s, ROW_REGISTER_UNIT, value_of(&unit), c->register_unit,
                  "units that explain every block");
  study_row_value(s, ROW_THREAD_UNIT, value_of(&of_threads), in_warps(c->thread_unit),
                  "of blocks that registers limit, in whole warps");
  if (b->last >= REG_SHOWN) study_row(s, ROW_THREADS_OF_88, b->threads[REG_SHOWN], NAN, NULL);
}

static void figure9(study_t *s, bench_t *bench) {
  blocks_t b = {.most = s->on.limits.threads_per_block};
  micro_plot_t plot = MICRO_PLOT("Largest block (004 Figure 9)", "registers of a thread",
                                 "registers of the block", "threads");
  size_t total = micro_plot_series(&plot, "total registers", MICRO_STEPS, false),
         block = micro_plot_series(&plot, "threads", MICRO_STEPS, true);
  for (uint32_t n = REG_LOW; n <= REG_MOST; n++) {
    b.threads[n] = largest(bench, n, b.most);
    if (b.threads[n] == 0) break;
    b.last = n;
    micro_series_add(&plot, total, n, (double)n * b.threads[n]);
    micro_series_add(&plot, block, n, b.threads[n]);
  }
  block_rows(s, &b);
  study_plot(s, "registers-figure9", &plot);
}

static void find_shared(study_t *s, bench_t *b) {
  uint32_t good = 0, bad = s->on.limits.shared / 4 * 4 + 4, limit = 49152;
  if (bad > limit) bad = limit + 4; /* the most that a kernel may have in this simulator */
  while (bad - good > 4) {
    uint32_t at = (good + bad) / 8 * 4;
    *(launches(b, 32, REG_LOW, at) ? &good : &bad) = at;
  }
  const config_t *c = study_known(s);
  const double want = c->shared_bytes - (c->shared_reserved ? c->shared_reserved + 32.0 : 0);
  const bool more = good == limit && s->on.limits.shared > limit;
  study_row_value(s, ROW_BLOCK_SHARED, more ? micro_at_least(good) : micro_number(good),
                  floor(want / 4) * 4,
                  more ? "no kernel may ask for more" : "with five parameters of 4 bytes");
}

void study_registers(study_t *s) {
  bench_t b;
  bench_make(&b, &s->on, "studies/registers", TEXT_NONE, BENCH_NO_ARRAYS);
  figure9(s, &b);
  find_shared(s, &b);
  bench_close(&b);
}
