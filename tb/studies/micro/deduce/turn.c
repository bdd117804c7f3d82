/* SPDX-License-Identifier: Apache-2.0 */
/* See turn.h. The latest of k reads is the i-th of n latencies or less with probability (i/n)^k. */
#include "studies/micro/deduce/turn.h"

#include <math.h>

static double latest_of(const uint32_t *latency, size_t n, unsigned k) {
  double mean = 0, below = 0;
  for (size_t i = 0; i < n; i++) {
    const double at_most = pow((double)(i + 1) / (double)n, k);
    mean += latency[i] * (at_most - below);
    below = at_most;
  }
  return mean;
}

double turn_wait(const uint32_t *latency, size_t n, unsigned reads) {
  double sum = 0;
  for (unsigned k = 1; k <= reads; k++) sum += latest_of(latency, n, k);
  return sum / reads - latest_of(latency, n, 1);
}
