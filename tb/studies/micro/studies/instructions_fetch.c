/* SPDX-License-Identifier: Apache-2.0 */
/* How much the SM fetches at once (paper 004, section IV-J4, Figure 21). Warp 0 times 36
 * consecutive instructions while the other warps of its SM repeatedly evict one line of them. Warp
 * 0 does not notice the eviction within what it has fetched. docs/micro/gt200.md */
#include "studies/micro/studies/bandwidth.h"
#include "studies/micro/deduce/numbers.h"
#include "studies/micro/kernels/code.h"

#include <math.h>

enum {
  FETCH_STAMPS = 36,
  FETCH_STEP = 2 * WARP_PC_STEP, /* bytes of a timed instruction; clock() is two instructions */
  FETCH_BEFORE = 160,            /* bytes of them before the evicted line */
  FETCH_ROUNDS = 200,
  FETCH_THREADS = 512,
  FETCH_SPARE = 3 /* lines of the rivals beyond what a set holds */
};

static void doubt_cache(study_t *s, unsigned level, const char *why) {
  study_of(s, "L%u", level);
  study_doubt(s, ROW_INST_SIZE, why);
  study_doubt(s, ROW_INST_SETS, why);
  study_doubt(s, ROW_INST_WAYS, why);
}

/* An instruction is late if its time is at least a quarter of the way from the usual time to the
 * latest, and later by a miss than any before the evicted line, which wait for the rivals' issue
 * alone. The distance between late instructions is the block; from the first to the last of them is
 * the line. */
static void deduce(study_t *s, const double *cycles) {
  enum { MISS = 8 /* cycles, at least */, WAY = 4, NOT_USUAL = 2 /* medians */ };
  double usual[FETCH_STAMPS], most = 0, before = 0;
  uint64_t block = 0, first = 0, last = 0;
  unsigned between = 0; /* neither late nor usual: requested by a fetch ahead */
  for (unsigned i = 1; i < FETCH_STAMPS; i++) {
    usual[i - 1] = cycles[i];
    most = fmax(most, cycles[i]);
    if (i * FETCH_STEP < FETCH_BEFORE) before = fmax(before, cycles[i]);
  }
  const double median = numbers_median(usual, FETCH_STAMPS - 1),
               limit = median + (most - median) / (double)WAY;
  for (unsigned i = 1; i < FETCH_STAMPS && limit > before + (double)MISS; i++) {
    between += cycles[i] < limit && cycles[i] > NOT_USUAL * median;
    if (cycles[i] < limit) continue;
    if (first == 0) first = (uint64_t)i * FETCH_STEP;
    last = (uint64_t)i * FETCH_STEP;
    block = numbers_gcd(block, last - first);
  }
  const config_t *c = study_known(s);
  study_row_value(s, ROW_INST_FETCH, block ? micro_number((double)block) : micro_undecided(),
                  1u << c->fetch_block,
                  block ? "the distance between late instructions" : "no instruction is late");
  /* Outside one line, late instructions are those that a fetch ahead has requested, so the line
   * cannot be seen. */
  const uint64_t line = block ? last + block - first : 0;
  study_of(s, "L1");
  const micro_row_t *size = study_find_row(s, ROW_INST_SIZE);
  const bool fits = line != CODE_LINE || (size && size->deduced.kind == MICRO_NUMBER);
  const bool one = line && (line & (line - 1)) == 0 && !between && fits;
  study_row_value(s, ROW_INST_LINE, one ? micro_number((double)line) : micro_undecided(),
                  1u << c->inst1_line,
                  one     ? "from the first to the last late instruction"
                  : block ? "the late instructions are not one line"
                          : "no instruction is late");
  /* The rivals evict a line of the L1 as it was deduced. */
  if (!block) doubt_cache(s, 1, "warps that would evict a line of such an L1 do not");
  /* Footprints were counted in lines of CODE_LINE. */
  for (unsigned i = 1; block && (!one || line != CODE_LINE) && i <= 3; i++)
    doubt_cache(s, i, "lines are not of 256 bytes, or fetched ahead");
}

void instructions_fetch(study_t *s, const instructions_t *found) {
  code_bench_t b;
  uint32_t role = 0, threads = FETCH_THREADS, most = bench_threads(&s->on.limits, CODE_REGISTERS);
  double cycles[FETCH_STAMPS];
  micro_plot_t plot = MICRO_PLOT("Fetch of blocks beside warps that evict a line (004 Figure 21)",
                                 "instruction at [bytes]", "time since the previous one [cycles]");
  if (found->l1_sets == 0) return;
  if (threads > most) threads = most;
  code_open(&b, &s->on, "studies/instructions_fetch",
            TEXT_VALUES(TEXT_NUMBER("stamps", FETCH_STAMPS), TEXT_NUMBER("timed", FETCH_STEP),
                        TEXT_NUMBER("before", FETCH_BEFORE), TEXT_NUMBER("rounds", FETCH_ROUNDS),
                        TEXT_NUMBER("stride", found->l1_sets * CODE_LINE),
                        TEXT_NUMBER("hops", found->l1_ways + FETCH_SPARE)));
  const uint32_t *at = code_run(&b, &role, 1, threads, 0);
  size_t series = micro_plot_series(&plot, "mean of 200 rounds", MICRO_LINES, false);
  size_t points = micro_plot_series(&plot, "in the evicted line", MICRO_POINTS, false);
  for (unsigned i = 1; at && i < FETCH_STAMPS; i++) {
    cycles[i] = (double)at[2 + i] / (double)FETCH_ROUNDS;
    micro_series_add(&plot, series, i * FETCH_STEP, cycles[i]);
    if (i * FETCH_STEP >= FETCH_BEFORE && i * FETCH_STEP < FETCH_BEFORE + CODE_LINE)
      micro_series_add(&plot, points, i * FETCH_STEP, cycles[i]);
  }
  if (at) deduce(s, cycles);
  bench_close(&b.bench);
  study_plot(s, "instructions-figure21", &plot);
}
