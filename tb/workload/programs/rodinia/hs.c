/* SPDX-License-Identifier: Apache-2.0 */
/* HS and HS/U: Rodinia's hotspot, 512x512 cells, two time steps. HS computes both steps in one
 * launch, on tiles with a border that shrinks (pyramid height 2); HS/U has one launch per step. */
#include "workload/programs/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 512, STEPS = 2, TILE = 16, PYRAMID = 2, REGS_HS = 24, REGS_HS_U = 20 };

typedef struct {
  uint32_t n, steps, done; /* done: number of launched steps */
  unsigned in;             /* temp[in] holds the state after them */
  uint64_t a_temp[2], a_power;
  float *temp[2], *power; /* the host's copies, computed at the first check */
  bool checked;
  float cap, rx, ry, rz, step;
} state_t;

/* The chip of the original: 16 x 16 x 0.5 mm of silicon, divided into n x n cells. */
static void constants(state_t *s) {
  const float chip = 0.016f, thickness = 0.0005f, max_power = 3.0e6f, precision = 0.001f;
  const float heat = 1.75e6f, conductivity = 100, factor = 0.5f;
  float cell = chip / (float)s->n;
  s->cap = factor * heat * thickness * cell * cell;
  s->rx = cell / (2 * conductivity * thickness * cell);
  s->ry = s->rx;
  s->rz = thickness / (conductivity * cell * cell);
  s->step = precision / (max_power / (factor * thickness * heat));
}

static int open_of(state_t *s, const program_host_t *h, mrpb_err_t *err) {
  uint64_t nn;
  s->n = h->options.size ? h->options.size : SIZE;
  s->steps = h->options.steps ? h->options.steps : STEPS;
  nn = (uint64_t)s->n * s->n;
  constants(s);
  s->temp[0] = malloc(nn * sizeof *s->temp[0]);
  s->temp[1] = calloc(nn, sizeof *s->temp[1]);
  s->power = malloc(nn * sizeof *s->power);
  if (!s->temp[0] || !s->temp[1] || !s->power) return mrpb_fail(err, "hs: out of memory");
  if (!(s->a_temp[0] = program_alloc(h, "temp0", nn, 4, err)) ||
      !(s->a_temp[1] = program_alloc(h, "temp1", nn, 4, err)) ||
      !(s->a_power = program_alloc(h, "power", nn, 4, err)))
    return -1;
  program_random_f32(s->temp[0], nn, 1);
  program_random_f32(s->power, nn, 2);
  for (uint64_t i = 0; i < nn; i++) s->temp[0][i] = 323 + 20 * s->temp[0][i];
  for (uint64_t i = 0; i < nn; i++) s->power[i] *= 0.02f;
  memcpy(memory_at(h->memory, s->a_temp[0], nn * 4), s->temp[0], nn * 4);
  memcpy(memory_at(h->memory, s->a_power, nn * 4), s->power, nn * 4);
  return 0;
}

static int hs_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  return open_of(state, h, err);
}

static int hs_u_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  if (h->options.size % TILE)
    return mrpb_fail(err, "--size %u: legal are multiples of %d", (unsigned)h->options.size, TILE);
  return open_of(state, h, err);
}

/* Sets power, source, destination, columns and rows from parameter i on; returns the next index. */
static unsigned arrays(const state_t *s, simt_launch_t *l, unsigned i) {
  simt_param(l, i, s->a_power);
  simt_param(l, i + 1, s->a_temp[s->in]);
  simt_param(l, i + 2, s->a_temp[!s->in]);
  simt_param(l, i + 3, s->n);
  simt_param(l, i + 4, s->n);
  return i + 5;
}

static void physics(const state_t *s, simt_launch_t *l, unsigned i) {
  simt_param_f32(l, i, s->cap);
  simt_param_f32(l, i + 1, s->rx);
  simt_param_f32(l, i + 2, s->ry);
  simt_param_f32(l, i + 3, s->rz);
  simt_param_f32(l, i + 4, s->step);
}

/* Number of steps in the next launch; the last launch of HS may have fewer than the pyramid
 * height. */
static uint32_t steps_of_launch(const state_t *s, uint32_t most, uint32_t done) {
  return s->steps - done < most ? s->steps - done : most;
}

static bool hs_next(void *state, const program_host_t *h, simt_launch_t *l) {
  state_t *s = state;
  uint32_t useful = TILE - 2 * PYRAMID, blocks = (s->n + useful - 1) / useful;
  uint32_t steps = steps_of_launch(s, PYRAMID, s->done);
  if (steps == 0) return false;
  program_launch(h, l, "calculate_temp", blocks, blocks, TILE, TILE, REGS_HS);
  simt_param(l, 0, steps);
  unsigned i = arrays(s, l, 1);
  simt_param(l, i, PYRAMID);
  simt_param(l, i + 1, PYRAMID);
  physics(s, l, i + 2);
  simt_param_f32(l, i + 7, 0.001f); /* elapsed time, which the kernel does not read */
  s->done += steps;
  s->in = !s->in;
  return true;
}

static bool hs_u_next(void *state, const program_host_t *h, simt_launch_t *l) {
  state_t *s = state;
  if (s->done == s->steps) return false;
  program_launch(h, l, "calculate_temp", s->n / TILE, s->n / TILE, TILE, TILE, REGS_HS_U);
  physics(s, l, arrays(s, l, 0));
  s->done++;
  s->in = !s->in;
  return true;
}

static double hs_progress(const void *state, const program_host_t *h) {
  const state_t *s = state;
  (void)h;
  return (double)s->done / s->steps;
}

/* One cell, in the same mixture of single and double precision as the kernels; neighbours are
 * clamped. */
static float cell_after(const state_t *s, const float *t, uint32_t y, uint32_t x) {
  uint64_t n = s->n, i = y * n + x;
  float south = t[y == n - 1 ? i : i + n], north = t[y == 0 ? i : i - n];
  float east = t[x == n - 1 ? i : i + 1], west = t[x == 0 ? i : i - 1];
  float up = 1 / s->rz * (80.0f - t[i]), vertical = south + north, horizontal = east + west;
  double c = (double)t[i];
  double sum = fma(fma(c, -2, (double)vertical), (double)(1 / s->ry), (double)s->power[i]);
  sum = fma(fma(c, -2, (double)horizontal), (double)(1 / s->rx), sum) + (double)up;
  return (float)fma(sum, (double)(s->step / s->cap), c);
}

static void step(const state_t *s, const float *from, float *to) {
  for (uint32_t y = 0; y < s->n; y++)
    for (uint32_t x = 0; x < s->n; x++) to[(uint64_t)y * s->n + x] = cell_after(s, from, y, x);
}

/* Applies launches of at most `most` steps each to the host's copies. */
static int simulate(state_t *s, uint32_t most, mrpb_err_t *err) {
  float *spare = malloc((uint64_t)s->n * s->n * sizeof *spare);
  unsigned in = 0;
  if (!spare) return mrpb_fail(err, "hs: out of memory");
  for (uint32_t done = 0, k; done < s->done; done += k, in = !in) {
    k = steps_of_launch(s, most, done);
    if (k == 1) {
      step(s, s->temp[in], s->temp[!in]);
    } else {
      step(s, s->temp[in], spare);
      step(s, spare, s->temp[!in]);
    }
  }
  free(spare);
  return 0;
}

static int check_of(state_t *s, const program_host_t *h, uint32_t most, mrpb_err_t *err) {
  uint64_t nn = (uint64_t)s->n * s->n;
  if (s->done < s->steps) return mrpb_fail(err, "hs: ended before its last launch");
  if (!s->checked && simulate(s, most, err) < 0) return -1;
  s->checked = true;
  if (program_compare_f32(h, "temp0", s->a_temp[0], s->temp[0], nn, err) < 0) return -1;
  return program_compare_f32(h, "temp1", s->a_temp[1], s->temp[1], nn, err);
}

static int hs_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return check_of(state, h, PYRAMID, err);
}

static int hs_u_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  return check_of(state, h, 1, err);
}

static void hs_close(void *state) {
  state_t *s = state;
  free(s->temp[0]);
  free(s->temp[1]);
  free(s->power);
}

const program_t program_hs = {.name = "hs",
                              .suite = "rodinia",
                              .type = "",
                              .doc = "hotspot, 512x512, 2 steps in one launch; --size: rows",
                              .ptx_a = "rodinia/hs.ptx",
                              .state_bytes = sizeof(state_t),
                              .open = hs_open,
                              .next = hs_next,
                              .progress = hs_progress,
                              .check = hs_check,
                              .close = hs_close,
                              .takes_steps = true,
                              .size_min = TILE,
                              .size_max = 4096};

const program_t program_hs_u = {.name = "hs-u",
                                .suite = "rodinia",
                                .type = "",
                                .doc = "hotspot without shared memory; --size: rows",
                                .ptx_a = "rodinia/hs_u.ptx",
                                .state_bytes = sizeof(state_t),
                                .open = hs_u_open,
                                .next = hs_u_next,
                                .progress = hs_progress,
                                .check = hs_u_check,
                                .close = hs_close,
                                .takes_steps = true,
                                .size_min = TILE,
                                .size_max = 4096};
