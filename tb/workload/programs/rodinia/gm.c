/* SPDX-License-Identifier: Apache-2.0 */
/* GM: Rodinia's gaussian elimination without pivoting, 208x208. For each column, one launch
 * computes the multipliers and another subtracts the rows. The back substitution runs on the host
 * and is left out. The diagonal elements are as large as the matrix, so that no pivot comes near
 * zero. */
#include "workload/programs/program.h"
#include "base/vectorized.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 208, BLOCK1 = 512, BLOCK2 = 4, REGS1 = 12, REGS2 = 14 };

typedef struct {
  uint32_t n, steps, launches;
  uint64_t a_m, a_a, a_b;
  float *m, *a, *b; /* the host's copies, eliminated at the first check */
  bool checked;
} state_t;

/* Multiples of 0.1 in [-1, 1]. */
static void fill(float *to, uint64_t n, uint64_t seed) {
  program_random_f32(to, n, seed);
  for (uint64_t i = 0; i < n; i++) to[i] = (floorf(to[i] * 21) - 10) / 10;
}

static int gm_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  state_t *s = state;
  uint32_t n = s->n = h->options.size ? h->options.size : SIZE;
  uint64_t nn = (uint64_t)n * n;
  s->steps = h->options.steps && h->options.steps < n - 1 ? h->options.steps : n - 1;
  s->m = calloc(nn, sizeof *s->m);
  s->a = malloc(nn * sizeof *s->a);
  s->b = malloc(n * sizeof *s->b);
  if (!s->m || !s->a || !s->b) return mrpb_fail(err, "gm: out of memory");
  if (!(s->a_m = program_alloc(h, "m", nn, 4, err)) ||
      !(s->a_a = program_alloc(h, "a", nn, 4, err)) || !(s->a_b = program_alloc(h, "b", n, 4, err)))
    return -1;
  fill(s->a, nn, 1);
  fill(s->b, n, 2);
  for (uint32_t i = 0; i < n; i++) s->a[(uint64_t)i * n + i] = (float)n;
  memcpy(memory_at(h->memory, s->a_a, nn * 4), s->a, nn * 4);
  memcpy(memory_at(h->memory, s->a_b, n * 4), s->b, n * 4);
  return 0;
}

static bool gm_next(void *state, const program_host_t *h, simt_launch_t *l) {
  state_t *s = state;
  uint32_t t = s->launches / 2, blocks2 = (s->n + BLOCK2 - 1) / BLOCK2;
  if (t == s->steps) return false;
  if (s->launches++ % 2 == 0) {
    program_launch(h, l, "Fan1", (s->n + BLOCK1 - 1) / BLOCK1, 1, BLOCK1, 1, REGS1);
    simt_param(l, 0, s->a_m);
    simt_param(l, 1, s->a_a);
    simt_param(l, 2, s->n);
    simt_param(l, 3, t);
  } else {
    program_launch(h, l, "Fan2", blocks2, blocks2, BLOCK2, BLOCK2, REGS2);
    simt_param(l, 0, s->a_m);
    simt_param(l, 1, s->a_a);
    simt_param(l, 2, s->a_b);
    simt_param(l, 3, s->n);
    simt_param(l, 4, t);
  }
  return true;
}

static double gm_progress(const void *state, const program_host_t *h) {
  const state_t *s = state;
  (void)h;
  return s->launches / (2.0 * s->steps);
}

/* One column: computes a multiplier for every row below t, then subtracts that multiple of row
 * t. */
VECTORIZED static void eliminate(state_t *s, uint64_t t) {
  uint64_t n = s->n;
  for (uint64_t r = t + 1; r < n; r++) {
    float m = s->m[r * n + t] = s->a[r * n + t] / s->a[t * n + t];
    for (uint64_t c = t; c < n; c++) s->a[r * n + c] = fmaf(-m, s->a[t * n + c], s->a[r * n + c]);
    s->b[r] = fmaf(-m, s->b[t], s->b[r]);
  }
}

static int gm_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  state_t *s = state;
  uint64_t nn = (uint64_t)s->n * s->n;
  if (s->launches < 2 * s->steps) return mrpb_fail(err, "gm: ended before its last launch");
  for (uint32_t t = 0; t < s->steps && !s->checked; t++) eliminate(s, t);
  s->checked = true;
  if (program_compare_f32(h, "m", s->a_m, s->m, nn, err) < 0) return -1;
  if (program_compare_f32(h, "a", s->a_a, s->a, nn, err) < 0) return -1;
  return program_compare_f32(h, "b", s->a_b, s->b, s->n, err);
}

static void gm_close(void *state) {
  state_t *s = state;
  free(s->m);
  free(s->a);
  free(s->b);
}

const program_t program_gm = {.name = "gm",
                              .suite = "rodinia",
                              .type = "",
                              .doc =
                                  "gaussian elimination, 208x208; --size: rows; --steps: columns",
                              .ptx_a = "rodinia/gm.ptx",
                              .state_bytes = sizeof(state_t),
                              .open = gm_open,
                              .next = gm_next,
                              .progress = gm_progress,
                              .check = gm_check,
                              .close = gm_close,
                              .takes_steps = true,
                              .size_min = 2,
                              .size_max = 4096};
