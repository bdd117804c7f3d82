/* SPDX-License-Identifier: Apache-2.0 */
/* syr2k of PolyBench/GPU 1.0, at a sixteenth of its size, as in the paper: C = 12435 (A B^T + B
 * A^T) + 4546 C. */
#include "workload/programs/polybench/polybench.h"
#include "base/vectorized.h"

#include <math.h>

enum { A, B, C };

#define ALPHA 12435.0f
#define BETA 4546.0f

static int syr2k_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  polybench_t *p = state;
  polybench_open(p, h, 128, 1);
  uint64_t n = p->n;
  const polybench_array_t arrays[] = {{.name = "A", .n = n * n, .input = true},
                                      {.name = "B", .n = n * n, .input = true},
                                      {.name = "C", .n = n * n}};
  return polybench_arrays(p, h, arrays, 3, err);
}

static bool syr2k_next(void *state, const program_host_t *h, simt_launch_t *l) {
  polybench_t *p = state;
  if (p->launched == p->launches) return false;
  p->launched++;
  polybench_matrix_loop(p, h, l, "syr2k_kernel", (const unsigned[]){A, B, C}, 3);
  return true;
}

VECTORIZED static void compute(const polybench_t *p, float *const v[]) {
  size_t n = p->n;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      const float *ai = v[A] + i * n, *aj = v[A] + j * n, *bi = v[B] + i * n, *bj = v[B] + j * n;
      float c = v[C][i * n + j] * BETA;
      for (size_t k = 0; k < p->trips; k++) c += fmaf(ALPHA * ai[k], bj[k], ALPHA * bi[k] * aj[k]);
      v[C][i * n + j] = c;
    }
}

static int syr2k_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute, err);
}

extern const program_t program_syr2k;
const program_t program_syr2k = {
    .name = "syr2k",
    .suite = "polybench",
    .type = "XW",
    .doc = "symmetric rank-2k update, 128 x 128",
    .ptx_a = "polybench/syr2k.a.ptx",
    .ptx_b = "polybench/syr2k.b.ptx",
    .ptx_c = "polybench/syr2k.c.ptx",
    .paper_size = 128,
    .state_bytes = sizeof(polybench_t),
    .open = syr2k_open,
    .next = syr2k_next,
    .progress = polybench_progress,
    .check = syr2k_check,
    .takes_cut = true,
    .takes_acc_reload = true,
    .size_min = 1,
    .size_max = 8192,
};
