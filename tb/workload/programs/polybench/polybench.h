/* SPDX-License-Identifier: Apache-2.0 */
/* What the PolyBench/GPU programs share: arrays in allocation order with fixed pseudo-random
 * contents, launches over n threads or n x n threads, and the final comparison of every array with
 * a copy on which the host has done the same operations in the same order. */
#ifndef POLYBENCH_H
#define POLYBENCH_H

#include "workload/programs/program.h"

enum { POLYBENCH_ARRAYS = 8, POLYBENCH_REGS = 20 };

typedef struct {
  const char *name;
  uint64_t n, addr; /* n floats; set by polybench_arrays */
  bool input;       /* no kernel writes it: it is as it was filled, and needs no copy to check */
} polybench_array_t;

typedef struct {
  uint32_t n;     /* rows and columns */
  uint32_t trips; /* iterations of the inner loops */
  unsigned launched, launches;
  unsigned n_arrays;
  polybench_array_t array[POLYBENCH_ARRAYS];
} polybench_t;

/* --size or `paper`, --cut; so many launches. */
void polybench_open(polybench_t *p, const program_host_t *h, uint32_t paper, unsigned launches);
/* Allocates `count` arrays in this order and fills each with the sequence whose seed is its number.
 */
int polybench_arrays(polybench_t *p, const program_host_t *h, const polybench_array_t *arrays,
                     unsigned count, mrpb_err_t *err);

/* A launch of `kernel` over n threads in blocks of 256, or over n x n in blocks of 32 x 8, with the
 * addresses of arrays order[0 ...] as its first parameters. Kernels with an inner loop have two
 * more, the size and the end of that loop; `_loop`: and a twin that reloads its accumulator. */
void polybench_vector(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                      const char *kernel, const unsigned *order, unsigned n);
void polybench_vector_loop(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                           const char *kernel, const unsigned *order, unsigned n);
void polybench_matrix_loop(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                           const char *kernel, const unsigned *order, unsigned n);
void polybench_matrix(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                      const char *kernel, const unsigned *order, unsigned n);

double polybench_progress(const void *state, const program_host_t *h);
/* `compute` turns the initial arrays v[0 ...] into the final ones, and writes no input; then all are
 * compared. */
int polybench_check(const polybench_t *p, const program_host_t *h,
                    void (*compute)(const polybench_t *p, float *const v[]), mrpb_err_t *err);

/* Pieces of `compute`: out[i] += A[i][j] * in[j] along rows; out[j] += A[i][j] * in[i] down
 * columns; the summed index runs to p->trips. */
void polybench_rows(const polybench_t *p, float *out, const float *a, const float *in);
void polybench_columns(const polybench_t *p, float *out, const float *a, const float *in);

#endif
