/* SPDX-License-Identifier: Apache-2.0 */
/* Writes access.csv and bits.csv. */
#include "estimate/activity/state.h"

#include <inttypes.h>

static void put_count(FILE *f, const activity_side_t *s, int event) {
  if (event == ACTIVITY_NONE)
    fprintf(f, ",");
  else
    fprintf(f, ",%" PRIu64, s->events[event]);
}

static void put_rate(FILE *f, const activity_unit_t *u, const activity_side_t *s, int event) {
  if (event == ACTIVITY_NONE)
    fprintf(f, ",");
  else
    fprintf(f, ",%.6g", activity_rate(s->events[event], u->cycles));
}

static void put_array(const activity_unit_t *u, const activity_access_t *a, FILE *f) {
  const activity_side_t *s = activity_side(u);
  activity_signal_t signal;
  uint64_t ones;
  if (!activity_array(u, a, &signal)) return;
  fprintf(f, "%s,%s,%u,%u,%" PRIu64, u->cls->stem, a->reg, signal.words, signal.width, u->cycles);
  put_count(f, s, a->reads);
  put_count(f, s, a->writes);
  put_count(f, s, a->searches);
  put_count(f, s, a->both);
  put_rate(f, u, s, a->reads);
  put_rate(f, u, s, a->writes);
  put_rate(f, u, s, a->searches);
  fprintf(f, ",%" PRIu64 "\n", activity_sum(u, &signal, &ones));
}

void activity_access_csv(const activity_t *a, FILE *f) {
  fprintf(f, "unit,array,words,bits,cycles,reads,writes,searches,both,reads_per_cycle,"
             "writes_per_cycle,searches_per_cycle,bit_toggles\n");
  for (unsigned i = 0; i < a->n_units; i++)
    for (unsigned k = 0; k < a->unit[i].events->n_arrays; k++)
      put_array(&a->unit[i], &a->unit[i].events->arrays[k], f);
}

static void put_signal(const activity_unit_t *u, const activity_signal_t *s, FILE *f) {
  for (unsigned w = 0; w < s->words; w++)
    for (unsigned b = 0; b < s->width; b++) {
      activity_bit_t v = activity_bit(u, s, w, b);
      fprintf(f, "%s,%s,%s,%u,%u,%" PRIu64 ",%" PRIu64 ",%.6g,%.6g\n", u->cls->stem,
              activity_kind_name(s->kind), s->name, w, b, v.toggles, v.ones,
              activity_rate(v.toggles, u->cycles), activity_rate(v.ones, u->cycles));
    }
}

void activity_bits_csv(const activity_t *a, FILE *f) {
  fprintf(f, "unit,kind,name,word,bit,toggles,ones,toggles_per_cycle,duty\n");
  for (unsigned i = 0; i < a->n_units; i++) {
    activity_signal_t s;
    for (unsigned k = 0; activity_signal(&a->unit[i], activity_side(&a->unit[i]), k, &s); k++)
      put_signal(&a->unit[i], &s, f);
  }
}
