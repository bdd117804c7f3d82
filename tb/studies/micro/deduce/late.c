/* SPDX-License-Identifier: Apache-2.0 */
/* See late.h. A read is late if its excess is more than four times the excess that a quarter of all
 * reads exceed. If all delays are equally frequent, the shorter ones are missed in proportion. A
 * quarter of the late reads that are seen have delays in the top quarter. This holds whatever the
 * latest few do, which have another cause, and even if something makes more reads slightly late
 * than an even distribution would. */
#include "studies/micro/deduce/late.h"

#include "studies/micro/deduce/numbers.h"

enum {
  QUIET = 16, /* cycles by which reads of one line differ anyway */
  USUAL = 4,  /* a read is late beyond so many times the excess that one in USUAL exceeds */
  RARE = 200,
  LATER = 4 /* one late read in LATER is in the top part of LATER */
};

/* The reads of a line, sorted. */
static void line_of(const uint32_t *latency, size_t lines, size_t i, uint32_t one[LATE_WALKS]) {
  for (size_t w = 0; w < LATE_WALKS; w++) one[w] = latency[w * lines + i];
  numbers_sort32(one, LATE_WALKS);
}

/* How many reads take at least `over` cycles more than their line usually does. */
static size_t beyond(const uint32_t *latency, size_t lines, const uint32_t *line, uint32_t over) {
  size_t n = 0;
  for (size_t i = 0; i < LATE_WALKS * lines; i++) n += latency[i] >= line[i % lines] + over;
  return n;
}

/* The least number of cycles such that at most `n` reads are later. */
static uint32_t exceeded_by(const uint32_t *latency, size_t lines, const uint32_t *line, size_t n) {
  uint32_t lo = 0, hi = 1u << 20;
  while (lo < hi) {
    const uint32_t middle = lo + (hi - lo) / 2;
    if (beyond(latency, lines, line, middle + 1) <= n)
      hi = middle;
    else
      lo = middle + 1;
  }
  return lo;
}

void late_find(const uint32_t *latency, size_t lines, uint32_t *line, late_t *late) {
  const size_t n = LATE_WALKS * lines;
  for (size_t i = 0; i < lines; i++) {
    uint32_t one[LATE_WALKS];
    line_of(latency, lines, i, one);
    line[i] = one[LATE_WALKS / 4];
  }
  const uint32_t upper = exceeded_by(latency, lines, line, n / USUAL);
  *late = (late_t){.seen = QUIET + USUAL * upper};
  const size_t found = beyond(latency, lines, line, late->seen + 1);
  if (found < n / RARE) return;
  const uint32_t latest = exceeded_by(latency, lines, line, found / LATER) - late->seen;
  late->most = late->seen + latest * LATER / (LATER - 1);
  late->share = (double)found / (double)n * late->most / (late->most - late->seen);
  if (late->share > 1) late->share = 1;
  late->still = beyond(latency, lines, line, late->most + late->most / LATER + 1);
  late->last = exceeded_by(latency, lines, line, 0);
}
