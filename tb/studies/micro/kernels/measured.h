/* SPDX-License-Identifier: Apache-2.0 */
/* What a GPU has measured, launch by launch, in a file: written beside a live run, and read again in
 * the place of the GPU, so that the same studies come to the same results without one.
 * docs/silicon.md has the form. */
#ifndef MICRO_MEASURED_H
#define MICRO_MEASURED_H

#include "studies/micro/kernels/bench.h"

typedef struct measured measured_t;

/* Where the numbers come from. */
typedef struct {
  char gpu[96], uuid[40], name[32], date[24]; /* name: short, "h100"; date: of UTC */
  uint32_t driver;
  double mhz;
  bench_limits_t limits;
} measured_head_t;

/* Begins a record at `path`, which gets its name in measured_end alone. -1 and a message. */
int measured_create(measured_t **out, const char *path, const measured_head_t *head,
                    mrpb_err_t *err);
/* The record at `path`, plain or xz; `head` is what it says of itself. */
int measured_open(measured_t **out, const char *path, measured_head_t *head, mrpb_err_t *err);
/* Of a record that is written: it is complete. Of one that is read: nothing is left in it. */
int measured_end(measured_t *m, mrpb_err_t *err);
/* Without measured_end nothing has been written. */
void measured_close(measured_t *m);

/* A study begins. */
int measured_study(measured_t *m, const char *name, mrpb_err_t *err);

/* A part of it begins that records of earlier versions have not: *there says whether this one has. */
int measured_part(measured_t *m, const char *name, bool *there, mrpb_err_t *err);

/* `g` with everything that its launches give written down; a GPU that is the record. */
bench_gpu_t measured_recording(measured_t *m, const bench_gpu_t *g);
bench_gpu_t measured_gpu(measured_t *m, const bench_limits_t *limits);

/* ---- of the two sides (side_recorder.c, side_record.c) ---------------------------- */

bool measured_is_read(const measured_t *m);
/* A bench was opened for the text of that hash, or refused (BENCH_REFUSED) for the reason in `err`:
 * written as `opened` says; or read: 0, BENCH_REFUSED and the reason, or -1. */
int measured_text(measured_t *m, uint64_t hash, int opened, mrpb_err_t *err);
/* A line of the record: written, or the next one, which must be this one. */
__attribute__((format(printf, 3, 4))) int measured_line(measured_t *m, mrpb_err_t *err,
                                                        const char *format, ...);
/* `n` words at `word`, as differences: written, or read. */
int measured_words(measured_t *m, uint32_t *word, size_t n, mrpb_err_t *err);

#endif
