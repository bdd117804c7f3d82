/* SPDX-License-Identifier: Apache-2.0 */
/* The studies on a GPU of this machine: it is opened, its clock is brought up and watched. */
#ifndef MICRO_LIVE_H
#define MICRO_LIVE_H

#include "studies/micro/kernels/measured.h"
#include "studies/micro/study.h"

enum { LIVE_NAME = 32, LIVE_REPEATS = 25, LIVE_MOST_REPEATS = 1000 };

typedef struct live {
  card_t *card;
  double mhz;           /* as it was at the start */
  char name[LIVE_NAME]; /* "h100" of "NVIDIA H100 80GB HBM3" */
} live_t;

/* GPU `number`; `stop` as in card_open. -1 and a message; to be closed only after 0. */
int live_open(live_t *l, unsigned number, bool (*stop)(void), mrpb_err_t *err);
void live_close(live_t *l);
/* Each point of a curve is the quickest of so many launches. */
bench_gpu_t live_gpu(const live_t *l, uint32_t repeats);

/* The clock is what it was: otherwise what has been measured meanwhile is in no cycles at all. */
int live_steady(const live_t *l, mrpb_err_t *err);
/* What a record of it says of itself; and a line of that for people: which GPU, driver, clock. */
measured_head_t live_head(const live_t *l, uint32_t repeats);
void live_print(const measured_head_t *h, FILE *out);

#endif
