/* SPDX-License-Identifier: Apache-2.0 */
/* KMS, kmeans: 204800 points of 34 features in 5 clusters. One launch transposes the points to
 * feature order; then each launch assigns every point to its nearest centre (the paper runs 1 of
 * them, see docs/programs/rodinia.md). Between these the host moves the centres to the mean of
 * their points. */
#include "workload/programs/rodinia/rodinia.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  POINTS = 204800,
  FEATURES = 34,
  CLUSTERS = 5,
  ITERATIONS = 1,
  MOST = 10000,
  BLOCK = 256,
  SEED = 5,
  REGS_INVERT = 14,
  REGS_POINT = 18
};

typedef struct {
  float c[CLUSTERS][FEATURES];
} centres_t;

typedef struct {
  uint64_t flip, feat, membership, clusters; /* flip: point order, feat: feature order */
  uint32_t points, iterations, launched;
  centres_t centres;
} kms_t;

/* Blocks in each dimension of the square grid. */
static uint32_t grid_side(uint32_t points) {
  uint32_t side = 1;
  while (side * side * BLOCK < points) side++;
  return side;
}

static const ptx_variable_t *variable(const program_host_t *h, const char *name, unsigned *index) {
  unsigned i = 0;
  while (strcmp(ptx_variable(h->module, i)->name, name) != 0) i++;
  if (index) *index = i;
  return ptx_variable(h->module, i);
}

static int kms_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  kms_t *s = state;
  if (rodinia_size(&s->points, h, POINTS, 1, err) != 0 ||
      rodinia_steps(&s->iterations, h, ITERATIONS, MOST, err) != 0)
    return -1;
  uint64_t cells = (uint64_t)s->points * FEATURES;
  if (!(s->flip = program_alloc(h, "flip", cells, 4, err))) return -1;
  memory_align(h->memory, MEMORY_TEXTURE);
  if (!(s->feat = program_alloc(h, "feat", cells, 4, err)) ||
      !(s->membership = program_alloc(h, "membership", s->points, 4, err)) ||
      !(s->clusters = program_alloc(h, "clusters", CLUSTERS * FEATURES, 4, err)))
    return -1;
  program_fill_f32(h, s->flip, cells, SEED);
  memset(memory_at(h->memory, s->membership, s->points * UINT64_C(4)), 0xff, s->points * 4u);
  unsigned texture;
  variable(h, "features_tex", &texture);
  ptx_bind(h->module, texture, s->feat);
  return 0;
}

/* The first points are the first centres. */
static void first_centres(centres_t *k, const float *flip) {
  memcpy(k->c, flip, sizeof k->c);
}

/* Moves each centre to the mean of its points; a cluster without points does not move. */
static void move_centres(centres_t *k, const float *flip, const int32_t *membership,
                         uint32_t points) {
  centres_t sum = {{{0}}};
  uint32_t count[CLUSTERS] = {0};
  for (uint32_t p = 0; p < points; p++) {
    int32_t c = membership[p];
    if (c < 0 || c >= CLUSTERS) continue; /* only if its block did not run */
    count[c]++;
    for (unsigned f = 0; f < FEATURES; f++) sum.c[c][f] += flip[(uint64_t)p * FEATURES + f];
  }
  for (unsigned c = 0; c < CLUSTERS; c++)
    for (unsigned f = 0; f < FEATURES && count[c]; f++) k->c[c][f] = sum.c[c][f] / (float)count[c];
}

static bool next_invert(const kms_t *s, const program_host_t *h, simt_launch_t *l) {
  uint32_t side = grid_side(s->points);
  rodinia_launch(h, l, &(rodinia_launch_t){"invert_mapping", side * side, 1, BLOCK, 1, REGS_INVERT},
                 (const uint64_t[]){s->flip, s->feat, s->points, FEATURES}, 4);
  return true;
}

static bool kms_next(void *state, const program_host_t *h, simt_launch_t *l) {
  kms_t *s = state;
  if (s->launched > s->iterations) return false;
  if (s->launched++ == 0) return next_invert(s, h, l);
  const float *flip = memory_at(h->memory, s->flip, (uint64_t)s->points * FEATURES * 4);
  if (s->launched == 2)
    first_centres(&s->centres, flip);
  else
    move_centres(&s->centres, flip, memory_at(h->memory, s->membership, s->points * UINT64_C(4)),
                 s->points);
  memcpy(memory_at(h->memory, s->clusters, sizeof s->centres), s->centres.c, sizeof s->centres);
  memcpy(memory_const(h->memory) + variable(h, "c_clusters", NULL)->address, s->centres.c,
         sizeof s->centres);
  uint32_t side = grid_side(s->points);
  rodinia_launch(h, l, &(rodinia_launch_t){"kmeansPoint", side, side, BLOCK, 1, REGS_POINT},
                 (const uint64_t[]){FEATURES, s->points, CLUSTERS, s->membership}, 4);
  return true;
}

static double kms_progress(const void *state, const program_host_t *h) {
  const kms_t *s = state;
  (void)h;
  return (double)s->launched / (1 + s->iterations);
}

/* ---- the same on the host ---------------------------------------------------- */

static int32_t nearest(const centres_t *k, const float *point) {
  int32_t best = -1;
  float least = FLT_MAX;
  for (int32_t c = 0; c < CLUSTERS; c++) {
    float sum = 0;
    for (unsigned f = 0; f < FEATURES; f++) {
      float d = point[f] - k->c[c][f];
      sum = fmaf(d, d, sum);
    }
    if (sum < least) {
      least = sum;
      best = c;
    }
  }
  return best;
}

static void compute(const kms_t *s, const float *flip, float *feat, int32_t *membership) {
  centres_t k;
  for (uint32_t p = 0; p < s->points; p++)
    for (unsigned f = 0; f < FEATURES; f++)
      feat[(uint64_t)f * s->points + p] = flip[(uint64_t)p * FEATURES + f];
  first_centres(&k, flip);
  for (uint32_t i = 0; i < s->iterations; i++) {
    if (i) move_centres(&k, flip, membership, s->points);
    for (uint32_t p = 0; p < s->points; p++)
      membership[p] = nearest(&k, flip + (uint64_t)p * FEATURES);
  }
}

static int kms_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  const kms_t *s = state;
  uint64_t cells = (uint64_t)s->points * FEATURES;
  float *flip = malloc(cells * sizeof *flip), *feat = malloc(cells * sizeof *feat);
  int32_t *membership = malloc(s->points * sizeof *membership);
  int rc = flip && feat && membership ? 0 : mrpb_fail(err, "kms: out of memory");
  if (rc == 0) {
    program_random_f32(flip, cells, SEED);
    compute(s, flip, feat, membership);
    rc = program_compare_f32(h, "feat", s->feat, feat, cells, err);
  }
  if (rc == 0) rc = program_compare_i32(h, "membership", s->membership, membership, s->points, err);
  free(flip);
  free(feat);
  free(membership);
  return rc;
}

extern const program_t program_kms;
const program_t program_kms = {
    .name = "kms",
    .suite = "rodinia",
    .type = "",
    .doc = "kmeans, 204800 points of 34 features, 5 clusters, 1 + 1 launches",
    .ptx_a = "rodinia/kms.ptx",
    .state_bytes = sizeof(kms_t),
    .open = kms_open,
    .next = kms_next,
    .progress = kms_progress,
    .check = kms_check,
    .takes_steps = true,
    .size_min = CLUSTERS,
    .size_max = 1000000,
};
