/* SPDX-License-Identifier: Apache-2.0 */
/* mvt of PolyBench/GPU 1.0, at half its size, as in the paper: x1 += A y1 and x2 += A^T y2. */
#include "workload/programs/polybench/polybench.h"

enum { A, X1, X2, Y1, Y2 };

static int mvt_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  polybench_t *p = state;
  polybench_open(p, h, 2048, 2);
  uint64_t n = p->n;
  const polybench_array_t arrays[] = {{.name = "A", .n = n * n, .input = true},
                                      {.name = "x1", .n = n},
                                      {.name = "x2", .n = n},
                                      {.name = "y1", .n = n, .input = true},
                                      {.name = "y2", .n = n, .input = true}};
  return polybench_arrays(p, h, arrays, 5, err);
}

static bool mvt_next(void *state, const program_host_t *h, simt_launch_t *l) {
  polybench_t *p = state;
  if (p->launched == p->launches) return false;
  if (p->launched++ == 0)
    polybench_vector_loop(p, h, l, "mvt_kernel1", (const unsigned[]){A, X1, Y1}, 3);
  else
    polybench_vector_loop(p, h, l, "mvt_kernel2", (const unsigned[]){A, X2, Y2}, 3);
  return true;
}

static void compute(const polybench_t *p, float *const v[]) {
  polybench_rows(p, v[X1], v[A], v[Y1]);
  polybench_columns(p, v[X2], v[A], v[Y2]);
}

static int mvt_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute, err);
}

extern const program_t program_mvt;
const program_t program_mvt = {
    .name = "mvt",
    .suite = "polybench",
    .type = "IW",
    .doc = "matrix and transpose times vectors, 2048 x 2048, 2 launches",
    .ptx_a = "polybench/mvt.a.ptx",
    .ptx_b = "polybench/mvt.b.ptx",
    .ptx_c = "polybench/mvt.c.ptx",
    .paper_size = 2048,
    .state_bytes = sizeof(polybench_t),
    .open = mvt_open,
    .next = mvt_next,
    .progress = polybench_progress,
    .check = mvt_check,
    .takes_cut = true,
    .takes_acc_reload = true,
    .size_min = 1,
    .size_max = 8192,
};
