/* SPDX-License-Identifier: Apache-2.0 */
/* bicg of PolyBench/GPU 1.0, at half its size, as in the paper: s = A^T r and q = A p. */
#include "workload/programs/polybench/polybench.h"

enum { A, R, S, P, Q };

static int bicg_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  polybench_t *p = state;
  polybench_open(p, h, 2048, 2);
  uint64_t n = p->n;
  const polybench_array_t arrays[] = {{.name = "A", .n = n * n, .input = true},
                                      {.name = "r", .n = n, .input = true},
                                      {.name = "s", .n = n},
                                      {.name = "p", .n = n, .input = true},
                                      {.name = "q", .n = n}};
  return polybench_arrays(p, h, arrays, 5, err);
}

static bool bicg_next(void *state, const program_host_t *h, simt_launch_t *l) {
  polybench_t *p = state;
  if (p->launched == p->launches) return false;
  if (p->launched++ == 0)
    polybench_vector_loop(p, h, l, "bicg_kernel1", (const unsigned[]){A, R, S}, 3);
  else
    polybench_vector_loop(p, h, l, "bicg_kernel2", (const unsigned[]){A, P, Q}, 3);
  return true;
}

static void compute(const polybench_t *p, float *const v[]) {
  for (uint32_t i = 0; i < p->n; i++) v[S][i] = v[Q][i] = 0;
  polybench_columns(p, v[S], v[A], v[R]);
  polybench_rows(p, v[Q], v[A], v[P]);
}

static int bicg_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute, err);
}

extern const program_t program_bicg;
const program_t program_bicg = {
    .name = "bicg",
    .suite = "polybench",
    .type = "IW",
    .doc = "the two products of BiCG, 2048 x 2048, 2 launches",
    .ptx_a = "polybench/bicg.a.ptx",
    .ptx_b = "polybench/bicg.b.ptx",
    .ptx_c = "polybench/bicg.c.ptx",
    .paper_size = 2048,
    .state_bytes = sizeof(polybench_t),
    .open = bicg_open,
    .next = bicg_next,
    .progress = polybench_progress,
    .check = bicg_check,
    .takes_cut = true,
    .takes_acc_reload = true,
    .size_min = 1,
    .size_max = 8192,
};
