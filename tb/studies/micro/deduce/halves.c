/* SPDX-License-Identifier: Apache-2.0 */
/* See halves.h. The limit between the halves is the one that leaves the least variance within
 * them (Otsu). The slowest and the quickest twentieth do not count, because an occasional late
 * read is not a half. There are two halves if each has at least a quarter of the latencies and
 * less than a tenth lie in the middle third between the two medians; of evenly spread latencies
 * a sixth would. */
#include "studies/micro/deduce/halves.h"

#include "studies/micro/deduce/numbers.h"

#include <math.h>
#include <stdlib.h>

enum {
  CHANGES = 8, /* fewer changes do not show a block */
  APART = 16,  /* cycles; halves closer together count as one */
  EDGE = 20,   /* parts: the first and the last do not count */
  LEAST = 4,   /* parts: a half has at least one */
  FEW = 10,    /* parts: less than one lies between the halves, changes elsewhere, or is missaid */
};
/* The share of the lines from the first tenth to the last. */
static const double middle_share = 0.8;

/* How many of the sorted values `v` belong to the nearer half. */
static size_t cut(const double *v, size_t n) {
  double all = 0, below = 0, best = -1;
  size_t at = n;
  for (size_t i = 0; i < n; i++) all += v[i];
  for (size_t i = 1; i < n; i++) {
    below += v[i - 1];
    const double apart = below / (double)i - (all - below) / (double)(n - i);
    const double between = (double)i * (double)(n - i) * apart * apart;
    if (v[i] > v[i - 1] && between > best) {
      best = between;
      at = i;
    }
  }
  return at;
}

static bool apart(const halves_t *h, const double *v, size_t n, size_t nearer) {
  const double third = (h->far - h->near) / 3;
  size_t between = 0;
  for (size_t i = 0; i < n; i++) between += v[i] > h->near + third && v[i] < h->far - third;
  return h->far - h->near >= (double)APART && nearer * LEAST >= n && (n - nearer) * LEAST >= n &&
         between * FEW < n;
}

int halves_find(const uint32_t *latency, size_t n, halves_t *h) {
  double *v = malloc(n * sizeof *v);
  if (!v) return -1;
  for (size_t i = 0; i < n; i++) v[i] = latency[i];
  *h = (halves_t){.near = numbers_median(v, n), .limit = INFINITY};
  const double *middle = v + n / EDGE;
  const size_t count = n - 2 * (n / EDGE), nearer = cut(middle, count);
  if (nearer < count) {
    const size_t all = n / EDGE + nearer;
    halves_t two = {.two = true,
                    .near = v[all / 2],
                    .far = v[all + (n - all) / 2],
                    .limit = (middle[nearer - 1] + middle[nearer]) / 2};
    if (apart(&two, middle, count, nearer)) *h = two;
  }
  for (size_t i = 0; i < n; i++) v[i] -= v[i] > h->limit ? h->far : h->near;
  numbers_sort(v, n);
  h->spread = (v[n - 1 - n / FEW] - v[n / FEW]) / middle_share;
  free(v);
  return 0;
}

uint32_t halves_block(const halves_t *h, const uint32_t *latency, size_t n) {
  uint32_t block = 0;
  for (size_t step = 1; h->two && step < n; step *= 2) {
    size_t all = 0, here = 0;
    for (size_t i = 1; i < n; i++) {
      const bool changes = (latency[i] > h->limit) != (latency[i - 1] > h->limit);
      all += changes;
      here += changes && i % step == 0;
    }
    if (all >= CHANGES && here * FEW >= all * (FEW - 1)) block = (uint32_t)step;
  }
  return block;
}

/* Whether most lines of block `b` are in the far half. */
static bool is_far(const halves_t *h, const uint32_t *latency, uint32_t block, size_t b) {
  size_t far = 0;
  for (size_t i = b * block; i < (b + 1) * block; i++) far += latency[i] > h->limit;
  return 2 * far > block;
}

uint32_t halves_bits(const halves_t *h, const uint32_t *latency, size_t n, uint32_t block) {
  const size_t blocks = n / block;
  const bool first = is_far(h, latency, block, 0);
  uint32_t bits = 0;
  size_t said = 0;
  for (size_t bit = 1; bit < blocks; bit *= 2)
    if (is_far(h, latency, block, bit) != first) bits |= (uint32_t)bit;
  for (size_t b = 0; b < blocks; b++)
    said += is_far(h, latency, block, b) == (first != __builtin_parityll(b & bits));
  return said * FEW >= blocks * (FEW - 1) ? bits : 0;
}

void halves_canonical(uint32_t *block, uint32_t *bits) {
  for (; *bits && *bits % 2 == 0; *bits /= 2) *block *= 2;
}
