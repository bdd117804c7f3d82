/* SPDX-License-Identifier: Apache-2.0 */
/* fdtd of PolyBench/GPU 1.0 (two-dimensional finite differences), at an eighth of its size, as in
 * the paper: 256 x 256, 500 time steps of three launches. --steps: the number of time steps. The
 * rows of ex are one element longer than those of ey and hz. */
#include "workload/programs/polybench/polybench.h"
#include "base/vectorized.h"

#include <math.h>

enum { FICT, EX, EY, HZ, STEPS = 500 };

static int fdtd_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  polybench_t *p = state;
  uint32_t steps = h->options.steps ? h->options.steps : STEPS;
  polybench_open(p, h, 256, 3 * steps);
  uint64_t n = p->n;
  /* with fewer steps fict keeps the paper's size, so that the other arrays do not move */
  const polybench_array_t arrays[] = {
      {.name = "fict", .n = steps > STEPS ? steps : STEPS, .input = true},
      {.name = "ex", .n = n * (n + 1)},
      {.name = "ey", .n = (n + 1) * n},
      {.name = "hz", .n = n * n}};
  return polybench_arrays(p, h, arrays, 4, err);
}

static bool fdtd_next(void *state, const program_host_t *h, simt_launch_t *l) {
  polybench_t *p = state;
  if (p->launched == p->launches) return false;
  unsigned t = p->launched / 3, step = p->launched % 3, i = 3;
  p->launched++;
  if (step == 0) {
    polybench_matrix(p, h, l, "fdtd_step1_kernel", (const unsigned[]){FICT, EX, EY, HZ}, 4);
    i = 4;
  } else {
    polybench_matrix(p, h, l, step == 1 ? "fdtd_step2_kernel" : "fdtd_step3_kernel",
                     (const unsigned[]){EX, EY, HZ}, 3);
  }
  simt_param(l, i, t);
  if (h->options.model == PROGRAM_MODEL_C) return true; /* sizes are constants */
  simt_param(l, i + 1, p->n);
  simt_param(l, i + 2, p->n + 1);
  simt_param(l, i + 3, UINT64_C(4) * p->n);
  return true;
}

VECTORIZED static void step(size_t n, float fict, float *ex, float *ey, float *hz) {
  for (size_t j = 0; j < n; j++) ey[j] = fict;
  for (size_t i = 1; i < n; i++)
    for (size_t j = 0; j < n; j++)
      ey[i * n + j] = fmaf(hz[i * n + j] - hz[(i - 1) * n + j], -0.5f, ey[i * n + j]);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 1; j < n; j++)
      ex[i * (n + 1) + j] = fmaf(hz[i * n + j] - hz[i * n + j - 1], -0.5f, ex[i * (n + 1) + j]);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      const float *x = ex + i * (n + 1) + j, *y = ey + i * n + j;
      hz[i * n + j] = fmaf(x[1] - x[0] + y[n] - y[0], -0.7f, hz[i * n + j]);
    }
}

static void compute(const polybench_t *p, float *const v[]) {
  for (unsigned t = 0; t < p->launches / 3; t++) step(p->n, v[FICT][t], v[EX], v[EY], v[HZ]);
}

static int fdtd_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute, err);
}

extern const program_t program_fdtd;
const program_t program_fdtd = {
    .name = "fdtd",
    .suite = "polybench",
    .type = "CI",
    .doc = "2-D finite differences in time, 256 x 256, 500 steps, 1500 launches",
    .ptx_a = "polybench/fdtd.a.ptx",
    .ptx_b = "polybench/fdtd.b.ptx",
    .ptx_c = "polybench/fdtd.c.ptx",
    .paper_size = 256,
    .state_bytes = sizeof(polybench_t),
    .open = fdtd_open,
    .next = fdtd_next,
    .progress = polybench_progress,
    .check = fdtd_check,
    .takes_steps = true,
    .size_min = 1,
    .size_max = 4096,
};
