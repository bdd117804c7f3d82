/* SPDX-License-Identifier: Apache-2.0 */
/* SRAD and SRAD/U (srad_v2): speckle reducing anisotropic diffusion of a 1024 x 1024 image, two
 * kernels per iteration, 2 iterations. Between iterations the host computes the speckle scale q0 of
 * a region of interest. */
#include "workload/programs/rodinia/rodinia.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1024, B = 16, ITERATIONS = 2, MOST = 10000, ROI = 128, SEED = 4, REGS = 20 };
#define LAMBDA 0.5f

enum { J, C, E, W, S, N, ARRAYS };
static const char *const names[ARRAYS] = {"J", "C", "E", "W", "S", "N"};

typedef struct {
  uint64_t addr[ARRAYS];
  uint32_t n, iterations, launched;
  float q0;
} srad_t;

static void fill(float *j, uint64_t cells) {
  program_random_f32(j, cells, SEED);
  for (uint64_t i = 0; i < cells; i++) j[i] = expf(j[i]);
}

/* Variance of the region of interest divided by the square of its mean. */
static float speckle_scale(const float *j, uint32_t n) {
  uint32_t side = n < ROI ? n : ROI;
  float sum = 0, squares = 0, count = (float)(side * side);
  for (uint32_t r = 0; r < side; r++)
    for (uint32_t c = 0; c < side; c++) {
      float x = j[(uint64_t)r * n + c];
      sum += x;
      squares += x * x;
    }
  float mean = sum / count;
  return (squares / count - mean * mean) / (mean * mean);
}

static int srad_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  srad_t *s = state;
  if (rodinia_size(&s->n, h, SIZE, B, err) != 0 ||
      rodinia_steps(&s->iterations, h, ITERATIONS, MOST, err) != 0)
    return -1;
  uint64_t cells = (uint64_t)s->n * s->n;
  if (memory_front(h->memory, 4 * (uint64_t)s->n, err) != 0) return -1; /* the row above J */
  for (unsigned i = 0; i < ARRAYS; i++)
    if (!(s->addr[i] = program_alloc(h, names[i], cells, 4, err))) return -1;
  fill(memory_at(h->memory, s->addr[J], cells * 4), cells);
  return 0;
}

static bool srad_next(void *state, const program_host_t *h, simt_launch_t *l) {
  srad_t *s = state;
  if (s->launched == 2 * s->iterations) return false;
  bool first = s->launched++ % 2 == 0;
  if (first)
    s->q0 = speckle_scale(memory_at(h->memory, s->addr[J], (uint64_t)s->n * s->n * 4), s->n);
  rodinia_launch(
      h, l,
      &(rodinia_launch_t){first ? "srad_cuda_1" : "srad_cuda_2", s->n / B, s->n / B, B, B, REGS},
      (const uint64_t[]){s->addr[E], s->addr[W], s->addr[N], s->addr[S], s->addr[J], s->addr[C],
                         s->n, s->n},
      8);
  if (!first) simt_param_f32(l, 8, LAMBDA);
  simt_param_f32(l, first ? 8 : 9, s->q0);
  return true;
}

static double srad_progress(const void *state, const program_host_t *h) {
  const srad_t *s = state;
  (void)h;
  return (double)s->launched / (2 * s->iterations);
}

/* ---- the same on the host, with operations and fused ones in the kernels' order -- */

/* The coefficient from the four derivatives and the pixel itself. */
static float coefficient(float n, float s, float w, float e, float j, float q0) {
  float g2 = fmaf(e, e, fmaf(w, w, fmaf(n, n, s * s))) / (j * j);
  float l = (n + s + w + e) / j;
  float num = (float)fma(g2, 0.5, (double)(l * l) * -0.0625);
  float den = (float)fma(l, 0.25, 1.0);
  float q = num / (den * den);
  den = (q - q0) / ((q0 + 1.0f) * q0);
  float c = (float)(1.0 / ((double)den + 1.0));
  return c < 0 ? 0 : c > 1 ? 1 : c;
}

static void derivatives(float *const v[], uint32_t n, float q0) {
  for (uint64_t r = 0, k = 0; r < n; r++)
    for (uint64_t c = 0; c < n; c++, k++) {
      float j = v[J][k];
      v[N][k] = v[J][r ? k - n : k] - j;
      v[S][k] = v[J][r + 1 < n ? k + n : k] - j;
      v[W][k] = v[J][c ? k - 1 : k] - j;
      v[E][k] = v[J][c + 1 < n ? k + 1 : k] - j;
      v[C][k] = coefficient(v[N][k], v[S][k], v[W][k], v[E][k], j, q0);
    }
}

static void diffuse(float *const v[], uint32_t n) {
  for (uint64_t r = 0, k = 0; r < n; r++)
    for (uint64_t c = 0; c < n; c++, k++) {
      float here = v[C][k], south = v[C][r + 1 < n ? k + n : k], east = v[C][c + 1 < n ? k + 1 : k];
      float d = fmaf(here, v[N][k], south * v[S][k]);
      d = fmaf(east, v[E][k], fmaf(here, v[W][k], d));
      v[J][k] = (float)fma((double)LAMBDA * 0.25, d, v[J][k]);
    }
}

static int srad_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  const srad_t *s = state;
  uint64_t cells = (uint64_t)s->n * s->n;
  float *all = malloc(ARRAYS * cells * sizeof *all), *v[ARRAYS];
  if (!all) return mrpb_fail(err, "srad: out of memory");
  for (unsigned i = 0; i < ARRAYS; i++) v[i] = all + i * cells;
  fill(v[J], cells);
  for (uint32_t i = 0; i < s->iterations; i++) {
    derivatives(v, s->n, speckle_scale(v[J], s->n));
    diffuse(v, s->n);
  }
  int rc = 0;
  for (unsigned i = 0; i < ARRAYS && rc == 0; i++)
    rc = program_compare_f32(h, names[i], s->addr[i], v[i], cells, err);
  free(all);
  return rc;
}

extern const program_t program_srad, program_srad_u;
const program_t program_srad = {
    .name = "srad",
    .suite = "rodinia",
    .type = "",
    .doc = "speckle reducing anisotropic diffusion, 1024 x 1024, 2 iterations of 2 launches",
    .ptx_a = "rodinia/srad.ptx",
    .state_bytes = sizeof(srad_t),
    .open = srad_open,
    .next = srad_next,
    .progress = srad_progress,
    .check = srad_check,
    .takes_steps = true,
    .size_min = 2 * B, /* a tile has at most one border in each direction */
    .size_max = 4096,
};
const program_t program_srad_u = {
    .name = "srad-u",
    .suite = "rodinia",
    .type = "",
    .doc = "SRAD without shared memory, 1024 x 1024, 2 iterations of 2 launches",
    .ptx_a = "rodinia/srad_u.ptx",
    .state_bytes = sizeof(srad_t),
    .open = srad_open,
    .next = srad_next,
    .progress = srad_progress,
    .check = srad_check,
    .takes_steps = true,
    .size_min = 2 * B, /* a tile has at most one border in each direction */
    .size_max = 4096,
};
