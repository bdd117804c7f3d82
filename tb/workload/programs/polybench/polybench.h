/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the PolyBench/GPU programs: arrays in allocation order with fixed pseudo-random
 * contents, launches over n or n x n threads, and the final comparison of every array with a copy
 * on which the host performed the same operations in the same order. */
#ifndef POLYBENCH_H
#define POLYBENCH_H

#include "workload/programs/program.h"

enum { POLYBENCH_ARRAYS = 8, POLYBENCH_REGS = 20 };

typedef struct {
  const char *name;
  uint64_t n, addr; /* n: number of floats; addr: set by polybench_arrays */
  bool input;       /* no kernel writes it: it stays as filled, so its check needs no copy */
} polybench_array_t;

typedef struct {
  uint32_t n;     /* rows and columns */
  uint32_t trips; /* iterations of the inner loops */
  unsigned launched, launches;
  unsigned n_arrays;
  polybench_array_t array[POLYBENCH_ARRAYS];
} polybench_t;

/* Sets n to --size or `paper`, trips from --cut, and the number of launches. */
void polybench_open(polybench_t *p, const program_host_t *h, uint32_t paper, unsigned launches);
/* Allocates `count` arrays in this order. Each is filled with the sequence whose seed is its
 * index. */
int polybench_arrays(polybench_t *p, const program_host_t *h, const polybench_array_t *arrays,
                     unsigned count, mrpb_err_t *err);

/* A launch of `kernel` over n threads in blocks of 256, or over n x n threads in blocks of 32 x 8.
 * The first parameters are the addresses of arrays order[0 ...]. Kernels with an inner loop have
 * two more: the size and the end of that loop. The `_loop` kernels also have a variant that reloads
 * its accumulator. */
void polybench_vector(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                      const char *kernel, const unsigned *order, unsigned n);
void polybench_vector_loop(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                           const char *kernel, const unsigned *order, unsigned n);
void polybench_matrix_loop(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                           const char *kernel, const unsigned *order, unsigned n);
void polybench_matrix(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                      const char *kernel, const unsigned *order, unsigned n);

double polybench_progress(const void *state, const program_host_t *h);
/* Compares all arrays at the end. `compute` turns the initial arrays v[0 ...] into the final ones;
 * it must not write inputs. */
int polybench_check(const polybench_t *p, const program_host_t *h,
                    void (*compute)(const polybench_t *p, float *const v[]), mrpb_err_t *err);

/* Parts of `compute`: out[i] += A[i][j] * in[j] along rows; out[j] += A[i][j] * in[i] down columns.
 * The summed index runs up to p->trips. */
void polybench_rows(const polybench_t *p, float *out, const float *a, const float *in);
void polybench_columns(const polybench_t *p, float *out, const float *a, const float *in);

#endif
