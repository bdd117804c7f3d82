/* SPDX-License-Identifier: Apache-2.0 */
/* Ways to run a GPU with many threads, and which of them is the fastest on this host, with what else
 * runs on it, for what the program does now. They differ in the host's time only (docs/threads.md). */
#ifndef WINDOWS_WAYS_H
#define WINDOWS_WAYS_H

#include <stdbool.h>
#include <stdint.h>

/* Cycle by cycle; windows on the calling thread; windows on all threads. */
typedef enum { WAY_CYCLES, WAY_ALONE, WAY_TOGETHER, WAYS } way_t;

/* The way that is taken until cycle `until`, since cycle `since`; its trial, WAYS after all; what a cycle
 * costs in each way, in seconds. All zero at first. */
typedef struct {
  way_t way, trial;
  uint64_t since, until;
  double began, cost[WAYS];
  unsigned lost; /* so often in a row by threads */
} ways_t;

/* The way to take from cycle `now` on. */
way_t ways_choose(ways_t *w, uint64_t now);

/* How many of the SMs the calling thread runs, besides the requests of the window, and how many the
 * first of the other threads, besides the replies of the next window. How long the calling thread waits
 * for the others tells who has too much. */
typedef struct {
  unsigned sms, threads, mine, theirs, windows;
  double whole, for_sms, for_replies; /* seconds of these windows: all; those waited */
} share_t;

/* Of `sms` SMs and `threads` threads. */
share_t share_begin(unsigned sms, unsigned threads);
/* The thread that runs SM `i`. */
unsigned share_of(const share_t *s, unsigned i);
/* A window has taken `whole` seconds, of which the calling thread has waited for the other SMs and for the
 * replies. */
void share_window(share_t *s, double whole, double for_sms, double for_replies);

#endif
