/* SPDX-License-Identifier: Apache-2.0 */
/* See ways.h. */
#include "gpu/windows/ways.h"

#include "base/seconds.h"

enum {
  /* Cycles in which a way is tried, and those for which the best one is kept: twice as many each time
   * that threads lose. */
  TRIAL = 1024,
  KEPT = 64 * TRIAL,
  LOSSES = 8
};

static way_t best_of(const ways_t *w, unsigned n) {
  way_t best = (way_t)0;
  for (unsigned i = 1; i < n; i++)
    if (w->cost[i] < w->cost[best]) best = (way_t)i;
  return best;
}

/* A trial of threads ends early if it takes far longer than another way: on a busy host each round may
 * take as long as the host's scheduler likes. */
static bool is_hopeless(const ways_t *w, uint64_t now) {
  if (w->trial != WAY_TOGETHER || now == w->since) return false;
  return seconds_now() - w->began > 2 * TRIAL * w->cost[best_of(w, WAY_TOGETHER)];
}

static void begin(ways_t *w, way_t way, uint64_t now, uint64_t cycles) {
  w->way = way;
  w->since = now;
  w->until = now + cycles;
  w->began = seconds_now();
}

/* Tries all ways one after another; then keeps the best one for a while. */
static void go_on(ways_t *w, uint64_t now) {
  if (w->trial == WAYS)
    w->trial = (way_t)0;
  else if (now > w->since)
    w->cost[w->trial++] = (seconds_now() - w->began) / (double)(now - w->since);
  if (w->trial < WAYS) {
    begin(w, w->trial, now, TRIAL);
    return;
  }
  const way_t best = best_of(w, WAYS);
  w->lost = best == WAY_TOGETHER ? 0 : w->lost < LOSSES ? w->lost + 1 : LOSSES;
  begin(w, best, now, (uint64_t)KEPT << w->lost);
}

way_t ways_choose(ways_t *w, uint64_t now) {
  if (now >= w->until || is_hopeless(w, now)) go_on(w, now);
  return w->way;
}
