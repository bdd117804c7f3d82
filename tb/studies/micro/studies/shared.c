/* SPDX-License-Identifier: Apache-2.0 */
/* Bank conflicts of shared memory (paper 003, section 4.1): the latency of strides 0 to 64; and,
 * from two words at a time, the banks, their width and the order of the words in them.
 * docs/micro/shared.md */
#include "gpu/inorder/inorder.h"
#include "studies/micro/kernels/banks.h"
#include "studies/micro/study.h"
#include <math.h>

enum { STRIDES = 65, WORDS = 256, WORD = 4 };

/* What is deduced about the banks. */
typedef struct {
  uint32_t banks, width, interleave, lanes; /* as in parts/shared.h; 0: not found */
  double base, pass;                        /* cycles: without a conflict; for each further pass */
  double tick;                              /* cycles per load that a clock tick stands for */
} banks_t;

/* Cycles beyond the passes of a load that waits; the share by which the waits for a pass may
 * differ. */
static const double waited = 0.5, waits_differ = 0.01;

/* In the order of the words of SHARED_BANKS. */
static const char *const mode_name[] = {"", "", ", 8-byte mode", ", 4-byte mode"};
static const char *const mode_file[] = {"shared", "shared", "shared-8-byte", "shared-4-byte"};
enum { AS_IT_IS = 0 /* for a GPU without modes */ };

/* Lane 0 reads word 0, `lane` reads `word`, and all other lanes read word `other`. */
static double pair(banks_bench_t *b, unsigned lane, uint32_t word, uint32_t other) {
  uint32_t all[BANKS_LANES];
  for (unsigned k = 0; k < BANKS_LANES; k++) all[k] = other;
  all[0] = 0;
  all[lane] = word;
  return banks_run(b, all);
}

/* A word that conflicts with word 0 is in another row of its bank. Such words come in runs: the
 * words that follow each other in a bank. A run recurs after all banks. Words that do not conflict
 * in the first rounds share the row of word 0. Lanes that are not served together never conflict;
 * to see that, the other lanes then read the next bank. */
static banks_t deduce(banks_bench_t *b) {
  double latency[WORDS];
  uint32_t first = 0, run = 0, next;
  for (uint32_t w = 0; w < WORDS; w++) latency[w] = pair(b, 1, w, 0);
  banks_t d = {.base = latency[0], .tick = banks_tick(b)};
  const double limit = d.base + 2 * d.tick;
  while (first < WORDS && latency[first] <= limit) first++;
  if (first == WORDS || !bench_ok(&b->bench.gpu)) return d;
  d.pass = latency[first] - d.base;
  while (first + run < WORDS && latency[first + run] > limit) run++;
  for (next = first + run; next < WORDS && latency[next] <= limit;) next++;
  d.interleave = run * WORD;
  d.banks = (next - first) / run;
  d.width = first * WORD / d.banks;
  double with = d.base + d.pass;
  for (d.lanes = 1; with > limit && d.lanes < BANKS_LANES; d.lanes++)
    with = pair(b, d.lanes, first, run);
  if (with <= limit) d.lanes--;
  return d;
}

static void strides(banks_bench_t *b, double latency[STRIDES]) {
  for (uint32_t s = 0; s < STRIDES; s++) {
    uint32_t word[BANKS_LANES];
    for (uint32_t k = 0; k < BANKS_LANES; k++) word[k] = k * s;
    latency[s] = banks_run(b, word);
  }
}

static unsigned passes(const shared_cfg_t *c, uint32_t stride) {
  uint64_t addr[SHARED_LANES];
  for (uint32_t k = 0; k < SHARED_LANES; k++) addr[k] = (uint64_t)k * stride * WORD;
  return shared_cycles(c, addr, UINT32_MAX) - SHARED_LANES / c->lanes + 1;
}

/* The banks as deduced. If there was no conflict, any banks without conflicts will do. */
static shared_cfg_t as_deduced(const banks_t *d) {
  if (d->banks == 0 || d->lanes == 0) return (shared_cfg_t){1, 1u << 16, 4, BANKS_LANES};
  return (shared_cfg_t){d->banks, d->width, d->interleave, d->lanes};
}

/* Each load of the chain waits until the banks have served the one before, if the passes at so many
 * cycles each take longer than its own latency. 0: no load waits. */
static double waiting(const banks_t *d, const double latency[STRIDES]) {
  const shared_cfg_t c = as_deduced(d);
  double each = 0;
  for (uint32_t i = 0; i < STRIDES; i++) {
    const unsigned n = passes(&c, i);
    const double more = latency[i] - (d->base + (n - 1) * d->pass);
    if (more <= waited) continue;
    if (each > 0 && fabs(latency[i] / n - each) > waits_differ * each) return 0;
    each = latency[i] / n;
  }
  return each > d->pass ? each : 0;
}

static bool waits(const banks_t *d, double each, uint32_t stride, double latency) {
  const shared_cfg_t c = as_deduced(d);
  return each > 0 && latency > d->base + (passes(&c, stride) - 1) * d->pass + waited;
}

/* With many passes, one more or less cannot be seen. */
static bool is_coarse(const banks_t *d) {
  return d->pass > 0 && d->tick * (BANKS_LANES - 1) > d->pass / 2;
}

static double degree(const banks_t *d, double latency) {
  return d->pass > 0 ? 1 + (latency - d->base) / d->pass : 1;
}

static const char *const no_conflict = "no two words were seen to conflict";

/* A row about the banks, which only a conflict shows. */
static void bank_row(study_t *s, const banks_t *d, study_row_t id, double deduced, double known) {
  study_row_unless(s, d->banks ? NULL : no_conflict, id, micro_number(deduced), known, NULL);
}

/* The number of strides whose passes do not follow from the deduced banks. */
static unsigned unexplained(const banks_t *d, double each, const double latency[STRIDES]) {
  const shared_cfg_t c = as_deduced(d);
  unsigned n = 0;
  for (uint32_t i = 0; i < STRIDES; i++)
    n += !waits(d, each, i, latency[i]) && lround(degree(d, latency[i])) != (long)passes(&c, i);
  return n;
}

static void rows(study_t *s, unsigned mode, const banks_t *d, const double latency[STRIDES]) {
  static const uint32_t show[] = {0, 1, 2, 4, 6, 8, 16, 32, 64};
  const config_t *known = study_known(s);
  const shared_cfg_t *c = inorder_banks(s->on.limits.bank_modes ? mode : known->shared_banks);
  const double each = waiting(d, latency);
  study_of(s, "%s", mode_name[mode]);
  bank_row(s, d, ROW_BANKS, d->banks, c->banks);
  bank_row(s, d, ROW_BANK_ROW, d->width, c->width);
  bank_row(s, d, ROW_BANK_RUN, d->interleave, c->interleave);
  bank_row(s, d, ROW_BANK_LANES, d->lanes, c->lanes);
  study_row_value(s, ROW_BANK_PASS, d->banks ? micro_number(d->pass) : micro_at_most(2 * d->tick),
                  known->shared_conflict, d->banks ? NULL : no_conflict);
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; i < sizeof show / sizeof *show; i++) {
      const double seen = latency[show[i]], n = passes(c, show[i]);
      const char *why = waits(d, each, show[i], seen) ? "each load waits for the previous one"
                        : k && d->banks == 0          ? no_conflict
                        : k && is_coarse(d)           ? "a tick of the clock is too long"
                                                      : NULL;
      study_of(s, "%u|%s", show[i], mode_name[mode]);
      study_row_unless(s, why, k ? ROW_STRIDE_PASSES : ROW_STRIDE_LATENCY,
                       micro_number(k ? round(degree(d, seen)) : seen),
                       k ? n : known->shared_latency + (n - 1) * known->shared_conflict, NULL);
    }
  const char *why = d->banks == 0  ? no_conflict
                    : is_coarse(d) ? "a tick of the clock is too long"
                                   : NULL;
  study_of(s, "%s", mode_name[mode]);
  study_row_unless(s, why, ROW_STRIDES_OTHER, micro_number(unexplained(d, each, latency)), 0, NULL);
}

static micro_plot_t new_plot(const study_t *s, const char *of) {
  return study_new_plot(s, "stride [words]", "latency [cycles]", "shared memory%s", of);
}

static void add_series(micro_plot_t *plot, const char *name, const double latency[STRIDES],
                       uint32_t step) {
  size_t series = micro_plot_series(plot, name, MICRO_LINESPOINTS, false);
  for (uint32_t i = 0; i < STRIDES; i += step) micro_series_add(plot, series, i, latency[i]);
}

static void one_mode(study_t *s, unsigned mode, double latency[STRIDES]) {
  bench_gpu_t gpu = s->on;
  banks_bench_t b;
  gpu.shared_banks = mode;
  banks_open(&b, &gpu);
  const banks_t d = deduce(&b);
  strides(&b, latency);
  bench_close(&b.bench);
  rows(s, mode, &d, latency);
  micro_plot_t plot = new_plot(s, mode_name[mode]);
  add_series(&plot, "latency", latency, 1);
  study_plot(s, mode_file[mode], &plot);
}

/* Figure 7: even strides in both modes. */
static void plot_modes(const study_t *s, const double latency[2][STRIDES]) {
  micro_plot_t plot = new_plot(s, ", even strides in both modes");
  add_series(&plot, "8-byte mode", latency[0], 2);
  add_series(&plot, "4-byte mode", latency[1], 2);
  study_plot(s, "shared-modes", &plot);
}

void study_shared(study_t *s) {
  double latency[2][STRIDES];
  s->from = "latencies of strides and of pairs of words";
  if (!study_has_shared(s, BANKS_BYTES)) return;
  if (!s->on.limits.bank_modes) {
    one_mode(s, AS_IT_IS, latency[0]);
    return;
  }
  one_mode(s, DEVICE_BANKS_32X8, latency[0]);
  one_mode(s, DEVICE_BANKS_32X8_4, latency[1]);
  plot_modes(s, (const double(*)[STRIDES])latency);
}
