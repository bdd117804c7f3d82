/* SPDX-License-Identifier: Apache-2.0 */
/* See bandwidth.h. */
#include "studies/micro/studies/bandwidth.h"
#include "studies/micro/deduce/numbers.h"

#include <math.h>

/* Ports limit the blocks if two of a cluster get hardly more than one, and one of each cluster
 * nearly what one alone gets; or if all get nearly what the clusters can. */
static const double second_adds = 1.15, one_alone = 0.97, of_clusters = 0.9;
/* The L3 limits them if the last ones add no more than this. */
static const double last_add = 1.05, last_rise = 1.03;

bandwidth_t bandwidth_curve(const bench_limits_t *has, micro_plot_t *plot, const char *name,
                            uint32_t most, bandwidth_fn rate, void *ctx) {
  const uint32_t clusters = bench_clusters(has), few = (3 * clusters + 3) / 4;
  uint32_t pairs = has->cluster > 1 ? 2 * clusters : clusters;
  if (has->cluster > 1 && has->sms % has->cluster == 1) pairs--; /* the last has only one SM */
  size_t series = micro_plot_series(plot, name, MICRO_LINESPOINTS, false);
  double last[BAND_LAST];
  const uint32_t count = pairs < 4 ? 1 : pairs / 4 < BAND_LAST ? pairs / 4 : BAND_LAST;
  bandwidth_t b = {0};
  for (uint32_t n = 1; n <= most; n++) {
    const double y = rate(ctx, n);
    if (n == 1) b.one = y;
    if (n == few) b.few = y * clusters / few;
    if (n == clusters) b.each = y;
    if (n > pairs - count && n <= pairs) last[pairs - n] = y;
    if (n == pairs) b.rises = last[0] / last[count - 1];
    if (n == pairs) b.all = numbers_median(last, count);
    if (n == pairs * 7 / 8) b.before = y;
    micro_series_add(plot, series, n, y);
  }
  return b;
}

void bandwidth_rows(study_t *s, study_row_t all, study_row_t one, const bandwidth_t *b,
                    double cluster, const char *note_of_one) {
  const bool ports =
      (b->all < second_adds * b->each && b->each > one_alone * b->few) ||
      (cluster > 0 && b->all > of_clusters * cluster * bench_clusters(&s->on.limits));
  const bool full = b->all < last_add * b->before && b->rises < last_rise && !ports;
  study_row(s, all, b->all, study_if(full, study_known(s)->const3_port / 100.0),
            full    ? "up to two blocks a cluster; within 3 %"
            : ports ? "each cluster adds as much as any other"
                    : "more blocks would get more");
  study_row(s, one, b->one, NAN, note_of_one);
}
