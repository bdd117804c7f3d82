/* SPDX-License-Identifier: Apache-2.0 */
/* gesummv of PolyBench/GPU 1.0, at a quarter of its size, as in the paper: y = 43532 A x + 12313 B
 * x, added to what tmp and y hold. Both accumulators are loaded in every iteration, with or without
 * --acc-reload. */
#include "workload/programs/polybench/polybench.h"

#include <math.h>

enum { A, B, X, Y, TMP };

#define ALPHA 43532.0f
#define BETA 12313.0f

static int gesummv_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  polybench_t *p = state;
  polybench_open(p, h, 1024, 1);
  uint64_t n = p->n;
  const polybench_array_t arrays[] = {{.name = "A", .n = n * n, .input = true},
                                      {.name = "B", .n = n * n, .input = true},
                                      {.name = "x", .n = n, .input = true},
                                      {.name = "y", .n = n},
                                      {.name = "tmp", .n = n}};
  return polybench_arrays(p, h, arrays, 5, err);
}

static bool gesummv_next(void *state, const program_host_t *h, simt_launch_t *l) {
  polybench_t *p = state;
  if (p->launched == p->launches) return false;
  p->launched++;
  polybench_vector(p, h, l, "gesummv_kernel", (const unsigned[]){A, B, X, Y, TMP}, 5);
  return true;
}

static void compute(const polybench_t *p, float *const v[]) {
  polybench_rows(p, v[TMP], v[A], v[X]);
  polybench_rows(p, v[Y], v[B], v[X]);
  for (uint32_t i = 0; i < p->n; i++) v[Y][i] = fmaf(v[TMP][i], ALPHA, v[Y][i] * BETA);
}

static int gesummv_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute, err);
}

extern const program_t program_gesummv;
const program_t program_gesummv = {
    .name = "gesummv",
    .suite = "polybench",
    .type = "IW",
    .doc = "sum of two matrix-vector products, 1024 x 1024",
    .ptx_a = "polybench/gesummv.a.ptx",
    .ptx_b = "polybench/gesummv.b.ptx",
    .ptx_c = "polybench/gesummv.c.ptx",
    .paper_size = 1024,
    .state_bytes = sizeof(polybench_t),
    .open = gesummv_open,
    .next = gesummv_next,
    .progress = polybench_progress,
    .check = gesummv_check,
    .takes_cut = true,
    .takes_acc_reload = true,
    .size_min = 1,
    .size_max = 8192,
};
