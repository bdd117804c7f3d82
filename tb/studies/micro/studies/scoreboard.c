/* SPDX-License-Identifier: Apache-2.0 */
/* See scoreboard.h. */
#include "studies/micro/studies/scoreboard.h"
#include "studies/micro/deduce/spikes.h"
#include "studies/micro/kernels/loads.h"

enum { FEW = 3 /* loads at once that show as spikes */ };

/* The cycles of one warp's loads. A launch before it fills the TLBs. */
static int one_warp(const study_t *s, const loads_kind_t *k, uint32_t *cycles, mrpb_err_t *err) {
  loads_bench_t b;
  const loads_t p = {.threads = 32, .sharers = 32, .warps_on_line = 1};
  int rc = loads_open(&b, &s->on, k, err);
  for (unsigned i = 0; rc == 0 && i < 2; i++) rc = loads_run(&b, &p, cycles, err);
  bench_close(&b.bench);
  return rc;
}

/* The number of loads that are issued before the data of the first load arrive. */
static uint32_t overlapping(const double *latency) {
  uint32_t n = 1;
  while (n < SCOREBOARD_LOADS && latency[n] - latency[0] < latency[0]) n++;
  return n;
}

/* A jump shows the limit if all loads before it were in flight at once; otherwise it shows that
 * there are no more. Without a jump there are at least as many as were in flight, less one because
 * the time of one load includes the launch. With room for only one or two loads, nearly every step
 * is a round trip, and none is a spike. */
static void judge(scoreboard_t *found, const double *latency, const micro_spike_t *first) {
  uint32_t most = overlapping(latency), few = 1;
  while (few < FEW && latency[few] - latency[few - 1] < latency[0] / 2) few++;
  found->warp_loads = few < FEW ? few : first ? first->before : SCOREBOARD_LOADS;
  if (few < FEW || (first && first->before <= most))
    found->at_once = micro_number(found->warp_loads);
  else if (first)
    found->at_once = micro_range(1, first->before);
  else
    found->at_once = micro_at_least(most > 1 ? most - 1 : 1);
}

/* If host memory is no farther away than issue takes, each load seems to be a round trip; with the
 * GPU's memory it does not. */
static int far_enough(const study_t *s, uint32_t warp_loads, bool *far, mrpb_err_t *err) {
  const loads_kind_t one = {.loads = 1, .one_warp = true}, more = {LOADS_BEFORE, .one_warp = true};
  uint32_t first, all;
  *far = true;
  if (!s->on.limits.host) return 0;
  if (one_warp(s, &one, &first, err) != 0 || one_warp(s, &more, &all, err) != 0) return -1;
  *far = all * warp_loads >= (LOADS_BEFORE - 1) * first;
  return 0;
}

/* If each load takes a round trip because of the scoreboard, a second warp beside the first takes
 * no longer. A port that is as slow serves one warp after the other. */
static int confirm_few(const study_t *s, scoreboard_t *found, mrpb_err_t *err) {
  loads_bench_t b;
  const loads_kind_t k = {.loads = LOADS_BEFORE, .host = s->on.limits.host};
  loads_t p = {.sharers = 32, .warps_on_line = 1};
  uint32_t cycles[3] = {0};
  bool far = true;
  int rc = loads_open(&b, &s->on, &k, err);
  for (unsigned i = 0; rc == 0 && i < 3; i++) { /* the first fills the TLBs */
    p.threads = i == 1 ? 32 : 64;
    rc = loads_run(&b, &p, &cycles[i], err);
  }
  bench_close(&b.bench);
  if (rc == 0) rc = far_enough(s, found->warp_loads, &far, err);
  if (rc == 0 && (!far || 2 * cycles[2] > 3 * cycles[1])) {
    found->at_once = micro_undecided();
    found->warp_loads = LOADS_BEFORE;
  }
  return rc;
}

/* One warp makes 1 to 64 loads of one line each: finds where it waits for itself. */
int scoreboard_find(const study_t *s, scoreboard_t *found, mrpb_err_t *err) {
  uint32_t count[SCOREBOARD_LOADS], cycles;
  double latency[SCOREBOARD_LOADS];
  loads_kind_t k = {.loads = 1, .host = s->on.limits.host, .one_warp = true};
  micro_spikes_t spikes;
  for (; k.loads <= SCOREBOARD_LOADS; k.loads++) {
    if (one_warp(s, &k, &cycles, err) != 0) return -1;
    count[k.loads - 1] = k.loads;
    latency[k.loads - 1] = cycles;
  }
  if (micro_spikes_find(&spikes, count, latency, SCOREBOARD_LOADS, NULL, err) != 0) return -1;
  judge(found, latency, micro_spikes_first(&spikes));
  micro_spikes_free(&spikes);
  return found->at_once.kind == MICRO_NUMBER && found->warp_loads < FEW ? confirm_few(s, found, err)
                                                                        : 0;
}
