/* SPDX-License-Identifier: Apache-2.0 */
/* See live.h. */
#include "studies/micro/live.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* A larger relative change means that the clock was not steady. */
#define STEADY 0.01

/* The first word with a digit, in lower case. */
static void short_name(const char *long_name, char name[LIVE_NAME]) {
  const char *at = long_name;
  size_t n = strcspn(at, " ");
  while (at[n] && strcspn(at, "0123456789") >= n) {
    at += n + 1;
    n = strcspn(at, " ");
  }
  if (n >= LIVE_NAME) n = LIVE_NAME - 1;
  for (size_t i = 0; i < n; i++)
    name[i] = isalnum((unsigned char)at[i]) ? (char)tolower((unsigned char)at[i]) : '-';
  name[n] = 0;
}

int live_open(live_t *l, unsigned number, bool (*stop)(void), mrpb_err_t *err) {
  *l = (live_t){0};
  if (card_open(&l->card, number, stop, err) != 0) return -1;
  short_name(card_info(l->card)->name, l->name);
  if (card_clock(l->card, &l->mhz, err) == 0) return 0;
  live_close(l);
  return -1;
}

void live_close(live_t *l) {
  card_close(l->card);
  *l = (live_t){0};
}

bench_gpu_t live_gpu(const live_t *l, uint32_t repeats) {
  return bench_gpu_card(l->card, repeats);
}

int live_steady(const live_t *l, mrpb_err_t *err) {
  double mhz = 0;
  if (card_clock(l->card, &mhz, err) != 0) return -1;
  if (fabs(mhz - l->mhz) <= STEADY * l->mhz) return 0;
  return mrpb_fail(err,
                   "GPU %u: its clock went from %.0f to %.0f MHz; legal: one that moves by at most "
                   "%g %%; nothing else may run on it",
                   card_info(l->card)->number, l->mhz, mhz, 100 * STEADY);
}

measured_head_t live_head(const live_t *l, uint32_t repeats) {
  const card_info_t *i = card_info(l->card);
  const time_t now = time(NULL);
  struct tm utc;
  measured_head_t h = {.driver = i->driver, .mhz = l->mhz, .limits = live_gpu(l, repeats).limits};
  snprintf(h.gpu, sizeof h.gpu, "%s", i->name);
  snprintf(h.uuid, sizeof h.uuid, "%s", i->uuid);
  snprintf(h.name, sizeof h.name, "%s", l->name);
  if (!gmtime_r(&now, &utc) || !strftime(h.date, sizeof h.date, "%Y-%m-%dT%H:%M:%SZ", &utc))
    snprintf(h.date, sizeof h.date, "unknown");
  return h;
}

void live_print(const measured_head_t *h, FILE *out) {
  fprintf(out, "%s, %u SMs, driver %u.%u, clock %.0f MHz, %s\n", h->gpu, h->limits.sms,
          h->driver / 1000, h->driver % 1000 / 10, h->mhz, h->date);
}
