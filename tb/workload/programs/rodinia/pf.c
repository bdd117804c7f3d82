/* SPDX-License-Identifier: Apache-2.0 */
/* PF and PF/U, pathfinder: the cheapest path down through 100 rows of 100000 costs. PF computes 20
 * rows per launch, with a halo of 20 columns on either side of a block; PF/U computes one row per
 * launch. */
#include "workload/programs/rodinia/rodinia.h"

#include <stdlib.h>
#include <string.h>

enum {
  COLS = 100000,
  ROWS = 100,
  PYRAMID = 20,
  BLOCK = 256,
  SEED = 3,
  MOST = 9,
  REGS = 16,
  REGS_UNSHARED = 20
};

typedef struct {
  uint64_t res[2], wall; /* wall[t] is row t + 1 of the costs; res[0] begins as row 0 */
  uint32_t cols, launched, launches;
  bool shared;
} pf_t;

/* Row `row` of the costs. */
static void costs(int32_t *to, uint32_t cols, uint32_t row) {
  rodinia_random_i32(to, cols, (uint64_t)SEED * ROWS + row, 0, MOST);
}

static int open_pf(pf_t *s, const program_host_t *h, uint32_t most, mrpb_err_t *err) {
  if (rodinia_size(&s->cols, h, COLS, 1, err) != 0 ||
      rodinia_steps(&s->launches, h, most, most, err) != 0 ||
      !(s->res[0] = program_alloc(h, "res0", s->cols, 4, err)) ||
      !(s->res[1] = program_alloc(h, "res1", s->cols, 4, err)) ||
      !(s->wall = program_alloc(h, "wall", (uint64_t)(ROWS - 1) * s->cols, 4, err)))
    return -1;
  uint64_t bytes = (uint64_t)s->cols * 4;
  costs(memory_at(h->memory, s->res[0], bytes), s->cols, 0);
  for (uint32_t row = 1; row < ROWS; row++)
    costs(memory_at(h->memory, s->wall + (row - 1) * bytes, bytes), s->cols, row);
  return 0;
}

static int pf_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  pf_t *s = state;
  s->shared = true;
  return open_pf(s, h, (ROWS - 1 + PYRAMID - 1) / PYRAMID, err);
}

static int pf_u_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  return open_pf(state, h, ROWS - 1, err);
}

/* Number of rows that launch k of PF computes. */
static uint32_t rows_of(uint32_t k) {
  uint32_t left = ROWS - 1 - k * PYRAMID;
  return left < PYRAMID ? left : PYRAMID;
}

static bool pf_next(void *state, const program_host_t *h, simt_launch_t *l) {
  pf_t *s = state;
  if (s->launched == s->launches) return false;
  uint32_t k = s->launched++, useful = BLOCK - 2 * PYRAMID;
  rodinia_launch(
      h, l,
      &(rodinia_launch_t){"dynproc_kernel", (s->cols + useful - 1) / useful, 1, BLOCK, 1, REGS},
      (const uint64_t[]){rows_of(k), s->wall, s->res[k % 2], s->res[(k + 1) % 2], s->cols, ROWS,
                         k * PYRAMID, PYRAMID},
      8);
  return true;
}

static bool pf_u_next(void *state, const program_host_t *h, simt_launch_t *l) {
  pf_t *s = state;
  if (s->launched == s->launches) return false;
  uint32_t k = s->launched++;
  rodinia_launch(h, l,
                 &(rodinia_launch_t){"dynproc_kernel", (s->cols + BLOCK - 1) / BLOCK, 1, BLOCK, 1,
                                     REGS_UNSHARED},
                 (const uint64_t[]){s->wall, s->res[k % 2], s->res[(k + 1) % 2], s->cols, k}, 5);
  return true;
}

static double pf_progress(const void *state, const program_host_t *h) {
  const pf_t *s = state;
  (void)h;
  return (double)s->launched / s->launches;
}

static int32_t smaller(int32_t a, int32_t b) {
  return a < b ? a : b;
}

static void next_row(int32_t *to, const int32_t *from, const int32_t *cost, uint32_t cols) {
  for (uint32_t x = 0; x < cols; x++) {
    int32_t best = smaller(from[x ? x - 1 : 0], from[x]);
    to[x] = cost[x] + smaller(best, from[x + 1 < cols ? x + 1 : x]);
  }
}

/* Computes res[0] and res[1] after the launches; row and cost have room for one row each. */
static void compute(const pf_t *s, int32_t *const res[2], int32_t *row, int32_t *cost) {
  costs(res[0], s->cols, 0);
  for (uint32_t k = 0, done = 1; k < s->launches; k++) {
    uint32_t n = s->shared ? rows_of(k) : 1;
    int32_t *from = res[k % 2], *to = res[(k + 1) % 2];
    memcpy(row, from, s->cols * sizeof *row);
    for (uint32_t i = 0; i < n; i++) {
      costs(cost, s->cols, done++);
      next_row(to, row, cost, s->cols);
      memcpy(row, to, s->cols * sizeof *row);
    }
  }
}

static int pf_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  const pf_t *s = state;
  uint64_t n = s->cols;
  int32_t *all = calloc(4 * n, sizeof *all);
  if (!all) return mrpb_fail(err, "pf: out of memory");
  compute(s, (int32_t *const[]){all, all + n}, all + 2 * n, all + 3 * n);
  int rc = program_compare_i32(h, "res0", s->res[0], all, n, err);
  if (rc == 0) rc = program_compare_i32(h, "res1", s->res[1], all + n, n, err);
  free(all);
  return rc;
}

extern const program_t program_pf, program_pf_u;
const program_t program_pf = {
    .name = "pf",
    .suite = "rodinia",
    .type = "",
    .doc = "pathfinder, 100000 columns, 100 rows, 5 launches",
    .ptx_a = "rodinia/pf.ptx",
    .state_bytes = sizeof(pf_t),
    .open = pf_open,
    .next = pf_next,
    .progress = pf_progress,
    .check = pf_check,
    .takes_steps = true,
    .size_min = 1,
    .size_max = 1000000,
};
const program_t program_pf_u = {
    .name = "pf-u",
    .suite = "rodinia",
    .type = "",
    .doc = "pathfinder without shared memory, 100000 columns, 100 rows, 99 launches",
    .ptx_a = "rodinia/pf_u.ptx",
    .state_bytes = sizeof(pf_t),
    .open = pf_u_open,
    .next = pf_u_next,
    .progress = pf_progress,
    .check = pf_check,
    .takes_steps = true,
    .size_min = 1,
    .size_max = 1000000,
};
