/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the spikes of a Thread-Latency curve: see spikes.h. */
#include "studies/micro/deduce/spikes.h"
#include "studies/micro/deduce/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 8, SHORT = 4 };
/* Parts: of an excess that stays, of one that is alike, of the highest jump. */
enum { STAYS = 2, ALIKE = 3, HIGH = 2 };

const micro_spikes_rule_t micro_spikes_rule = {2, 0.02, 8, 3, 50, 0.10};

void micro_variance(const double *latency, size_t n, double *variance) {
  for (size_t i = 0; i < n; i++) {
    variance[i] = 0;
    if (i == 0 || i + 1 >= n) continue;
    const double *v = &latency[i - 1], mean = (v[0] + v[1] + v[2]) / 3;
    for (unsigned k = 0; k < 3; k++) variance[i] += (v[k] - mean) * (v[k] - mean) / 2;
  }
}

/* The median of v[from..to), which are at most 2 x WINDOW + 1 values. */
static double window_median(const double *v, size_t from, size_t to) {
  double copy[2 * WINDOW + 1];
  for (size_t i = from; i < to; i++) copy[i - from] = v[i];
  return numbers_median(copy, to - from);
}

/* The steps from point i to point i + 1. */
typedef struct {
  const double *latency;
  const micro_spikes_rule_t *rule;
  size_t n; /* number of steps */
  double *step, *excess, *variance, *scratch;
  bool *is_spike;
  double base, noise;
} curve_t;

static size_t left_of(size_t i) {
  return i < WINDOW ? 0 : i - WINDOW;
}
static size_t right_of(size_t i, size_t n) {
  return i + WINDOW < n ? i + WINDOW : n;
}

static double slope_at(const curve_t *c, size_t i) {
  double before = window_median(c->step, left_of(i), i);
  double after = window_median(c->step, i + 1, right_of(i + 1, c->n));
  return fmax(fmax(before, after), 0);
}

static void measure(curve_t *c) {
  c->base = INFINITY;
  for (size_t i = 0; i <= c->n; i++) c->base = fmin(c->base, c->latency[i]);
  for (size_t i = 0; i < c->n; i++) c->step[i] = c->latency[i + 1] - c->latency[i];
  for (size_t i = 0; i < c->n; i++) {
    c->excess[i] = c->step[i] - slope_at(c, i);
    double usual = window_median(c->step, left_of(i), right_of(i + 1, c->n));
    c->scratch[i] = fabs(c->step[i] - usual);
  }
  c->noise = numbers_median(c->scratch, c->n);
}

/* Whether the rise that the slopes on either side do not explain lasts. */
static bool stays_up(const curve_t *c, size_t i) {
  size_t left = left_of(i + 1), right = right_of(i + 1, c->n + 1);
  double before = window_median(c->latency, left, i + 1);
  double after = window_median(c->latency, i + 1, right);
  double rise = fmax(window_median(c->step, left_of(i), i), 0) * (double)(i - left) / 2;
  double later = fmax(window_median(c->step, i + 1, right_of(i + 1, c->n)), 0);
  double explained = rise + later * (double)(right - i - 2) / 2;
  return after - before - explained >= c->excess[i] / STAYS;
}

static bool is_rare(const curve_t *c, size_t i) {
  size_t like = 0;
  for (size_t k = 0; k < c->n; k++) like += c->excess[k] >= c->excess[i] / ALIKE;
  return like <= SHORT || (double)like * c->rule->rare <= (double)c->n;
}

static bool is_spike(const curve_t *c, size_t i) {
  const micro_spikes_rule_t *r = c->rule;
  double e = c->excess[i], slope = c->step[i] - e;
  return e >= r->cycles && e >= r->share * c->base && e >= r->noise * c->noise &&
         c->step[i] >= r->slope * slope && stays_up(c, i) &&
         (e >= r->round_trip * c->base || is_rare(c, i));
}

static int by_jump(const void *a, const void *b) {
  const micro_spike_t *x = a, *y = b;
  if (x->jump != y->jump) return x->jump < y->jump ? 1 : -1;
  return (x->before > y->before) - (x->before < y->before);
}

/* The median variance of the points that no spike touches. */
static double quiet_median(const curve_t *c) {
  size_t n = 0;
  for (size_t i = 1; i < c->n; i++)
    if (!c->is_spike[i - 1] && !c->is_spike[i] && c->variance[i] > 0)
      c->scratch[n++] = c->variance[i];
  return numbers_median(c->scratch, n);
}

static void collect(micro_spikes_t *out, const curve_t *c, const uint32_t *threads) {
  out->median = quiet_median(c);
  for (size_t i = 0; i < c->n; i++) {
    if (!c->is_spike[i]) continue;
    micro_spike_t *s = &out->spike[out->n++];
    *s = (micro_spike_t){.before = threads[i], .after = threads[i + 1]};
    for (;; i++) {
      s->jump += c->step[i];
      s->variance = fmax(s->variance, fmax(c->variance[i], c->variance[i + 1]));
      if (i + 1 == c->n || !c->is_spike[i + 1]) break;
    }
    s->times = out->median > 0 ? s->variance / out->median : INFINITY;
  }
  qsort(out->spike, out->n, sizeof *out->spike, by_jump);
}

int micro_spikes_find(micro_spikes_t *out, const uint32_t *threads, const double *latency, size_t n,
                      const micro_spikes_rule_t *rule, mrpb_err_t *err) {
  *out = (micro_spikes_t){0};
  for (size_t i = 1; i < n; i++)
    if (threads[i] <= threads[i - 1])
      return mrpb_fail(err, "Thread-Latency curve: %u threads after %u; legal: rising", threads[i],
                       threads[i - 1]);
  if (n < 2) return 0;
  double *space = calloc(4 * n, sizeof *space);
  bool *flag = calloc(n, sizeof *flag);
  out->spike = calloc(n, sizeof *out->spike);
  int r = 0;
  if (!space || !flag || !out->spike) {
    r = mrpb_fail(err, "spikes: out of memory for %zu points", n);
    micro_spikes_free(out);
  } else {
    curve_t c = {latency,
                 rule ? rule : &micro_spikes_rule,
                 n - 1,
                 space,
                 space + n,
                 space + 2 * n,
                 space + 3 * n,
                 flag,
                 0,
                 0};
    micro_variance(latency, n, c.variance);
    measure(&c);
    for (size_t i = 0; i < c.n; i++) flag[i] = is_spike(&c, i);
    collect(out, &c, threads);
  }
  free(space);
  free(flag);
  return r;
}

void micro_spikes_free(micro_spikes_t *s) {
  free(s->spike);
  *s = (micro_spikes_t){0};
}

const micro_spike_t *micro_spikes_first(const micro_spikes_t *s) {
  const micro_spike_t *first = NULL;
  for (size_t i = 0; i < s->n && s->spike[i].jump >= s->spike[0].jump / HIGH; i++)
    if (!first || s->spike[i].before < first->before) first = &s->spike[i];
  return first;
}
