/* SPDX-License-Identifier: Apache-2.0 */
/* NW and NW/U: Needleman-Wunsch scores of two sequences of length 2048, penalty 10, in tiles of 16
 * x 16, with one launch per anti-diagonal of tiles. The pitch is 2049. */
#include "workload/programs/rodinia/rodinia.h"

#include <stdlib.h>

enum {
  SIZE = 2048,
  B = 16,
  PENALTY = 10,
  SEED = 2,
  LOW = -4,
  HIGH = 11,
  REGS = 24,
  REGS_UNSHARED = 20
};

typedef struct {
  uint64_t ref, mat;
  uint32_t n, launched, launches;
  bool shared;
} nw_t;

static int open_nw(nw_t *s, const program_host_t *h, mrpb_err_t *err) {
  if (rodinia_size(&s->n, h, SIZE, B, err) != 0) return -1;
  uint32_t most = 2 * s->n / B - 1, pitch = s->n + 1;
  uint64_t cells = (uint64_t)pitch * pitch;
  if (rodinia_steps(&s->launches, h, most, most, err) != 0 ||
      !(s->ref = program_alloc(h, "ref", cells, 4, err)) ||
      !(s->mat = program_alloc(h, "mat", cells, 4, err)))
    return -1;
  rodinia_random_i32(memory_at(h->memory, s->ref, cells * 4), cells, SEED, LOW, HIGH);
  int32_t *mat = memory_at(h->memory, s->mat, cells * 4);
  for (uint32_t i = 1; i < pitch; i++) mat[i] = mat[(uint64_t)i * pitch] = -(int32_t)i * PENALTY;
  return 0;
}

static int nw_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  nw_t *s = state;
  s->shared = true;
  return open_nw(s, h, err);
}

static int nw_u_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  return open_nw(state, h, err);
}

static bool nw_next(void *state, const program_host_t *h, simt_launch_t *l) {
  nw_t *s = state;
  if (s->launched == s->launches) return false;
  uint32_t tiles = s->n / B, k = s->launched++;
  bool first = k < tiles; /* the top left half, including the longest anti-diagonal */
  uint32_t grid = first ? k + 1 : 2 * tiles - 1 - k;
  const char *shared = first ? "needle_cuda_shared_1" : "needle_cuda_shared_2";
  const char *unshared = first ? "needle_cuda_1" : "needle_cuda_2";
  rodinia_launch(h, l,
                 &(rodinia_launch_t){s->shared ? shared : unshared, grid, 1, B, 1,
                                     s->shared ? REGS : REGS_UNSHARED},
                 (const uint64_t[]){s->ref, s->mat, s->n + 1, PENALTY, grid, tiles}, 6);
  return true;
}

static double nw_progress(const void *state, const program_host_t *h) {
  const nw_t *s = state;
  (void)h;
  return (double)s->launched / s->launches;
}

static int32_t larger(int32_t a, int32_t b) {
  return a > b ? a : b;
}

/* Computes the scores of the tiles on the first `launches` anti-diagonals. */
static void compute(int32_t *mat, const int32_t *ref, uint32_t n, uint32_t launches) {
  uint64_t pitch = n + 1;
  for (uint32_t i = 1; i <= n; i++) mat[i] = mat[i * pitch] = -(int32_t)i * PENALTY;
  for (uint32_t r = 1; r <= n; r++)
    for (uint32_t c = 1; c <= n && (r - 1) / B + (c - 1) / B < launches; c++) {
      uint64_t e = r * pitch + c;
      int32_t gap = larger(mat[e - 1], mat[e - pitch]) - PENALTY;
      mat[e] = larger(mat[e - pitch - 1] + ref[e], gap);
    }
}

static int nw_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  const nw_t *s = state;
  uint64_t cells = (uint64_t)(s->n + 1) * (s->n + 1);
  int32_t *want = calloc(cells, sizeof *want), *ref = malloc(cells * sizeof *ref);
  int rc = want && ref ? 0 : mrpb_fail(err, "nw: out of memory");
  if (rc == 0) {
    rodinia_random_i32(ref, cells, SEED, LOW, HIGH);
    compute(want, ref, s->n, s->launches);
    rc = program_compare_i32(h, "mat", s->mat, want, cells, err);
  }
  free(want);
  free(ref);
  return rc;
}

extern const program_t program_nw, program_nw_u;
const program_t program_nw = {
    .name = "nw",
    .suite = "rodinia",
    .type = "",
    .doc = "Needleman-Wunsch scores, 2048 x 2048, 255 launches",
    .ptx_a = "rodinia/nw.ptx",
    .state_bytes = sizeof(nw_t),
    .open = nw_open,
    .next = nw_next,
    .progress = nw_progress,
    .check = nw_check,
    .takes_steps = true,
    .size_min = B,
    .size_max = 8192,
};
const program_t program_nw_u = {
    .name = "nw-u",
    .suite = "rodinia",
    .type = "",
    .doc = "Needleman-Wunsch scores without shared memory, 2048 x 2048, 255 launches",
    .ptx_a = "rodinia/nw_u.ptx",
    .state_bytes = sizeof(nw_t),
    .open = nw_u_open,
    .next = nw_next,
    .progress = nw_progress,
    .check = nw_check,
    .takes_steps = true,
    .size_min = B,
    .size_max = 8192,
};
