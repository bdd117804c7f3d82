/* SPDX-License-Identifier: Apache-2.0 */
/* See numbers.h. */
#include "studies/micro/deduce/numbers.h"

#include <stdlib.h>

uint64_t numbers_gcd(uint64_t a, uint64_t b) {
  return b ? numbers_gcd(b, a % b) : a;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int by_value32(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

void numbers_sort(double *v, size_t n) {
  if (n) qsort(v, n, sizeof *v, by_value);
}

void numbers_sort32(uint32_t *v, size_t n) {
  if (n) qsort(v, n, sizeof *v, by_value32);
}

double numbers_median(double *v, size_t n) {
  if (n == 0) return 0;
  numbers_sort(v, n);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}
