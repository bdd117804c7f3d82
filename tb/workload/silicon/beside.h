/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a workload of PTX kernels on the executor and on a GPU, launch by launch. After each launch
 * both memories must be equal, byte by byte. docs/silicon.md */
#ifndef BESIDE_H
#define BESIDE_H

#include "workload/silicon/card.h"
#include "workload/workload.h"

typedef struct beside beside_t;

/* The launches of one kernel. Seconds are measured by the GPU and include the launch overhead. */
typedef struct {
  const char *kernel;
  uint64_t launches;
  double seconds, shortest; /* of all launches; of the shortest one */
  double empty;             /* shortest time of an empty kernel with the same grids */
} beside_kernel_t;

typedef struct {
  uint64_t launches, bytes; /* bytes: compared after the last launch */
  uint64_t loose;           /* bytes not compared, as set by beside_loose */
  unsigned n_kernels;
  const beside_kernel_t *kernel; /* in the order of their first launches */
} beside_result_t;

/* `w` must come from simt_create and must not have begun a launch. Returns 0, or -1 and a message
 * if `w` is not such a workload or the driver's compiler refuses its text. The caller keeps
 * ownership of the card and the workload, which must outlive it. */
int beside_open(beside_t **out, card_t *card, workload_t *w, mrpb_err_t *err);
void beside_close(beside_t *x);

/* Declares memory that may differ because there is no exact result: after each launch the image
 * takes the GPU's bytes there, without a comparison. `range` returns the i-th range (0 bytes: none
 * at present), and false after the last. */
typedef bool (*beside_range_t)(const void *ctx, unsigned i, uint64_t *addr, uint64_t *bytes);
void beside_loose(beside_t *x, beside_range_t range, const void *ctx);

/* Runs all launches, waiting at most `limit` seconds for each, then workload_check. Ends early, as
 * failed, when `stop` returns true (NULL: never). Returns 0; WORKLOAD_DIFFERS and the first byte
 * that differs; or WORKLOAD_FAILED for a fault of the program or of the GPU. */
int beside_run(beside_t *x, double limit, bool (*stop)(void), mrpb_err_t *err);

/* Valid until beside_close. */
void beside_result(const beside_t *x, beside_result_t *result);
/* The contents of the GPU's memory after the last launch, from memory_begin on. */
const uint8_t *beside_memory(const beside_t *x, uint64_t *bytes);

#endif
