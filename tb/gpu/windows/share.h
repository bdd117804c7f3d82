/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread runs which SMs of a window (docs/threads.md). */
#ifndef WINDOWS_SHARE_H
#define WINDOWS_SHARE_H

/* How many of the SMs the calling thread runs; how many the first of the other threads, which also runs
 * the replies of the next window; the rest are shared evenly. How long each takes tells who has too
 * much. */
typedef struct {
  unsigned sms, threads, mine, theirs, rounds;
  double own, first,
      others; /* seconds in these rounds: of the two, and of the slowest of the rest */
} share_t;

/* Of `sms` SMs and `threads` threads. */
share_t share_begin(unsigned sms, unsigned threads);
/* The thread that runs SM `i`. */
unsigned share_of(const share_t *s, unsigned i);
/* A round of all threads began at `from`, and ended for each at `ended`: seconds. */
void share_round(share_t *s, double from, const double *ended);

#endif
