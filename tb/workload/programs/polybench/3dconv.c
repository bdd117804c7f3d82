/* SPDX-License-Identifier: Apache-2.0 */
/* 3dconv of PolyBench/GPU 1.0, 256 x 256 x 256: B is a stencil of A, without the border, with one
 * launch per plane. --steps: the number of planes. */
#include "workload/programs/polybench/polybench.h"
#include "base/vectorized.h"

#include <inttypes.h>
#include <math.h>

enum { A, B, REGS = 28 };

static int conv3d_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  polybench_t *p = state;
  polybench_open(p, h, 256, 0);
  p->launches = h->options.steps ? h->options.steps : p->n - 2;
  if (p->launches > p->n - 2)
    return mrpb_fail(err, "--steps %u: legal for 3dconv of size %" PRIu32 ": 1 to %" PRIu32,
                     p->launches, p->n, p->n - 2);
  uint64_t n = p->n;
  const polybench_array_t arrays[] = {{.name = "A", .n = n * n * n, .input = true},
                                      {.name = "B", .n = n * n * n}};
  return polybench_arrays(p, h, arrays, 2, err);
}

static bool conv3d_next(void *state, const program_host_t *h, simt_launch_t *l) {
  polybench_t *p = state;
  if (p->launched == p->launches) return false;
  uint32_t i = ++p->launched, plane = p->n * p->n;
  polybench_matrix(p, h, l, "convolution3d_kernel", (const unsigned[]){A, B}, 2);
  l->regs = REGS;
  simt_param(l, 2, i);
  if (h->options.model == PROGRAM_MODEL_C) return true; /* the other sizes are constants */
  simt_param(l, 3, p->n);
  simt_param(l, 4, p->n - 1);
  simt_param(l, 5, i * plane);
  simt_param(l, 6, (i - 1) * plane);
  simt_param(l, 7, UINT64_C(4) * plane);
  simt_param(l, 8, UINT64_C(4) * p->n);
  return true;
}

static float stencil(const float *a, size_t row, size_t plane) {
  const float *below = a - plane, *above = a + plane;
  float s = *(above - row - 1) * 4;
  s = fmaf(*(below - row - 1), 2, s);
  s = fmaf(*(below - row - 1), 5, s);
  s = fmaf(*(above - row - 1), 7, s);
  s = fmaf(*(below - row - 1), -8, s);
  s = fmaf(*(above - row - 1), 10, s);
  s = fmaf(*(a - row), -3, s);
  s = fmaf(*a, 6, s);
  s = fmaf(a[row], -9, s);
  s = fmaf(*(below - row + 1), 2, s);
  s = fmaf(*(above - row + 1), 4, s);
  s = fmaf(below[1], 5, s);
  s = fmaf(above[1], 7, s);
  s = fmaf(below[row + 1], -8, s);
  return fmaf(above[row + 1], 10, s);
}

VECTORIZED static void compute(const polybench_t *p, float *const v[]) {
  size_t n = p->n;
  for (size_t i = 1; i <= p->launches; i++)
    for (size_t j = 1; j + 1 < n; j++)
      for (size_t k = 1; k + 1 < n; k++) {
        size_t at = (i * n + j) * n + k;
        v[B][at] = stencil(v[A] + at, n, n * n);
      }
}

static int conv3d_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute, err);
}

extern const program_t program_conv3d;
const program_t program_conv3d = {
    .name = "3dconv",
    .suite = "polybench",
    .type = "CI",
    .doc = "3-D convolution, 256 x 256 x 256, 254 launches",
    .ptx_a = "polybench/3dconv.a.ptx",
    .ptx_b = "polybench/3dconv.b.ptx",
    .ptx_c = "polybench/3dconv.c.ptx",
    .paper_size = 256,
    .state_bytes = sizeof(polybench_t),
    .open = conv3d_open,
    .next = conv3d_next,
    .progress = polybench_progress,
    .check = conv3d_check,
    .takes_steps = true,
    .size_min = 3,
    .size_max = 512,
};
