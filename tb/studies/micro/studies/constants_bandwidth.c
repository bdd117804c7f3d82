/* SPDX-License-Identifier: Apache-2.0 */
/* Bandwidth of the L3 of constants (paper 004, Figure 16). Each SM of a cluster reads its own part
 * of the data in the L3, one line at a time. Together they read more than the L2 holds, so the L3
 * sends every line. */
#include "studies/micro/kernels/chain.h"
#include "studies/micro/studies/bandwidth.h"

#include <math.h>

enum { BAND_THREADS = 8 };

typedef struct {
  study_t *s;
  bench_t bench;
  uint64_t out;
  uint32_t line;  /* bytes that the L3 sends per load */
  uint32_t lines; /* lines that a block reads repeatedly */
  uint32_t threads;
} band_t;

/* Bytes per cycle of every `every`-th of `blocks` blocks. */
static double rate(band_t *b, uint32_t blocks, uint32_t every) {
  const bench_launch_t l = BENCH_LAUNCH("band", blocks, b->threads, 24, b->out, every);
  const bool ran = bench_must(&b->bench, &l);
  const uint32_t(*at)[2] = bench_at(&b->bench, b->out, (uint64_t)blocks * 8);
  double bytes = 0;
  for (uint32_t i = 0; ran && i < blocks; i += every)
    bytes += (double)b->line * b->lines * at[i][1] / at[i][0];
  return bytes;
}

static double rate_of_all(void *ctx, uint32_t blocks) {
  return rate(ctx, blocks, 1);
}

/* Bytes per cycle of all SMs of one cluster; 0: blocks cannot be placed in that way. */
static double rate_of_cluster(band_t *b) {
  const bench_limits_t *has = &b->s->on.limits;
  const bool can = has->by_cluster && has->cluster > 1;
  return can ? rate(b, has->sms, has->sms / has->cluster) : 0;
}

static bandwidth_t measure(band_t *b, uint32_t threads, double *cluster, micro_plot_t *plot) {
  const bench_limits_t *has = &b->s->on.limits;
  const char *name = threads == 1 ? "1 thread a block" : "8 threads a block";
  b->threads = threads;
  bench_make(&b->bench, &b->s->on, "studies/constants_bandwidth",
             TEXT_VALUES(TEXT_NUMBER("shift", has->clock_shift),
                         TEXT_NUMBER("by_cluster", has->by_cluster),
                         TEXT_NUMBER("clusters", has->sms / has->cluster),
                         TEXT_NUMBER("cluster", has->cluster), TEXT_NUMBER("line", b->line),
                         TEXT_NUMBER("lines", b->lines), TEXT_NUMBER("threads", threads),
                         TEXT_NUMBER("fill", BAND_FILL), TEXT_NUMBER("run", BAND_RUN)),
             BENCH_ARRAYS({&b->out, (uint64_t)has->sms * 8, BENCH_DEVICE}));
  const bandwidth_t r = bandwidth_curve(has, plot, name, has->sms, rate_of_all, b);
  *cluster = rate_of_cluster(b);
  bench_close(&b->bench);
  return r;
}

void constants_bandwidth(study_t *s, uint32_t line, uint64_t l2, uint64_t l3) {
  band_t b = {.s = s, .line = line};
  double cluster;
  micro_plot_t plot = MICRO_PLOT("Bandwidth of the L3 of constants (004 Figure 16)", "blocks",
                                 "from the L3 to all blocks [bytes/cycle]");
  b.lines = (uint32_t)(l3 / s->on.limits.cluster / b.line / BAND_THREADS * BAND_THREADS);
  if ((uint64_t)b.lines * b.line <= l2) return; /* the L2 would hold it all */
  if (s->on.limits.by_cluster && s->on.limits.sms % s->on.limits.cluster) {
    study_not_measured(s, ROW_CONST_BAND, "clusters of different sizes");
    return;
  }
  (void)measure(&b, BAND_THREADS, &cluster, &plot);
  const bandwidth_t r = measure(&b, 1, &cluster, &plot);
  bandwidth_rows(s, ROW_CONST_BAND, ROW_CONST_BAND_ONE, &r, cluster,
                 "a warp awaits one line at a time; within 3 %");
  if (cluster > 0)
    study_row(s, ROW_CONST_BAND_CLUSTER, cluster, study_known(s)->cluster_port / 100.0,
              "all SMs of one; within 3 %");
  study_plot(s, "constants-figure16", &plot);
}
