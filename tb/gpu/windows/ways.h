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

#endif
