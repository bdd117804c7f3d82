/* SPDX-License-Identifier: Apache-2.0 */
/* Latency: what a load costs that the L1D has, the L2, the DRAM alone, the host: one thread that
 * follows pointers; and what it costs to read the clock. docs/silicon.md */
#include "studies/micro/deduce/numbers.h"
#include "studies/micro/kernels/hops.h"
#include "studies/micro/kernels/pchase.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdlib.h>

enum { LINES = 512, LINE = 128, PAGE = 2 << 20, PAGES = 16, WALKS = 9 };

/* Latencies of a level: a tenth of them is below `low`, half below `middle`, ... */
typedef struct {
  uint32_t low, middle, upper, high;
} spread_t;

static void sort_out(uint32_t *latency, size_t n, spread_t *s) {
  numbers_sort32(latency, n);
  *s = (spread_t){latency[n / 10], latency[n / 2], latency[n * 3 / 4], latency[n - 1 - n / 10]};
}

static void row(study_t *s, const char *what, const spread_t *x, double configured) {
  char note[64];
  snprintf(note, sizeof note, "a tenth below %u, a tenth above %u", x->low, x->high);
  study_row(s, what, "cycles", x->middle, configured, MICRO_LATENCY, note);
}

/* From the nearest slice to the farthest, if as many lie at each distance. */
static void spread_row(study_t *s, const char *what, const spread_t *x, uint32_t configured) {
  const double all = 0.8, sampled = fmax(4, 0.1 * configured);
  study_row_within(s, what, "cycles", round((x->high - (double)x->low) / all), configured, sampled,
                   "the middle eight tenths / 0.8");
}

/* Lines of PAGES pages, so spread that no two follow each other in a row of the DRAM. */
static void spread_lines(const pchase_bench_t *b, uint64_t *addr) {
  for (uint64_t i = 0; i < LINES; i++) {
    const uint64_t page = i % PAGES, line = i / PAGES * 37 + page * 5;
    addr[i] = b->base + page * PAGE + (1 + line) * 4 * LINE;
  }
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

static int level(study_t *s, where_t where, spread_t *x, mrpb_err_t *err) {
  pchase_bench_t b;
  uint64_t addr[LINES];
  uint32_t latency[WALKS * LINES];
  const size_t walks = s->on.limits.noisy ? WALKS : 1, warm = where == IN_L2 ? LINES : 0;
  int rc = pchase_open(&b, &s->on, PCHASE_CG, err);
  if (rc == 0) rc = touch_pages(&b, err);
  if (rc == 0) spread_lines(&b, addr);
  b.cold = where == NOWHERE;
  b.uploaded = where == UPLOADED;
  for (size_t i = 0; rc == 0 && i < walks; i++)
    rc = pchase_walk(&b, addr, LINES, warm, LINES, latency + i * LINES, err);
  if (rc == 0) sort_out(latency, walks * LINES, x);
  pchase_close(&b);
  return rc;
}

static int l1d(study_t *s, uint32_t *hit, bool *there, mrpb_err_t *err) {
  pchase_bench_t b;
  int rc = pchase_open(&b, &s->on, PCHASE_GLOBAL, err);
  *hit = b.hit;
  pchase_close(&b);
  return rc == 0 ? pchase_l1d(&s->on, there, err) : rc;
}

/* Each point of other studies has readings of the clock in it. */
static int others(study_t *s, mrpb_err_t *err) {
  const device_cfg_t *c = study_known(s);
  double host, clock;
  if (s->on.limits.host) {
    if (hops_host(&s->on, &host, err) != 0) return -1;
    study_row(s, "host", "cycles", round(host), c->host_latency, MICRO_LATENCY, "by a chain");
  }
  if (hops_clock(&s->on, &clock, err) != 0) return -1;
  s->from = "readings one after another";
  study_row(s, "reading the clock", "cycles", clock,
            c->clock_cycles ? c->clock_cycles : (double)NAN, MICRO_EXACT, NULL);
  return 0;
}

/* The L2, and what the host has left there: half of it may be in another half of the L2. */
static int l2_rows(study_t *s, mrpb_err_t *err) {
  const device_cfg_t *c = study_known(s);
  spread_t l2, first;
  if (level(s, IN_L2, &l2, err) != 0 || level(s, UPLOADED, &first, err) != 0) return -1;
  row(s, "L2 hit", &l2, c->l2_total_sets ? c->l2_latency : c->dram_load_latency);
  spread_row(s, "L2 hit, spread", &l2, c->l2_total_sets ? c->l2_spread : c->dram_spread);
  if (s->on.limits.l2_bytes)
    study_row_within(s, "L2, first read", "cycles", first.upper,
                     c->l2_far > c->l2_latency ? c->l2_far : c->l2_latency, 2 + 0.5 * c->l2_spread,
                     "three quarters below; as the host has left it");
  return 0;
}

int study_latency(study_t *s, mrpb_err_t *err) {
  const device_cfg_t *c = study_known(s);
  uint32_t hit;
  bool there;
  spread_t dram;
  s->from = "one thread that follows pointers";
  if (l1d(s, &hit, &there, err) != 0) return -1;
  if (there)
    study_row(s, "L1D hit", "cycles", hit, c->l1d_sets ? c->l1d_latency : (double)NAN,
              MICRO_LATENCY, "by a chain");
  if (l2_rows(s, err) != 0 || level(s, NOWHERE, &dram, err) != 0) return -1;
  row(s, "DRAM", &dram, c->dram_load_latency);
  spread_row(s, "DRAM, spread", &dram, c->dram_spread);
  return others(s, err);
}
