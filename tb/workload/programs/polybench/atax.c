/* SPDX-License-Identifier: Apache-2.0 */
/* atax of PolyBench/GPU 1.0, at half its size, as in the paper: y = A^T (A x). */
#include "workload/programs/polybench/polybench.h"

enum { A, X, Y, TMP };

static int atax_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  polybench_t *p = state;
  polybench_open(p, h, 2048, 2);
  uint64_t n = p->n;
  const polybench_array_t arrays[] = {{.name = "A", .n = n * n, .input = true},
                                      {.name = "x", .n = n, .input = true},
                                      {.name = "y", .n = n},
                                      {.name = "tmp", .n = n}};
  return polybench_arrays(p, h, arrays, 4, err);
}

static bool atax_next(void *state, const program_host_t *h, simt_launch_t *l) {
  polybench_t *p = state;
  if (p->launched == p->launches) return false;
  if (p->launched++ == 0)
    polybench_vector_loop(p, h, l, "atax_kernel1", (const unsigned[]){A, X, TMP}, 3);
  else
    polybench_vector_loop(p, h, l, "atax_kernel2", (const unsigned[]){A, Y, TMP}, 3);
  return true;
}

static void compute(const polybench_t *p, float *const v[]) {
  polybench_rows(p, v[TMP], v[A], v[X]);
  polybench_columns(p, v[Y], v[A], v[TMP]);
}

static int atax_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute, err);
}

extern const program_t program_atax;
const program_t program_atax = {
    .name = "atax",
    .suite = "polybench",
    .type = "IW",
    .doc = "matrix transpose and vector multiply, 2048 x 2048, 2 launches",
    .ptx_a = "polybench/atax.a.ptx",
    .ptx_b = "polybench/atax.b.ptx",
    .ptx_c = "polybench/atax.c.ptx",
    .paper_size = 2048,
    .state_bytes = sizeof(polybench_t),
    .open = atax_open,
    .next = atax_next,
    .progress = polybench_progress,
    .check = atax_check,
    .takes_cut = true,
    .takes_acc_reload = true,
    .size_min = 1,
    .size_max = 8192,
};
