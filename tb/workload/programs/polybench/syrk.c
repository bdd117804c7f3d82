/* SPDX-License-Identifier: Apache-2.0 */
/* syrk of PolyBench/GPU 1.0, at a quarter of its size, as in the paper: C = 12435 A A^T + 4546
 * C. */
#include "workload/programs/polybench/polybench.h"
#include "base/vectorized.h"

#include <math.h>

enum { A, C };

#define ALPHA 12435.0f
#define BETA 4546.0f

static int syrk_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  polybench_t *p = state;
  polybench_open(p, h, 256, 1);
  uint64_t n = p->n;
  const polybench_array_t arrays[] = {{.name = "A", .n = n * n, .input = true},
                                      {.name = "C", .n = n * n}};
  return polybench_arrays(p, h, arrays, 2, err);
}

static bool syrk_next(void *state, const program_host_t *h, simt_launch_t *l) {
  polybench_t *p = state;
  if (p->launched == p->launches) return false;
  p->launched++;
  if (h->options.model != PROGRAM_MODEL_C) {
    polybench_matrix_loop(p, h, l, "syrk_kernel", (const unsigned[]){A, C}, 2);
    return true;
  }
  /* As compiled for the reference's run: the scalars are the first arguments. */
  polybench_matrix(p, h, l, "syrk_kernel", NULL, 0);
  simt_param_f32(l, 0, ALPHA);
  simt_param_f32(l, 1, BETA);
  simt_param(l, 2, p->array[A].addr);
  simt_param(l, 3, p->array[C].addr);
  return true;
}

VECTORIZED static void compute(const polybench_t *p, float *const v[]) {
  size_t n = p->n;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      float c = v[C][i * n + j] * BETA;
      for (size_t k = 0; k < p->trips; k++) c = fmaf(ALPHA * v[A][i * n + k], v[A][j * n + k], c);
      v[C][i * n + j] = c;
    }
}

static int syrk_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute, err);
}

extern const program_t program_syrk;
const program_t program_syrk = {
    .name = "syrk",
    .suite = "polybench",
    .type = "XW",
    .doc = "symmetric rank-k update, 256 x 256",
    .ptx_a = "polybench/syrk.a.ptx",
    .ptx_b = "polybench/syrk.b.ptx",
    .ptx_c = "polybench/syrk.c.ptx",
    .paper_size = 256,
    .state_bytes = sizeof(polybench_t),
    .open = syrk_open,
    .next = syrk_next,
    .progress = polybench_progress,
    .check = syrk_check,
    .takes_cut = true,
    .takes_acc_reload = true,
    .size_min = 1,
    .size_max = 8192,
};
