/* SPDX-License-Identifier: Apache-2.0 */
/* Latency: what a load costs that the L1D has, the L2, the DRAM alone, the host: one thread that
 * follows pointers; and what it costs to read the clock. docs/silicon.md */
#include "studies/micro/deduce/halves.h"
#include "studies/micro/deduce/late.h"
#include "studies/micro/deduce/numbers.h"
#include "studies/micro/deduce/turn.h"
#include "studies/micro/kernels/hops.h"
#include "studies/micro/kernels/pchase.h"
#include "studies/micro/kernels/together.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdlib.h>

enum { LINES = 512, LINE = 128, PAGE = 2 << 20, PAGES = 16, DENSE = 1024, STRIDE = 483 };

/* Latencies of a level: a tenth of them is below `low`, half below `middle`, ... */
typedef struct {
  uint32_t low, middle, upper, high;
} spread_t;

static void sort_out(uint32_t *latency, size_t n, spread_t *s) {
  numbers_sort32(latency, n);
  *s = (spread_t){latency[n / 10], latency[n / 2], latency[n * 3 / 4], latency[n - 1 - n / 10]};
}

/* Noise is always more, so of the quickest of some walks a part of it is left. */
static double noise_left(const study_t *s) {
  return 0.35 * study_known(s)->noise;
}

static void add_row(study_t *s, const char *what, const spread_t *x, double configured) {
  char note[64];
  snprintf(note, sizeof note, "a tenth below %u, a tenth above %u", x->low, x->high);
  const bool noisy = study_known(s)->noise > 0;
  micro_row_t row = {.deduced = study_cycles(s, x->middle),
                     .configured = isnan(configured) ? micro_none() : micro_number(configured),
                     .rule = noisy ? MICRO_WITHIN : MICRO_LATENCY,
                     .within = 0.02 * configured + noise_left(s)};
  snprintf(row.what, sizeof row.what, "%s", what);
  snprintf(row.unit, sizeof row.unit, "cycles");
  snprintf(row.note, sizeof row.note, "%s", note);
  study_add(s, &row);
}

/* What two latencies differ by: each may be a tick of the clock off. */
static void difference_row(study_t *s, const char *what, double cycles, double configured,
                           double within, const char *note) {
  enum { COARSE = 2 };
  const double tick = 1u << s->on.limits.clock_shift;
  study_row_within(s, what, "cycles", cycles, configured,
                   within + noise_left(s) + (tick > COARSE ? 2 * tick : 0), note);
}

/* From the nearest line to the farthest, if as many lie at each distance. */
static void spread_row(study_t *s, const char *what, double spread, uint32_t configured) {
  const double sampled = fmax(8, 0.1 * configured);
  difference_row(s, what, round(spread), configured, sampled, "the middle eight tenths / 0.8");
}

static double spread_of(const spread_t *x) {
  return (x->high - (double)x->low) / 0.8;
}

/* As configured. */
typedef struct {
  uint32_t far, spread, late, share;
} distances_t;

/* What lies in two halves: between them, and within. Lines of a wide spread hide a half that is hardly
 * farther. */
static void half_rows(study_t *s, const char *what, const halves_t *h, const distances_t *c) {
  enum { NEAR = 16 /* cycles apart that are not told from none */ };
  const uint32_t far = c->far, spread = c->spread;
  char name[32], note[64] = "one, or hardly apart";
  if (h->two) snprintf(note, sizeof note, "medians %.0f and %.0f", h->near, h->far);
  snprintf(name, sizeof name, "%s, far half", what);
  difference_row(s, name, h->far > h->near && h->two ? round(h->far - h->near) : 0, far,
                 fmax(NEAR, 0.1 * (far + spread)), note);
  snprintf(name, sizeof name, "%s, spread", what);
  spread_row(s, name, h->spread, spread);
}

/* Reads that come late, whatever the line. Those that are hardly late, or hardly ever, are not seen; a
 * fifth of what is configured, of a number that is counted rather three tenths. */
static void late_rows(study_t *s, const char *what, const late_t *late, const distances_t *c) {
  enum { RARE = 5 /* of a thousand */ };
  const bool hidden = c->late <= 2 * late->seen || c->share <= 2 * RARE;
  char name[32], note[96];
  snprintf(name, sizeof name, "%s, late", what);
  snprintf(note, sizeof note, "at most; evenly from 0 on, more than %u is seen", late->seen);
  study_row_within(s, name, "cycles", late->most, hidden ? (double)NAN : c->late, 4 + 0.2 * c->late,
                   note);
  snprintf(name, sizeof name, "%s, reads late", what);
  study_row_within(s, name, "per mille", round(1000 * late->share), hidden ? (double)NAN : c->share,
                   4 + 0.3 * c->share, "");
}

/* Lines of PAGES pages, so spread that no two follow each other in a row of the DRAM. */
static void spread_lines(const pchase_bench_t *b, uint64_t *addr) {
  for (uint64_t i = 0; i < LINES; i++) {
    const uint64_t page = i % PAGES, line = i / PAGES * 37 + page * 5;
    addr[i] = b->base + page * PAGE + (1 + line) * 4 * LINE;
  }
}

/* All lines of a piece of memory, so that no two follow each other. */
static void dense_lines(const pchase_bench_t *b, uint64_t addr[DENSE]) {
  for (uint64_t i = 0; i < DENSE; i++) addr[i] = b->base + PAGE + i * STRIDE % DENSE * LINE;
}

/* A first read of each page brings its translation. */
static int touch_pages(pchase_bench_t *b, mrpb_err_t *err) {
  uint64_t addr[PAGES];
  uint32_t latency[PAGES];
  for (uint64_t i = 0; i < PAGES; i++) addr[i] = b->base + i * PAGE;
  return pchase_walk(b, addr, PAGES, PAGES, PAGES, latency, err);
}

/* Where the lines are: in the L2 after a first pass, there as the host has left them, or in no
 * cache. Where launches differ, of several walks. */
typedef enum { IN_L2, UPLOADED, NOWHERE } where_t;

static size_t walks_of(const study_t *s) {
  return s->on.limits.noisy || s->on.limits.repeats > 1 ? LATE_WALKS : 1;
}

/* Latencies of `n` lines, walk after walk. */
static int walk_lines(study_t *s, where_t where, bool dense, size_t n, size_t walks,
                      uint32_t *latency, mrpb_err_t *err) {
  pchase_bench_t b;
  uint64_t addr[DENSE];
  int rc = pchase_open(&b, &s->on, PCHASE_CG, err);
  if (rc == 0) rc = touch_pages(&b, err);
  if (rc == 0 && dense) dense_lines(&b, addr);
  if (rc == 0 && !dense) spread_lines(&b, addr);
  b.cold = where == NOWHERE;
  b.uploaded = where == UPLOADED;
  for (size_t i = 0; rc == 0 && i < walks; i++)
    rc = pchase_walk(&b, addr, n, where == IN_L2 ? n : 0, n, latency + i * n, err);
  pchase_close(&b);
  return rc;
}

/* Of each line the quickest walk. */
static int level(study_t *s, where_t where, spread_t *x, mrpb_err_t *err) {
  uint32_t latency[LATE_WALKS * LINES];
  const size_t walks = walks_of(s);
  if (walk_lines(s, where, false, LINES, walks, latency, err) != 0) return -1;
  for (size_t i = LINES; i < walks * LINES; i++)
    if (latency[i] < latency[i % LINES]) latency[i % LINES] = latency[i];
  sort_out(latency, LINES, x);
  return 0;
}

/* How much of memory lies in one half before the other begins, and which blocks lie in which. */
static int block_rows(study_t *s, mrpb_err_t *err) {
  char note[96];
  uint32_t latency[LATE_WALKS * DENSE], line[DENSE], one[LATE_WALKS];
  const size_t walks = walks_of(s);
  const device_cfg_t *c = study_known(s);
  halves_t h;
  if (walk_lines(s, UPLOADED, true, DENSE, walks, latency, err) != 0) return -1;
  for (size_t i = 0; i < DENSE; i++) {
    for (size_t w = 0; w < walks; w++) one[w] = latency[w * DENSE + i];
    numbers_sort32(one, walks);
    line[i * STRIDE % DENSE] = one[walks / 2];
  }
  if (halves_find(line, DENSE, &h) != 0) return mrpb_fail(err, "latency: out of memory");
  const uint32_t block = halves_block(&h, line, DENSE);
  const uint32_t bits = block ? halves_bits(&h, line, DENSE, block) : 0;
  const bool known = c->l2_far > c->l2_latency;
  study_row_value(
      s, "block of a half", "bytes", block ? micro_number(LINE * block) : micro_undecided(),
      known ? c->half_block : (double)NAN, MICRO_EXACT,
      block ? "nine tenths of the changes are at multiples of it" : "no halves are seen");
  if (!block) return 0;
  snprintf(note, sizeof note, "of the numbers of %zu blocks; their parity says which half",
           DENSE / (size_t)block);
  study_row_value(s, "bits of a half", "", bits ? micro_number(bits) : micro_undecided(),
                  known && c->half_bits ? c->half_bits & (DENSE / block - 1) : (double)NAN,
                  MICRO_EXACT, bits ? note : "no bits are seen that say which half");
  return 0;
}

static int l1d(study_t *s, uint32_t *hit, bool *there, mrpb_err_t *err) {
  pchase_bench_t b;
  int rc = pchase_open(&b, &s->on, PCHASE_GLOBAL, err);
  *hit = b.hit;
  pchase_close(&b);
  return rc == 0 ? pchase_l1d(&s->on, there, err) : rc;
}

/* What reads wait for others that are asked for at the same time: 1, 2, 4 ... 32 of them. */
static int together_row(study_t *s, const char *what, bench_place_t place, together_t lie,
                        double wait[TOGETHER_TIMES], mrpb_err_t *err) {
  char name[48], note[128];
  for (unsigned i = 0; i < TOGETHER_TIMES; i++)
    if (together_read(&s->on, place, lie, 1u << i, &wait[i], err) != 0) return -1;
  for (unsigned i = TOGETHER_TIMES; i-- > 0;) wait[i] = round(wait[i] - wait[0]);
  snprintf(name, sizeof name, "%s, 32 reads %s", what,
           lie == TOGETHER_ONE_BLOCK ? "at once" : "of as many blocks");
  snprintf(note, sizeof note, "more than one alone; 2, 4, 8, 16 at once: %g, %g, %g, %g", wait[1],
           wait[2], wait[3], wait[4]);
  study_row(s, name, "cycles", wait[TOGETHER_TIMES - 1], (double)NAN, MICRO_LATENCY, note);
  return 0;
}

static bool reads_together(const study_t *s) {
  return bench_threads(&s->on.limits, TOGETHER_REGS) >= WARP_LANES * TOGETHER_WARPS;
}

/* Of reads at once that come in the order of asking each waits for the latest before it; those that come as
 * they come wait for the link alone, by as much for each that is asked for. */
static void order_row(study_t *s, uint32_t *latency, size_t n, const double wait[TOGETHER_TIMES]) {
  enum { FEW = 3, MANY = 5, SEEN = 12 /* cycles that order must make, or it is not seen */ };
  const device_cfg_t *c = study_known(s);
  const double link = ((1u << FEW) - 1.0) / ((1u << MANY) - 1.0);
  numbers_sort32(latency, n);
  const double ordered =
      turn_wait(latency, n, 1u << FEW) - link * turn_wait(latency, n, 1u << MANY);
  const double share = (wait[FEW] - link * wait[MANY]) / ordered;
  const char *known = c->host_order == MRPB_ORDER_ANY ? "any order" : "in order";
  char note[96];
  snprintf(note, sizeof note, "%.2f of the wait for those before, as single reads spread", share);
  if (ordered < SEEN || (share > 0.25 && share < 0.5))
    study_row_open(s, "host, replies", known, ordered < SEEN ? "single reads hardly differ" : note);
  else
    study_row_words(s, "host, replies", share < 0.5 ? "any order" : "in order", known, note);
}

static int host_lines(study_t *s, mrpb_err_t *err) {
  const device_cfg_t *c = study_known(s);
  const distances_t known = {c->host_far, c->host_spread, c->host_late, c->host_late_share};
  uint32_t latency[LATE_WALKS * HOPS_LINES], line[HOPS_LINES];
  double wait[TOGETHER_TIMES];
  late_t late;
  halves_t h;
  if (hops_lines(&s->on, LATE_WALKS, latency, err) != 0) return -1;
  late_find(latency, HOPS_LINES, line, &late);
  if (halves_find(line, HOPS_LINES, &h) != 0) return mrpb_fail(err, "latency: out of memory");
  half_rows(s, "host", &h, &known);
  late_rows(s, "host", &late, &known);
  if (!reads_together(s)) return 0;
  if (together_row(s, "host", BENCH_HOST, TOGETHER_OWN_BLOCKS, wait, err) != 0 ||
      together_row(s, "host", BENCH_HOST, TOGETHER_ONE_BLOCK, wait, err) != 0)
    return -1;
  order_row(s, latency, (size_t)LATE_WALKS * HOPS_LINES, wait);
  return 0;
}

/* Each point of other studies has readings of the clock in it. */
static int others(study_t *s, mrpb_err_t *err) {
  enum { NO_LESS = 64 /* cycles that the instructions of a hop may take themselves */ };
  const device_cfg_t *c = study_known(s);
  double host, clock;
  if (s->on.limits.host) {
    if (hops_host(&s->on, &host, err) != 0) return -1;
    study_row_value(s, "host", "cycles",
                    host < NO_LESS ? micro_range(0, round(host)) : micro_number(round(host)),
                    c->host_latency, MICRO_LATENCY, "by a chain");
    if (host_lines(s, err) != 0) return -1;
  }
  if (hops_clock(&s->on, &clock, err) != 0) return -1;
  s->from = "readings one after another";
  study_row_within(s, "reading the clock", "cycles", clock,
                   c->clock_cycles ? c->clock_cycles : (double)NAN,
                   (1u << s->on.limits.clock_shift) / 8.0, NULL);
  return 0;
}

/* The L2, and what the host has left there: half of it may be in another half of the L2. */
static int l2_rows(study_t *s, mrpb_err_t *err) {
  const device_cfg_t *c = study_known(s);
  spread_t l2, first;
  if (level(s, IN_L2, &l2, err) != 0 || level(s, UPLOADED, &first, err) != 0) return -1;
  add_row(s, "L2 hit", &l2, c->l2_total_sets ? c->l2_latency : c->dram_load_latency);
  spread_row(s, "L2 hit, spread", spread_of(&l2), c->l2_total_sets ? c->l2_spread : c->dram_spread);
  if (!s->on.limits.l2_bytes) return 0;
  difference_row(
      s, "L2, first read", first.upper, c->l2_far > c->l2_latency ? c->l2_far : c->l2_latency,
      0.02 * c->l2_latency + 0.5 * c->l2_spread, "three quarters below; as the host has left it");
  return block_rows(s, err);
}

static int dram_rows(study_t *s, mrpb_err_t *err) {
  double wait[TOGETHER_TIMES];
  const device_cfg_t *c = study_known(s);
  const distances_t known = {c->dram_far, c->dram_spread, c->dram_late, c->dram_late_share};
  uint32_t latency[LATE_WALKS * LINES], line[LINES];
  spread_t dram;
  late_t late;
  halves_t h;
  if (walk_lines(s, NOWHERE, false, LINES, LATE_WALKS, latency, err) != 0) return -1;
  late_find(latency, LINES, line, &late);
  if (halves_find(line, LINES, &h) != 0) return mrpb_fail(err, "latency: out of memory");
  sort_out(line, LINES, &dram);
  if (h.two) dram.middle = (uint32_t)round((h.near + h.far) / 2);
  add_row(s, "DRAM", &dram, c->dram_load_latency);
  half_rows(s, "DRAM", &h, &known);
  late_rows(s, "DRAM", &late, &known);
  if (!reads_together(s)) return 0;
  return together_row(s, "DRAM", BENCH_DEVICE, TOGETHER_ONE_BLOCK, wait, err);
}

int study_latency(study_t *s, mrpb_err_t *err) {
  const device_cfg_t *c = study_known(s);
  uint32_t hit;
  bool there;
  s->from = "one thread that follows pointers";
  if (l1d(s, &hit, &there, err) != 0) return -1;
  if (there)
    study_row(s, "L1D hit", "cycles", hit, c->l1d_sets ? c->l1d_latency : (double)NAN,
              MICRO_LATENCY, "by a chain");
  return l2_rows(s, err) != 0 || dram_rows(s, err) != 0 ? -1 : others(s, err);
}
