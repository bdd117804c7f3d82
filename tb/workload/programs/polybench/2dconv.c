/* SPDX-License-Identifier: Apache-2.0 */
/* 2dconv of PolyBench/GPU 1.0, 4096 x 4096: B is a 3 x 3 stencil of A, without the border. */
#include "workload/programs/polybench/polybench.h"
#include "base/vectorized.h"

#include <math.h>

enum { A, B };

static int conv2d_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  polybench_t *p = state;
  polybench_open(p, h, 4096, 1);
  uint64_t n = p->n;
  const polybench_array_t arrays[] = {{.name = "A", .n = n * n, .input = true},
                                      {.name = "B", .n = n * n}};
  return polybench_arrays(p, h, arrays, 2, err);
}

static bool conv2d_next(void *state, const program_host_t *h, simt_launch_t *l) {
  polybench_t *p = state;
  if (p->launched == p->launches) return false;
  p->launched++;
  polybench_matrix(p, h, l, "convolution2d_kernel", (const unsigned[]){A, B}, 2);
  if (h->options.model == PROGRAM_MODEL_C) return true; /* sizes are constants */
  simt_param(l, 2, p->n);
  simt_param(l, 3, p->n - 2);
  simt_param(l, 4, UINT64_C(4) * p->n);
  return true;
}

VECTORIZED static void compute(const polybench_t *p, float *const v[]) {
  size_t n = p->n;
  for (size_t i = 1; i + 1 < n; i++)
    for (size_t j = 1; j + 1 < n; j++) {
      const float *up = v[A] + (i - 1) * n + j, *at = up + n, *down = at + n;
      float s = up[0] * -0.3f;
      s = fmaf(up[-1], 0.2f, s);
      s = fmaf(up[1], 0.4f, s);
      s = fmaf(at[-1], 0.5f, s);
      s = fmaf(at[0], 0.6f, s);
      s = fmaf(at[1], 0.7f, s);
      s = fmaf(down[-1], -0.8f, s);
      s = fmaf(down[0], -0.9f, s);
      v[B][i * n + j] = fmaf(down[1], 0.1f, s);
    }
}

static int conv2d_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute, err);
}

extern const program_t program_conv2d;
const program_t program_conv2d = {
    .name = "2dconv",
    .suite = "polybench",
    .type = "CI",
    .doc = "2-D convolution, 4096 x 4096",
    .ptx_a = "polybench/2dconv.a.ptx",
    .ptx_b = "polybench/2dconv.b.ptx",
    .ptx_c = "polybench/2dconv.c.ptx",
    .paper_size = 4096,
    .state_bytes = sizeof(polybench_t),
    .open = conv2d_open,
    .next = conv2d_next,
    .progress = polybench_progress,
    .check = conv2d_check,
    .size_min = 3,
    .size_max = 8192,
};
