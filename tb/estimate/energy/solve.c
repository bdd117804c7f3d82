/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/energy/solve.h"

#include <math.h>
#include <string.h>

/* A pivot below this part of its column's largest count says nothing about the term. */
static const double least = 1e-6;

typedef struct {
  unsigned n;
  double a[ENERGY_TERMS][ENERGY_TERMS + 1];
} system_t;

static void swap_rows(system_t *s, unsigned i, unsigned k) {
  double row[ENERGY_TERMS + 1];
  memcpy(row, s->a[i], sizeof row);
  memcpy(s->a[i], s->a[k], sizeof row);
  memcpy(s->a[k], row, sizeof row);
}

/* Brings the largest entry of column `c` to row `c`, and returns its magnitude. */
static double pivot(system_t *s, unsigned c) {
  unsigned best = c;
  for (unsigned r = c + 1; r < s->n; r++)
    if (fabs(s->a[r][c]) > fabs(s->a[best][c])) best = r;
  if (best != c) swap_rows(s, best, c);
  return fabs(s->a[c][c]);
}

static void eliminate(system_t *s, unsigned c) {
  for (unsigned r = 0; r < s->n; r++) {
    const double by = s->a[r][c] / s->a[c][c];
    for (unsigned k = c; k <= s->n && r != c; k++) s->a[r][k] -= by * s->a[c][k];
  }
}

int energy_solve(unsigned n, double times[ENERGY_TERMS][ENERGY_TERMS],
                 const double sum[ENERGY_TERMS], const char *const name[ENERGY_TERMS],
                 double value[ENERGY_TERMS], mrpb_err_t *err) {
  system_t s = {.n = n};
  double most[ENERGY_TERMS] = {0};
  for (unsigned r = 0; r < n; r++) {
    for (unsigned c = 0; c < n; c++) {
      s.a[r][c] = times[r][c];
      if (fabs(times[r][c]) > most[c]) most[c] = fabs(times[r][c]);
    }
    s.a[r][n] = sum[r];
  }
  for (unsigned c = 0; c < n; c++) {
    if (pivot(&s, c) <= least * most[c])
      return mrpb_fail(err, "energy: no scene tells \"%s\" from the other events", name[c]);
    eliminate(&s, c);
  }
  for (unsigned c = 0; c < n; c++) value[c] = s.a[c][n] / s.a[c][c];
  return 0;
}
