/* SPDX-License-Identifier: Apache-2.0 */
/* gemm of PolyBench/GPU 1.0: C = 32412 A B + 2123 C. */
#include "workload/programs/polybench/polybench.h"
#include "base/vectorized.h"

#include <math.h>

enum { A, B, C };

#define ALPHA 32412.0f
#define BETA 2123.0f

static int gemm_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  polybench_t *p = state;
  polybench_open(p, h, 512, 1);
  uint64_t n = p->n;
  const polybench_array_t arrays[] = {{.name = "A", .n = n * n, .input = true},
                                      {.name = "B", .n = n * n, .input = true},
                                      {.name = "C", .n = n * n}};
  return polybench_arrays(p, h, arrays, 3, err);
}

static bool gemm_next(void *state, const program_host_t *h, simt_launch_t *l) {
  polybench_t *p = state;
  if (p->launched == p->launches) return false;
  p->launched++;
  polybench_matrix_loop(p, h, l, "gemm_kernel", (const unsigned[]){A, B, C}, 3);
  return true;
}

VECTORIZED static void compute(const polybench_t *p, float *const v[]) {
  size_t n = p->n;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) v[C][i * n + j] *= BETA;
    for (size_t k = 0; k < p->trips; k++) {
      float a = ALPHA * v[A][i * n + k];
      for (size_t j = 0; j < n; j++) v[C][i * n + j] = fmaf(a, v[B][k * n + j], v[C][i * n + j]);
    }
  }
}

static int gemm_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute, err);
}

extern const program_t program_gemm;
const program_t program_gemm = {
    .name = "gemm",
    .suite = "polybench",
    .type = "CI",
    .doc = "matrix multiply, 512 x 512",
    .ptx_a = "polybench/gemm.a.ptx",
    .ptx_b = "polybench/gemm.b.ptx",
    .ptx_c = "polybench/gemm.c.ptx",
    .paper_size = 512,
    .state_bytes = sizeof(polybench_t),
    .open = gemm_open,
    .next = gemm_next,
    .progress = polybench_progress,
    .check = gemm_check,
    .takes_cut = true,
    .takes_acc_reload = true,
    .size_min = 1,
    .size_max = 8192,
};
