/* SPDX-License-Identifier: Apache-2.0 */
/* 2mm and 3mm of PolyBench/GPU 1.0, all matrices 512 x 512: two or three launches of one kernel, Z
 * += X Y. */
#include "workload/programs/polybench/polybench.h"
#include "base/vectorized.h"

#include <math.h>

enum { A, B, C, D, E, F, G };

/* The operands X, Y, Z of each launch. */
static const unsigned launches_2mm[][3] = {{A, B, C}, {C, D, E}};
static const unsigned launches_3mm[][3] = {{A, B, E}, {C, D, F}, {E, F, G}};

static int open_matrices(polybench_t *p, const program_host_t *h, unsigned launches, unsigned n,
                         mrpb_err_t *err) {
  static const char *const names[] = {"A", "B", "C", "D", "E", "F", "G"};
  polybench_array_t arrays[POLYBENCH_ARRAYS];
  polybench_open(p, h, 512, launches);
  for (unsigned i = 0; i < n; i++)
    arrays[i] = (polybench_array_t){.name = names[i], .n = (uint64_t)p->n * p->n};
  return polybench_arrays(p, h, arrays, n, err);
}

static int mm2_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  return open_matrices(state, h, 2, 5, err);
}

static int mm3_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  return open_matrices(state, h, 3, 7, err);
}

static bool next(polybench_t *p, const program_host_t *h, simt_launch_t *l,
                 const unsigned launches[][3]) {
  if (p->launched == p->launches) return false;
  polybench_matrix_loop(p, h, l, "mm_kernel", launches[p->launched++], 3);
  return true;
}

static bool mm2_next(void *state, const program_host_t *h, simt_launch_t *l) {
  return next(state, h, l, launches_2mm);
}

static bool mm3_next(void *state, const program_host_t *h, simt_launch_t *l) {
  return next(state, h, l, launches_3mm);
}

VECTORIZED static void multiply(const polybench_t *p, const float *x, const float *y, float *z) {
  size_t n = p->n;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < p->trips; k++)
      for (size_t j = 0; j < n; j++) z[i * n + j] = fmaf(x[i * n + k], y[k * n + j], z[i * n + j]);
}

static void compute_2mm(const polybench_t *p, float *const v[]) {
  for (unsigned i = 0; i < 2; i++)
    multiply(p, v[launches_2mm[i][0]], v[launches_2mm[i][1]], v[launches_2mm[i][2]]);
}

static void compute_3mm(const polybench_t *p, float *const v[]) {
  for (unsigned i = 0; i < 3; i++)
    multiply(p, v[launches_3mm[i][0]], v[launches_3mm[i][1]], v[launches_3mm[i][2]]);
}

static int mm2_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute_2mm, err);
}

static int mm3_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return polybench_check(state, h, compute_3mm, err);
}

extern const program_t program_mm2, program_mm3;
const program_t program_mm2 = {
    .name = "2mm",
    .suite = "polybench",
    .type = "CI",
    .doc = "two matrix multiplies, 512 x 512, 2 launches",
    .ptx_a = "polybench/mm.a.ptx",
    .ptx_b = "polybench/mm.b.ptx",
    .ptx_c = "polybench/mm.c.ptx",
    .paper_size = 512,
    .state_bytes = sizeof(polybench_t),
    .open = mm2_open,
    .next = mm2_next,
    .progress = polybench_progress,
    .check = mm2_check,
    .takes_cut = true,
    .takes_acc_reload = true,
    .size_min = 1,
    .size_max = 8192,
};
const program_t program_mm3 = {
    .name = "3mm",
    .suite = "polybench",
    .type = "CI",
    .doc = "three matrix multiplies, 512 x 512, 3 launches",
    .ptx_a = "polybench/mm.a.ptx",
    .ptx_b = "polybench/mm.b.ptx",
    .ptx_c = "polybench/mm.c.ptx",
    .paper_size = 512,
    .state_bytes = sizeof(polybench_t),
    .open = mm3_open,
    .next = mm3_next,
    .progress = polybench_progress,
    .check = mm3_check,
    .takes_cut = true,
    .takes_acc_reload = true,
    .size_min = 1,
    .size_max = 8192,
};
