/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the levels and steps of a latency curve: see steps.h. */
#include "studies/micro/deduce/steps.h"
#include "studies/micro/deduce/numbers.h"

#include <math.h>
#include <stdlib.h>

const deduce_steps_rule_t deduce_steps_rule = {0.5, 0.002, 1.25};

typedef struct {
  const double *x, *y;
  size_t n;
  const deduce_steps_rule_t *rule;
  double *scratch;
} curve_t;

static bool is_level(const curve_t *c, double a, double b) {
  return fabs(a - b) <= fmax(c->rule->cycles, c->rule->share * fmin(a, b));
}

/* The last point level with point `first`. Comparing with the first point stops a slow drift. */
static size_t run_end(const curve_t *c, size_t first) {
  size_t i = first;
  while (i + 1 < c->n && is_level(c, c->y[i + 1], c->y[first])) i++;
  return i;
}

/* A single point at either end is not a level unless the curve has only that point. */
static bool is_plateau(const curve_t *c, size_t first, size_t last) {
  if (c->n == 1) return true;
  if (last == first) return false;
  return first == 0 || last + 1 == c->n || c->x[last] >= c->rule->reach * c->x[first];
}

static void add_level(deduce_steps_t *out, const curve_t *c, size_t first, size_t last) {
  deduce_level_t *l = &out->level[out->n++];
  for (size_t i = first; i <= last; i++) c->scratch[i - first] = c->y[i];
  *l = (deduce_level_t){.latency = numbers_median(c->scratch, last - first + 1),
                        .first = c->x[first],
                        .last = c->x[last],
                        .drift = fabs(c->y[last] - c->y[first])};
}

/* Counts the rises between the points `from` and `to`, where one plateau ends and the next
 * begins. */
static void count_steps(deduce_level_t *l, const curve_t *c, size_t from, size_t to) {
  double last = 0;
  size_t n = 0;
  for (size_t i = from; i < to; i++) {
    if (c->y[i + 1] <= c->y[i]) continue;
    if (is_level(c, c->y[i], c->y[i + 1])) {
      l->between += c->y[i + 1] - c->y[i];
      continue;
    }
    if (l->steps++) c->scratch[n++] = c->x[i] - last;
    last = c->x[i];
  }
  l->is_coarse = l->steps > 1 && l->steps == to - from;
  l->width = numbers_median(c->scratch, n);
}

static void find(deduce_steps_t *out, const curve_t *c) {
  size_t end = 0; /* end of the previous plateau */
  for (size_t i = 0; i < c->n;) {
    size_t last = run_end(c, i);
    if (!is_plateau(c, i, last)) {
      i = last + 1;
      continue;
    }
    if (out->n) count_steps(&out->level[out->n - 1], c, end, i);
    add_level(out, c, i, last);
    end = last;
    i = last + 1;
  }
  /* The curve may still climb at its end. */
  if (out->n && end + 1 < c->n) count_steps(&out->level[out->n - 1], c, end, c->n - 1);
}

int deduce_steps(deduce_steps_t *out, const double *footprint, const double *latency, size_t n,
                 const deduce_steps_rule_t *rule, mrpb_err_t *err) {
  *out = (deduce_steps_t){0};
  for (size_t i = 1; i < n; i++)
    if (!(footprint[i] > footprint[i - 1]))
      return mrpb_fail(err, "latency curve: footprint %g after %g; legal: rising", footprint[i],
                       footprint[i - 1]);
  if (n == 0) return 0;
  double *scratch = calloc(n, sizeof *scratch);
  out->level = calloc(n, sizeof *out->level);
  if (!scratch || !out->level) {
    free(scratch);
    deduce_steps_free(out);
    return mrpb_fail(err, "latency curve: out of memory for %zu points", n);
  }
  find(out, &(curve_t){footprint, latency, n, rule ? rule : &deduce_steps_rule, scratch});
  free(scratch);
  return 0;
}

void deduce_steps_free(deduce_steps_t *s) {
  free(s->level);
  *s = (deduce_steps_t){0};
}

static const double exact = 1e-9; /* what rounding leaves of a whole number */

bool deduce_level_whole(const deduce_level_t *l, double line) {
  if (l->steps == 0 || line <= 0) return false;
  double ways = l->last / ((double)l->steps * line);
  return ways >= 1 && fabs(ways - round(ways)) < exact;
}

bool deduce_level_sound(const deduce_level_t *l, double line) {
  return deduce_level_whole(l, line) && (l->steps == 1 || fabs(l->width - line) < exact);
}

enum { DRIFTS = 4, BETWEEN = 2 /* parts of a rise that drift, or smaller steps, stay below */ };

bool deduce_level_clear(const deduce_level_t *l, const deduce_level_t *next) {
  const double rise = next->latency - l->latency;
  return DRIFTS * fmax(l->drift, next->drift) <= rise &&
         BETWEEN * l->between * (double)l->steps <= rise;
}

double deduce_level_ways(const deduce_level_t *l) {
  double line = l->steps == 1 ? 0 : l->width;
  return line > 0 ? l->last / ((double)l->steps * line) : 0;
}
