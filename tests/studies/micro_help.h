/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-Latency curves of ideal tables, for the tests of tb/studies/micro. */
#ifndef MICRO_HELP_H
#define MICRO_HELP_H

#include <stdint.h>
#include <stdlib.h>

enum { IDEAL_POINTS = 512 };

typedef struct {
  uint32_t loads, lanes; /* loads per thread; lanes of a warp that want the same line */
  uint32_t lines, table; /* MSHRs; PRT entries; 0: no limit */
  uint32_t merges;       /* lanes per MSHR; 0: no limit */
  uint32_t gap, latency; /* cycles between lines; cycles of a round trip */
} micro_ideal_t;

/* The cycles until the last of `threads` threads has its data. One line is requested every `gap`
 * cycles, load by load and warp by warp, as soon as its MSHRs and its warp load's PRT entry are
 * free. */
static inline double micro_ideal_latency(const micro_ideal_t *m, uint32_t threads) {
  size_t warps = (threads + 31) / 32;
  uint64_t *mshr = calloc(m->loads * warps * 32, sizeof *mshr),
           *entry = calloc(m->loads * warps, sizeof *entry);
  uint64_t now = 0, end = 0;
  uint32_t n_mshr = 0, n_load = 0;
  for (uint32_t load = 0; load < m->loads; load++)
    for (uint32_t first = 0; first < threads; first += 32, n_load++) {
      uint32_t in_warp = threads - first < 32 ? threads - first : 32;
      if (m->table && n_load >= m->table && entry[n_load - m->table] > now)
        now = entry[n_load - m->table];
      for (uint32_t lane = 0; lane < in_warp; lane += m->lanes) {
        uint32_t want = in_warp - lane < m->lanes ? in_warp - lane : m->lanes;
        uint32_t take = m->merges ? (want + m->merges - 1) / m->merges : 1;
        for (uint32_t k = 0; k < take; k++) {
          if (m->lines && n_mshr + k >= m->lines && mshr[n_mshr + k - m->lines] > now)
            now = mshr[n_mshr + k - m->lines];
        }
        for (uint32_t k = 0; k < take; k++) mshr[n_mshr++] = now + m->latency;
        end = entry[n_load] = now + m->latency;
        now += m->gap;
      }
    }
  free(mshr);
  free(entry);
  return (double)end;
}

/* 2 to 1024 threads in steps of 2. */
static inline void micro_ideal_curve(const micro_ideal_t *m, uint32_t threads[IDEAL_POINTS],
                                     double latency[IDEAL_POINTS]) {
  for (uint32_t i = 0; i < IDEAL_POINTS; i++) {
    threads[i] = 2 * i + 2;
    latency[i] = micro_ideal_latency(m, threads[i]);
  }
}

#endif
