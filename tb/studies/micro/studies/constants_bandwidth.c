/* SPDX-License-Identifier: Apache-2.0 */
/* Bandwidth of the L3 of constants (paper 004, Figure 16). Each SM of a cluster reads its own part
 * of the data in the L3, one line at a time. Together they read more than the L2 holds, so the L3
 * sends every line. */
#include "studies/micro/kernels/chain.h"
#include "studies/micro/studies/bandwidth.h"
#include "studies/micro/studies/constants.h"

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
static int rate(band_t *b, uint32_t blocks, uint32_t every, double *bytes, mrpb_err_t *err) {
  const bench_launch_t l = BENCH_LAUNCH("band", blocks, b->threads, 24, b->out, every);
  if (bench_must(&b->bench, &l, err) != 0) return -1;
  const uint32_t(*at)[2] = bench_at(&b->bench, b->out, (uint64_t)blocks * 8);
  *bytes = 0;
  for (uint32_t i = 0; i < blocks; i += every)
    *bytes += (double)b->line * b->lines * at[i][1] / at[i][0];
  return 0;
}

static int rate_of_all(void *ctx, uint32_t blocks, double *bytes, mrpb_err_t *err) {
  return rate(ctx, blocks, 1, bytes, err);
}

/* Bytes per cycle of all SMs of one cluster; 0: blocks cannot be placed in that way. */
static int rate_of_cluster(band_t *b, double *bytes, mrpb_err_t *err) {
  const bench_limits_t *has = &b->s->on.limits;
  *bytes = 0;
  if (!has->by_cluster || has->cluster == 1) return 0;
  return rate(b, has->sms, has->sms / has->cluster, bytes, err);
}

static int measure(band_t *b, bandwidth_t *r, double *cluster, micro_plot_t *plot,
                   mrpb_err_t *err) {
  const bench_limits_t *has = &b->s->on.limits;
  int rc =
      bench_make(&b->bench, &b->s->on, "studies/constants_bandwidth",
                 TEXT_VALUES(TEXT_NUMBER("shift", has->clock_shift),
                             TEXT_NUMBER("by_cluster", has->by_cluster),
                             TEXT_NUMBER("clusters", has->sms / has->cluster),
                             TEXT_NUMBER("cluster", has->cluster), TEXT_NUMBER("line", b->line),
                             TEXT_NUMBER("lines", b->lines), TEXT_NUMBER("threads", b->threads),
                             TEXT_NUMBER("fill", BAND_FILL), TEXT_NUMBER("run", BAND_RUN)),
                 BENCH_ARRAYS({&b->out, (uint64_t)has->sms * 8, BENCH_DEVICE}), err);
  const char *name = b->threads == 1 ? "1 thread a block" : "8 threads a block";
  if (rc == 0) rc = bandwidth_curve(has, plot, name, has->sms, rate_of_all, b, r, err);
  if (rc == 0) rc = rate_of_cluster(b, cluster, err);
  bench_close(&b->bench);
  return rc;
}

int constants_bandwidth(study_t *s, uint32_t line, uint64_t l2, uint64_t l3, mrpb_err_t *err) {
  const config_t *c = study_known(s);
  band_t b = {.s = s, .line = line, .threads = BAND_THREADS};
  bandwidth_t r;
  double cluster = 0;
  micro_plot_t plot = {.title = "Bandwidth of the L3 of constants (004 Figure 16)",
                       .xlabel = "blocks",
                       .ylabel = "from the L3 to all blocks [bytes/cycle]"};
  b.lines = (uint32_t)(l3 / s->on.limits.cluster / b.line / BAND_THREADS * BAND_THREADS);
  if ((uint64_t)b.lines * b.line <= l2) return 0; /* the L2 would hold it all */
  if (s->on.limits.by_cluster && s->on.limits.sms % s->on.limits.cluster) {
    study_not_measured(s, ROW_CONST_BAND, "clusters of different sizes");
    return 0;
  }
  int rc = measure(&b, &r, &cluster, &plot, err);
  b.threads = 1;
  if (rc == 0) rc = measure(&b, &r, &cluster, &plot, err);
  if (rc != 0) return micro_plot_free(&plot), -1;
  bandwidth_rows(s, ROW_CONST_BAND, ROW_CONST_BAND_ONE, &r, cluster,
                 "a warp awaits one line at a time; within 3 %");
  if (cluster > 0)
    study_row(s, ROW_CONST_BAND_CLUSTER, cluster, c->cluster_port / 100.0,
              "all SMs of one; within 3 %");
  return study_plot(s, "constants-figure16", &plot, err);
}
