/* SPDX-License-Identifier: Apache-2.0 */
/* The host's time, for limits and for what is said of durations; no result depends on it. */
#ifndef SECONDS_H
#define SECONDS_H

#include <time.h>

/* Seconds since some moment before the program began. */
static inline double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
