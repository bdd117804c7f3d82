/* SPDX-License-Identifier: Apache-2.0 */
/* See latency_late.h. */
#include "studies/micro/studies/latency_late.h"

#include <math.h>

/* By how much of their value two runs on one GPU may differ. */
#define LATE_OFF 0.25
#define SHARE_OFF 0.5

/* The bounds of a number that another run finds larger or smaller by this share of it. */
static micro_value_t about(double value, double share) {
  enum { LEAST = 4 };
  const double off = fmax(LEAST, share * value);
  return value > 0 ? micro_range(round(fmax(0, value - off)), round(value + off)) : micro_number(0);
}

/* The bounds of a count of rare reads: three times the square root of what is expected. */
static micro_value_t counted(double n) {
  enum { SURE = 3 };
  const double off = (double)SURE * sqrt(fmax(1, n));
  return micro_range(floor(fmax(0, n - off)), ceil(n + off));
}

void latency_late_rows(study_t *s, const char *what, const late_t *late, size_t reads,
                       const distances_t *c) {
  enum { RARE = 5 /* per thousand */ };
  const bool hidden = c->late <= 2 * late->seen || c->share <= 2 * RARE;
  char note[96];
  study_of(s, "%s", what);
  snprintf(note, sizeof note, "at most; evenly distributed from 0; more than %u is seen",
           late->seen);
  study_row_value(s, ROW_LATE, about(late->most, LATE_OFF), study_if(!hidden, c->late), note);
  study_row_value(s, ROW_LATE_READS, about(1000 * late->share, SHARE_OFF),
                  study_if(!hidden, c->share), "another run may give any of these");
  if (late->share <= 0) return;
  snprintf(note, sizeof note, "of %zu reads; later by a quarter, the last of them %u cycles late",
           reads, late->last);
  study_row_value(s, ROW_LATER_STILL, counted((double)late->still), (double)NAN, note);
}
