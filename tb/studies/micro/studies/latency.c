/* SPDX-License-Identifier: Apache-2.0 */
/* Latency: what a load costs that the L1D has, the L2, the DRAM alone, the host: one thread that
 * follows pointers. docs/silicon.md */
#include "studies/micro/deduce/numbers.h"
#include "studies/micro/kernels/pchase.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdlib.h>

enum { LINES = 512, LINE = 128, PAGE = 2 << 20, PAGES = 16, WALKS = 9 };

/* Latencies of a level: half of them are at most `middle`, a tenth below `low`, a tenth above. */
typedef struct {
  uint32_t low, middle, high;
} spread_t;

static void sort_out(uint32_t *latency, size_t n, spread_t *s) {
  numbers_sort32(latency, n);
  *s = (spread_t){latency[n / 10], latency[n / 2], latency[n - 1 - n / 10]};
}

static void row(study_t *s, const char *what, const spread_t *x, double configured) {
  char note[64];
  snprintf(note, sizeof note, "a tenth below %u, a tenth above %u", x->low, x->high);
  study_row(s, what, "cycles", x->middle, configured, MICRO_LATENCY, note);
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

/* In the L2 after a first pass, or in no cache; where launches differ, of several. */
static int level(study_t *s, bool cold, spread_t *x, mrpb_err_t *err) {
  pchase_bench_t b;
  uint64_t addr[LINES];
  uint32_t latency[WALKS * LINES];
  const size_t walks = s->on.limits.noisy ? WALKS : 1;
  int rc = pchase_open(&b, &s->on, PCHASE_CG, err);
  if (rc == 0) rc = touch_pages(&b, err);
  if (rc == 0) spread_lines(&b, addr);
  b.cold = cold;
  for (size_t i = 0; rc == 0 && i < walks; i++)
    rc = pchase_walk(&b, addr, LINES, cold ? 0 : LINES, LINES, latency + i * LINES, err);
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

int study_latency(study_t *s, mrpb_err_t *err) {
  const device_cfg_t *c = study_known(s);
  uint32_t hit;
  bool there;
  spread_t l2, dram;
  if (l1d(s, &hit, &there, err) != 0 || level(s, false, &l2, err) != 0 ||
      level(s, true, &dram, err) != 0)
    return -1;
  s->from = "one thread that follows pointers";
  if (there)
    study_row(s, "L1D hit", "cycles", hit, c->l1d_sets ? c->l1d_latency : (double)NAN,
              MICRO_LATENCY, "by a chain");
  row(s, "L2 hit", &l2, c->l2_total_sets ? c->l2_latency : c->dram_load_latency);
  row(s, "DRAM", &dram, c->dram_load_latency);
  return 0;
}
