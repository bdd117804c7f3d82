/* SPDX-License-Identifier: Apache-2.0 */
/* See scoreboard.h. */
#include "studies/micro/studies/scoreboard.h"
#include "studies/micro/deduce/spikes.h"
#include "studies/micro/kernels/loads.h"

enum { FEW = 3 /* loads at once that show as spikes */ };
/* A step of this part of a load's time is a round trip; a second warp takes no longer than this. */
static const double round_trip = 0.5, no_longer = 1.5;

/* The cycles of one warp's loads. A launch before it fills the TLBs. */
static uint32_t one_warp(const study_t *s, uint32_t loads, bool host) {
  loads_bench_t b;
  const loads_kind_t k = {.loads = loads, .host = host, .one_warp = true};
  const loads_t p = {.threads = 32, .sharers = 32, .warps_on_line = 1};
  loads_open(&b, &s->on, &k);
  (void)loads_run(&b, &p);
  const uint32_t cycles = loads_run(&b, &p);
  bench_close(&b.bench);
  return cycles;
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
  while (few < FEW && latency[few] - latency[few - 1] < latency[0] * round_trip) few++;
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
static bool far_enough(const study_t *s, uint32_t warp_loads) {
  if (!s->on.limits.host) return true;
  const uint32_t first = one_warp(s, 1, false), all = one_warp(s, LOADS_BEFORE, false);
  return all * warp_loads >= (LOADS_BEFORE - 1) * first;
}

/* If each load takes a round trip because of the scoreboard, a second warp beside the first takes
 * no longer. A port that is as slow serves one warp after the other. */
static void confirm_few(const study_t *s, scoreboard_t *found) {
  loads_bench_t b;
  const loads_kind_t k = {.loads = LOADS_BEFORE, .host = s->on.limits.host};
  const loads_t one = {.threads = 32, .sharers = 32, .warps_on_line = 1};
  const loads_t two = {.threads = 64, .sharers = 32, .warps_on_line = 1};
  loads_open(&b, &s->on, &k);
  (void)loads_run(&b, &two); /* fills the TLBs */
  const uint32_t alone = loads_run(&b, &one), beside = loads_run(&b, &two);
  bench_close(&b.bench);
  if (far_enough(s, found->warp_loads) && beside <= no_longer * alone) return;
  found->at_once = micro_undecided();
  found->warp_loads = LOADS_BEFORE;
}

/* One warp makes 1 to 64 loads of one line each: finds where it waits for itself. */
scoreboard_t scoreboard_find(const study_t *s) {
  uint32_t count[SCOREBOARD_LOADS];
  double latency[SCOREBOARD_LOADS];
  micro_spikes_t spikes;
  scoreboard_t found;
  for (uint32_t i = 0; i < SCOREBOARD_LOADS; i++) {
    count[i] = i + 1;
    latency[i] = one_warp(s, count[i], s->on.limits.host);
  }
  (void)micro_spikes_find(&spikes, count, latency, SCOREBOARD_LOADS, NULL, s->on.err);
  judge(&found, latency, micro_spikes_first(&spikes));
  micro_spikes_free(&spikes);
  if (found.at_once.kind == MICRO_NUMBER && found.warp_loads < FEW) confirm_few(s, &found);
  return found;
}
