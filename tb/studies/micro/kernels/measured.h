/* SPDX-License-Identifier: Apache-2.0 */
/* A record of everything that a GPU has measured, launch by launch. It is written during a live run
 * and later read in place of the GPU, so that the same studies reach the same results without one.
 * docs/silicon.md describes the format. */
#ifndef MICRO_MEASURED_H
#define MICRO_MEASURED_H

#include "studies/micro/kernels/bench.h"

typedef struct measured measured_t;

/* Where the numbers come from. */
typedef struct {
  char gpu[96], uuid[40], name[32], date[24]; /* name: short, "h100"; date: in UTC */
  uint32_t driver;
  double mhz;
  bench_limits_t limits;
} measured_head_t;

/* Begins a record at `path`; the file gets this name only in measured_end. Returns 0, or -1 and a
 * message in err. */
int measured_create(measured_t **out, const char *path, const measured_head_t *head,
                    mrpb_err_t *err);
/* Opens the record at `path`, plain or xz; `head` gets its head. Returns 0, or -1 and a message in
 * err. */
int measured_open(measured_t **out, const char *path, measured_head_t *head, mrpb_err_t *err);
/* Completes a record that is written; checks that a record that is read has nothing left. Returns
 * 0, or -1 and a message in err. */
int measured_end(measured_t *m, mrpb_err_t *err);
/* Without measured_end, a record that was being written is dropped. */
void measured_close(measured_t *m);

/* Marks that a study begins. Returns 0, or -1 and a message in err. */
int measured_study(measured_t *m, const char *name, mrpb_err_t *err);

/* Marks that a part of the study begins that records of earlier versions lack. *there says whether
 * this record has it. Returns 0, or -1 and a message in err. */
int measured_part(measured_t *m, const char *name, bool *there, mrpb_err_t *err);

/* measured_recording: GPU `g`, with the results of its launches recorded. measured_gpu: a GPU that
 * answers from the record. */
bench_gpu_t measured_recording(measured_t *m, const bench_gpu_t *g);
bench_gpu_t measured_gpu(measured_t *m, const bench_limits_t *limits);
/* The GPU whose results are recorded; `g` not NULL: it is this one from now on. */
const bench_gpu_t *measured_inner(measured_t *m, const bench_gpu_t *g);

/* ---- for the two sides in side_measured.c ------------------------------------------ */

/* A bench was opened for the text with that hash, or refused (BENCH_REFUSED) for the reason in
 * `err`. When writing, `opened` says which. When reading, returns 0, BENCH_REFUSED and the reason
 * in err, or -1 and a message in err. */
int measured_text(measured_t *m, uint64_t hash, int opened, mrpb_err_t *err);
/* Writes a line of the record; or reads the next line, which must equal this one. Returns 0, or -1
 * and a message in err. */
__attribute__((format(printf, 3, 4))) int measured_line(measured_t *m, mrpb_err_t *err,
                                                        const char *format, ...);
/* Writes or reads `n` words at `word`, stored as differences. Returns 0, or -1 and a message in
 * err. */
int measured_words(measured_t *m, uint32_t *word, size_t n, mrpb_err_t *err);

#endif
