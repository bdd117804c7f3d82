/* SPDX-License-Identifier: Apache-2.0 */
/* Code shared by the PolyBench/GPU programs. */
#include "workload/programs/polybench/polybench.h"
#include "base/vectorized.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void polybench_open(polybench_t *p, const program_host_t *h, uint32_t paper, unsigned launches) {
  p->n = h->options.size ? h->options.size : paper;
  p->trips = program_cut(h, p->n);
  p->launches = launches;
}

int polybench_arrays(polybench_t *p, const program_host_t *h, const polybench_array_t *arrays,
                     unsigned count, mrpb_err_t *err) {
  for (unsigned i = 0; i < count; i++) {
    p->array[i] = arrays[i];
    p->array[i].addr = program_alloc(h, arrays[i].name, arrays[i].n, sizeof(float), err);
    if (!p->array[i].addr) return -1;
  }
  for (unsigned i = 0; i < count; i++) program_fill_f32(h, p->array[i].addr, p->array[i].n, i);
  p->n_arrays = count;
  return 0;
}

/* ---- launches -------------------------------------------------------------- */

static void pointers(const polybench_t *p, simt_launch_t *l, const unsigned *order, unsigned n) {
  for (unsigned i = 0; i < n; i++) simt_param(l, i, p->array[order[i]].addr);
}

/* The loop end of model B's text is in bytes of a row, as in clang's code; that of model A's text
 * is in iterations. The text of model C has neither parameter. */
static void bounds(const polybench_t *p, const program_host_t *h, simt_launch_t *l, unsigned i) {
  if (h->options.model == PROGRAM_MODEL_C) return;
  simt_param(l, i, p->n);
  simt_param(l, i + 1, h->options.model == PROGRAM_MODEL_B ? 4 * p->trips : p->trips);
}

/* The kernel's name, or that of its variant. */
static const char *variant(const program_host_t *h, const char *kernel, char room[64]) {
  snprintf(room, 64, "%s%s", kernel, h->options.acc_reload ? "_reload" : "");
  return room;
}

void polybench_matrix(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                      const char *kernel, const unsigned *order, unsigned n) {
  program_launch(h, l, kernel, (p->n + 31) / 32, (p->n + 7) / 8, 32, 8, POLYBENCH_REGS);
  pointers(p, l, order, n);
}

void polybench_matrix_loop(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                           const char *kernel, const unsigned *order, unsigned n) {
  char name[64];
  polybench_matrix(p, h, l, variant(h, kernel, name), order, n);
  bounds(p, h, l, n);
}

void polybench_vector(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                      const char *kernel, const unsigned *order, unsigned n) {
  program_launch(h, l, kernel, (p->n + 255) / 256, 1, 256, 1, POLYBENCH_REGS);
  pointers(p, l, order, n);
  bounds(p, h, l, n);
}

void polybench_vector_loop(const polybench_t *p, const program_host_t *h, simt_launch_t *l,
                           const char *kernel, const unsigned *order, unsigned n) {
  char name[64];
  polybench_vector(p, h, l, variant(h, kernel, name), order, n);
}

double polybench_progress(const void *state, const program_host_t *h) {
  const polybench_t *p = state;
  (void)h;
  return (double)p->launched / p->launches;
}

/* ---- the check ------------------------------------------------------------- */

/* An input is checked to be unchanged and then read in place; of other arrays the host makes a
 * copy. */
static int host_array(float **v, const program_host_t *h, const polybench_array_t *a, unsigned i,
                      mrpb_err_t *err) {
  if (a->input) {
    *v = memory_at(h->memory, a->addr, a->n * sizeof **v);
    return program_compare_random_f32(h, a->name, a->addr, a->n, i, err);
  }
  *v = malloc(a->n * sizeof **v);
  if (!*v) return mrpb_fail(err, "check of %s: out of memory", a->name);
  program_random_f32(*v, a->n, i);
  return 0;
}

int polybench_check(const polybench_t *p, const program_host_t *h,
                    void (*compute)(const polybench_t *p, float *const v[]), mrpb_err_t *err) {
  float *v[POLYBENCH_ARRAYS] = {NULL};
  const polybench_array_t *a = p->array;
  int rc = 0;
  for (unsigned i = 0; i < p->n_arrays && rc == 0; i++) rc = host_array(&v[i], h, &a[i], i, err);
  if (rc == 0) compute(p, v);
  for (unsigned i = 0; i < p->n_arrays && rc == 0; i++)
    if (!a[i].input) rc = program_compare_f32(h, a[i].name, a[i].addr, v[i], a[i].n, err);
  for (unsigned i = 0; i < p->n_arrays; i++)
    if (!a[i].input) free(v[i]);
  return rc;
}

VECTORIZED void polybench_rows(const polybench_t *p, float *out, const float *a, const float *in) {
  for (size_t i = 0; i < p->n; i++)
    for (size_t j = 0; j < p->trips; j++) out[i] = fmaf(a[i * p->n + j], in[j], out[i]);
}

VECTORIZED void polybench_columns(const polybench_t *p, float *out, const float *a,
                                  const float *in) {
  for (size_t i = 0; i < p->trips; i++)
    for (size_t j = 0; j < p->n; j++) out[j] = fmaf(a[i * p->n + j], in[i], out[j]);
}
