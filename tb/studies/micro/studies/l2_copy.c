/* SPDX-License-Identifier: Apache-2.0 */
/* The size of the L2, from copies (paper 000, section 3.3): every thread copies 8 bytes. Data that
 * the host has just copied to the GPU are in the L2, unless a large copy has flushed it. The time
 * that this saves grows with the data until they no longer fit. docs/micro/l2_copy.md */
#include "studies/micro/kernels/bench.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdlib.h>

enum {
  THREADS = 256,
  ELEMENT = 8,
  STEP = 65536,            /* bytes of source and destination together */
  MOST = 48,               /* number of steps */
  DUMMY = 76 * 1024 * 1024 /* bytes that flush the L2, as in the paper */
};

/* A copy saves nothing if it saves less than a tenth of its time; an L2 that no copy filled before
 * saves no more than this much more for each byte. This part of the copies up to its size saves. */
static const double part_saved = 10, saves_more = 1.1, most_save = 0.75;

typedef struct {
  bench_t bench;
  uint64_t from, to, dummy;
} copy_t;

/* The cycles of a copy of `bytes` after the host has written the source. */
static double copy(copy_t *c, uint64_t bytes, bool flushed) {
  const bench_launch_t l =
      BENCH_LAUNCH("copy", (uint32_t)(bytes / ELEMENT / THREADS), THREADS, 10, c->from, c->to);
  bench_copy_in(&c->bench, c->dummy, DUMMY);
  bench_copy_in(&c->bench, c->from, bytes);
  if (flushed) bench_copy_in(&c->bench, c->dummy, DUMMY);
  return bench_must(&c->bench, &l) ? (double)device_stats(bench_device(&c->bench))->cycles : 0;
}

/* In steps; 0: not seen. */
typedef struct {
  unsigned most;    /* where the saving is largest; see kept_whole */
  unsigned nothing; /* where the saving is gone; MOST: nowhere */
} knee_t;

/* Whether less than a tenth of the time is saved. */
static bool is_nothing(double saved, double flushed) {
  return saved < flushed / part_saved;
}

/* The largest copy, at most `best`, up to which no copy saves a tenth more per byte than a
 * smaller one. An L2 that does not replace the oldest lines keeps some of the data that it has
 * no room for. */
static unsigned kept_whole(const double *saved, unsigned best) {
  double least = saved[0];
  for (unsigned i = 1; i <= best; i++) {
    const double each = saved[i] / (i + 1);
    if (each > saves_more * least) return i - 1;
    if (each < least) least = each;
  }
  return best;
}

/* The L2 saves more and more up to its size, and nothing a little beyond. If the savings come and
 * go, no L2 is seen. */
static knee_t knee(const double *saved, const double *flushed) {
  enum { FEW = 4 };
  unsigned best = 0, saves = 0, end;
  for (unsigned i = 1; i < MOST; i++)
    if (saved[i] > saved[best]) best = i;
  for (unsigned i = 0; i <= best; i++) saves += !is_nothing(saved[i], flushed[i]);
  if (best < FEW || is_nothing(saved[best], flushed[best]) || saves < most_save * (best + 1))
    return (knee_t){0};
  for (end = MOST; end > best && saved[end - 1] <= saved[best] / part_saved;) end--;
  return (knee_t){kept_whole(saved, best) + 1, end < MOST ? end + 1 : MOST};
}

/* The first misses among many hits cost little time, so the knee is blunt. If all loads come before
 * the stores, only the source is kept, which is half of a copy. */
static void add_row(study_t *s, const knee_t *k) {
  const double configured = study_known(s)->l2_total_sets * study_known(s)->l2_ways / 8.0;
  const double kb = (double)STEP / 1024.0, least = kb * k->most / 2;
  s->from = "copies, flushed or not";
  if (k->most == 0)
    study_row_value(s, ROW_L2_SIZE, micro_undecided(), configured,
                    "no copy is faster: no L2, or a port that hides it");
  else if (k->nothing == MOST)
    study_row_value(s, ROW_L2_SIZE, micro_at_least(least), configured,
                    "half of the largest saving; no larger copy was tried");
  else
    study_row_value(s, ROW_L2_SIZE, micro_range(least, kb * k->nothing), configured,
                    "from half of the largest saving to none");
}

void study_l2_copy(study_t *s) {
  copy_t c;
  double saved[MOST], flushed[MOST];
  micro_plot_t plot = study_new_plot(s, "source and destination [KB]", "time of the copy [cycles]",
                                     "copies that the L2 holds");
  bench_make(&c.bench, &s->on, "studies/l2_copy", TEXT_NONE,
             BENCH_ARRAYS({&c.from, STEP / 2 * MOST, BENCH_DEVICE},
                          {&c.to, STEP / 2 * MOST, BENCH_DEVICE}, {&c.dummy, DUMMY, BENCH_DEVICE}));
  size_t warm = micro_plot_series(&plot, "copied before", MICRO_LINESPOINTS, false);
  size_t cold = micro_plot_series(&plot, "flushed", MICRO_LINESPOINTS, false);
  (void)copy(&c, STEP / 2, false); /* fills the TLBs */
  for (unsigned i = 0; i < MOST; i++) {
    const double kept = copy(&c, (uint64_t)(i + 1) * STEP / 2, false);
    flushed[i] = copy(&c, (uint64_t)(i + 1) * STEP / 2, true);
    saved[i] = flushed[i] - kept;
    micro_series_add(&plot, warm, (i + 1) * (STEP / 1024), kept);
    micro_series_add(&plot, cold, (i + 1) * (STEP / 1024), flushed[i]);
  }
  bench_close(&c.bench);
  const knee_t size = knee(saved, flushed);
  if (size.most)
    micro_plot_mark(&plot, "deduced", (double)size.most * (double)STEP / 1024, false, false);
  study_mark_published(s, ROW_L2_SIZE, &plot);
  add_row(s, &size);
  study_plot(s, "l2-copy", &plot);
}
