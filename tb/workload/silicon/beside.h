/* SPDX-License-Identifier: Apache-2.0 */
/* A workload of PTX kernels on the executor and on a GPU, launch by launch: what the memory holds
 * after each must be the same, byte by byte. docs/silicon.md */
#ifndef BESIDE_H
#define BESIDE_H

#include "workload/silicon/card.h"
#include "workload/workload.h"

typedef struct beside beside_t;

/* The launches of a kernel. Seconds are the GPU's own, launching included. */
typedef struct {
  const char *kernel;
  uint64_t launches;
  double seconds, shortest; /* of all of them; of the shortest */
  double empty;             /* the shortest of a kernel that does nothing, of the same grids */
} beside_kernel_t;

typedef struct {
  uint64_t launches, bytes; /* bytes: that were compared after the last launch */
  uint64_t loose;           /* that were not, as beside_loose says */
  unsigned n_kernels;
  const beside_kernel_t *kernel; /* in the order of their first launches */
} beside_result_t;

/* `w` is of simt_create and has begun no launch yet. -1 and a message: it is not, or the driver's
 * compiler refuses its text. The card and the workload stay the caller's and must outlive it. */
int beside_open(beside_t **out, card_t *card, workload_t *w, mrpb_err_t *err);
void beside_close(beside_t *x);

/* Memory that may differ, for lack of an exact result: after each launch the image takes what the GPU
 * has there, and is not compared with it. `range` gives the i-th one (0 bytes: none at present), false
 * behind the last. */
typedef bool (*beside_range_t)(const void *ctx, unsigned i, uint64_t *addr, uint64_t *bytes);
void beside_loose(beside_t *x, beside_range_t range, const void *ctx);

/* All launches, each waited for at most `limit` seconds; then workload_check. Ends early, as failed,
 * when `stop` says so (NULL: never). 0; WORKLOAD_DIFFERS and the first byte that is another one;
 * WORKLOAD_FAILED: a fault of the program, or the GPU's. */
int beside_run(beside_t *x, double limit, bool (*stop)(void), mrpb_err_t *err);

/* Valid until beside_close. */
void beside_result(const beside_t *x, beside_result_t *result);
/* What the GPU's memory held after the last launch, from memory_begin on. */
const uint8_t *beside_memory(const beside_t *x, uint64_t *bytes);

#endif
