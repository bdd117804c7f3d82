/* SPDX-License-Identifier: Apache-2.0 */
/* See ways.h. */
#include "gpu/windows/ways.h"

#include "base/seconds.h"

enum {
  /* Cycles in which a way is tried, and those for which the best one is kept: twice as many each time
   * that threads lose. */
  TRIAL = 1024,
  KEPT = 64 * TRIAL,
  LOSSES = 8,
  WINDOWS = 16 /* after which shares may change */
};

/* Parts of the time in which the calling thread waits: an SM more for it; an SM less. */
static const double MUCH = 0.08, LITTLE = 0.02;

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

share_t share_begin(unsigned sms, unsigned threads) {
  const unsigned each = sms / threads;
  return (share_t){.sms = sms, .threads = threads, .mine = each, .theirs = each};
}

unsigned share_of(const share_t *s, unsigned i) {
  if (i < s->mine || s->threads == 1) return 0;
  if (i < s->mine + s->theirs || s->threads == 2) return 1;
  return 2 + (i - s->mine - s->theirs) % (s->threads - 2);
}

/* Of two threads, what one does not run the other one runs. */
void share_window(share_t *s, double whole, double for_sms, double for_replies) {
  s->whole += whole;
  s->for_sms += for_sms;
  s->for_replies += for_replies;
  if (++s->windows < WINDOWS) return;
  const double sms = s->for_sms / s->whole, replies = s->for_replies / s->whole;
  const double mine = s->threads == 2 ? sms + replies : sms;
  if (mine > MUCH && s->mine + s->theirs < s->sms) s->mine++;
  if (mine < LITTLE && s->mine > 0) s->mine--;
  if (s->threads > 2 && replies > MUCH && s->theirs > 0) s->theirs--;
  if (s->threads > 2 && replies < LITTLE && s->mine + s->theirs < s->sms) s->theirs++;
  if (s->threads == 2) s->theirs = 0;
  s->windows = 0;
  s->whole = s->for_sms = s->for_replies = 0;
}
