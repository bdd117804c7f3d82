/* SPDX-License-Identifier: Apache-2.0 */
/* LUD and LUD/U: blocked LU decomposition of a matrix in place, 512 x 512, in blocks of 16 x 16.
 * Each step computes the diagonal block, then the blocks to its right and below it, then the rest
 * of the matrix. */
#include "workload/programs/rodinia/rodinia.h"
#include "base/vectorized.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SIZE = 512,
  B = 16,
  SEED = 1,
  REGS_DIAGONAL = 24,
  REGS_PERIMETER = 28,
  REGS_INTERNAL = 20,
  REGS_UNSHARED = 20
};

typedef struct {
  uint64_t m;
  uint32_t n, steps, launched, launches;
  bool shared;
} lud_t;

/* The diagonal is dominant, so that no pivot comes near zero. */
static void fill(float *m, uint32_t n) {
  program_random_f32(m, (uint64_t)n * n, SEED);
  for (uint32_t i = 0; i < n; i++) m[(uint64_t)i * n + i] += (float)n;
}

static int open_lud(lud_t *s, const program_host_t *h, mrpb_err_t *err) {
  if (rodinia_size(&s->n, h, SIZE, B, err) != 0 ||
      rodinia_steps(&s->steps, h, s->n / B, s->n / B, err) != 0)
    return -1;
  /* The last step has a diagonal block only. */
  s->launches = s->steps == s->n / B ? 3 * s->steps - 2 : 3 * s->steps;
  uint64_t cells = (uint64_t)s->n * s->n;
  if (!(s->m = program_alloc(h, "m", cells, 4, err))) return -1;
  fill(memory_at(h->memory, s->m, cells * 4), s->n);
  return 0;
}

static int lud_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  lud_t *s = state;
  s->shared = true;
  return open_lud(s, h, err);
}

static int lud_u_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  return open_lud(state, h, err);
}

static bool lud_next(void *state, const program_host_t *h, simt_launch_t *l) {
  lud_t *s = state;
  if (s->launched == s->launches) return false;
  uint32_t step = s->launched / 3, phase = s->launched % 3, offset = step * B;
  uint32_t n = s->n / B - 1 - step;
  const rodinia_launch_t shape[3] = {
      {"lud_diagonal", 1, 1, B, 1, s->shared ? REGS_DIAGONAL : REGS_UNSHARED},
      {"lud_perimeter", n, 1, 2 * B, 1, s->shared ? REGS_PERIMETER : REGS_UNSHARED},
      {"lud_internal", n, n, B, B, s->shared ? REGS_INTERNAL : REGS_UNSHARED}};
  rodinia_launch(h, l, &shape[phase], (const uint64_t[]){s->m, s->n, offset}, 3);
  s->launched++;
  return true;
}

static double lud_progress(const void *state, const program_host_t *h) {
  const lud_t *s = state;
  (void)h;
  return (double)s->launched / s->launches;
}

/* ---- the same on the host, sums in the kernels' order ------------------------ */

/* x - a[0] b[0] - a[1] b[pitch] - ... with n products. */
static float reduce(float x, const float *a, const float *b, uint32_t n, uint32_t pitch) {
  for (uint32_t j = 0; j < n; j++) x = fmaf(-a[j], b[(uint64_t)j * pitch], x);
  return x;
}

static void diagonal(float *d, uint32_t pitch) {
  for (uint32_t i = 0; i + 1 < B; i++) {
    for (uint32_t r = i + 1; r < B; r++) {
      float *row = d + (uint64_t)r * pitch;
      row[i] = reduce(row[i], row, d + i, i, pitch) / d[(uint64_t)i * pitch + i];
    }
    float *row = d + (uint64_t)(i + 1) * pitch;
    for (uint32_t c = i + 1; c < B; c++) row[c] = reduce(row[c], row, d + c, i + 1, pitch);
  }
}

/* The block at `right` in the row of the diagonal block `d`, and the block `below` in its
 * column. */
static void perimeter(const float *d, float *right, float *below, uint32_t pitch) {
  for (uint32_t i = 1; i < B; i++)
    for (uint32_t c = 0; c < B; c++) {
      float *x = right + (uint64_t)i * pitch + c;
      *x = reduce(*x, d + (uint64_t)i * pitch, right + c, i, pitch);
    }
  for (uint32_t r = 0; r < B; r++)
    for (uint32_t i = 0; i < B; i++) {
      float *row = below + (uint64_t)r * pitch;
      row[i] = reduce(row[i], row, d + i, i, pitch) / d[(uint64_t)i * pitch + i];
    }
}

/* `offset` is that of the diagonal block; row r and column c of the matrix lie behind it. */
static void internal(float *m, uint32_t n, uint32_t offset, uint32_t r, uint32_t c) {
  float sum = 0;
  for (uint32_t i = 0; i < B; i++)
    sum = fmaf(m[(uint64_t)r * n + offset + i], m[(uint64_t)(offset + i) * n + c], sum);
  m[(uint64_t)r * n + c] -= sum;
}

VECTORIZED static int lud_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  const lud_t *s = state;
  uint32_t n = s->n;
  float *m = malloc((uint64_t)n * n * sizeof *m);
  if (!m) return mrpb_fail(err, "lud: out of memory");
  fill(m, n);
  for (uint32_t step = 0; step < s->steps; step++) {
    uint32_t o = step * B;
    float *d = m + (uint64_t)o * n + o;
    diagonal(d, n);
    for (uint32_t k = B; o + k < n; k += B) perimeter(d, d + k, d + (uint64_t)k * n, n);
    for (uint32_t r = o + B; r < n; r++)
      for (uint32_t c = o + B; c < n; c++) internal(m, n, o, r, c);
  }
  int rc = program_compare_f32(h, "m", s->m, m, (uint64_t)n * n, err);
  free(m);
  return rc;
}

extern const program_t program_lud, program_lud_u;
const program_t program_lud = {
    .name = "lud",
    .suite = "rodinia",
    .type = "",
    .doc = "LU decomposition, 512 x 512, 94 launches",
    .ptx_a = "rodinia/lud.ptx",
    .state_bytes = sizeof(lud_t),
    .open = lud_open,
    .next = lud_next,
    .progress = lud_progress,
    .check = lud_check,
    .takes_steps = true,
    .size_min = B,
    .size_max = 8192,
};
const program_t program_lud_u = {
    .name = "lud-u",
    .suite = "rodinia",
    .type = "",
    .doc = "LU decomposition without shared memory, 512 x 512, 94 launches",
    .ptx_a = "rodinia/lud_u.ptx",
    .state_bytes = sizeof(lud_t),
    .open = lud_u_open,
    .next = lud_next,
    .progress = lud_progress,
    .check = lud_check,
    .takes_steps = true,
    .size_min = B,
    .size_max = 8192,
};
