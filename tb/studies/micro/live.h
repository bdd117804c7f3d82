/* SPDX-License-Identifier: Apache-2.0 */
/* The studies on a GPU of this machine: opens it, brings its clock up, and watches the clock. */
#ifndef MICRO_LIVE_H
#define MICRO_LIVE_H

#include "studies/micro/kernels/measured.h"
#include "studies/micro/study.h"

enum { LIVE_NAME = 32, LIVE_REPEATS = 25, LIVE_MOST_REPEATS = 1000 };

typedef struct live {
  card_t *card;
  double mhz;           /* the clock at the start */
  char name[LIVE_NAME]; /* "h100" of "NVIDIA H100 80GB HBM3" */
} live_t;

/* Opens GPU `number`; `stop` is as in card_open. Returns 0, or -1 and a message in err. Close only
 * after 0. */
int live_open(live_t *l, unsigned number, bool (*stop)(void), mrpb_err_t *err);
void live_close(live_t *l);
/* A GPU for benches; each point of a curve is the quickest of `repeats` launches. */
bench_gpu_t live_gpu(const live_t *l, uint32_t repeats);

/* Checks that the clock has not changed; otherwise the cycles measured meanwhile mean nothing.
 * Returns 0, or -1 and a message in err. */
int live_steady(const live_t *l, mrpb_err_t *err);
/* live_head: the head of a record of this GPU. live_print: one line of it for people: GPU, driver,
 * clock. */
measured_head_t live_head(const live_t *l, uint32_t repeats);
void live_print(const measured_head_t *h, FILE *out);

#endif
