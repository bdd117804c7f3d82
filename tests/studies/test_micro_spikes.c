/* SPDX-License-Identifier: Apache-2.0 */
/* Spikes of Thread-Latency curves: the variance worked out by hand, curves with and without spikes,
 * noise. */
#include "studies/micro/deduce/spikes.h"
#include "micro_help.h"
#include "prng.h"

#include <check.h>
#include <math.h>

enum { N = IDEAL_POINTS };

typedef struct {
  uint32_t threads[N];
  double latency[N];
} curve_t;

/* A curve that rises by `slope` a point. */
static curve_t ramp(double base, double slope) {
  curve_t c;
  for (unsigned i = 0; i < N; i++) {
    c.threads[i] = 2 * i + 2;
    c.latency[i] = base + slope * i;
  }
  return c;
}

/* `cycles` more for more than `threads`. */
static void add_jump(curve_t *c, uint32_t threads, double cycles) {
  for (unsigned i = 0; i < N; i++)
    if (c->threads[i] > threads) c->latency[i] += cycles;
}

static void add_slope(curve_t *c, uint32_t from, uint32_t to, double slope) {
  for (unsigned i = 0; i < N; i++) {
    uint32_t t = c->threads[i] < to ? c->threads[i] : to;
    if (t > from) c->latency[i] += slope * (t - from) / 2;
  }
}

static void add_noise(curve_t *c, uint64_t seed, uint32_t most) {
  prng_t prng = prng_seed(seed, 0);
  for (unsigned i = 0; i < N; i++) c->latency[i] += prng_below(&prng, 2 * most + 1) - (double)most;
}

static micro_spikes_t find(const curve_t *c) {
  mrpb_err_t err = {{0}};
  micro_spikes_t s;
  ck_assert_msg(micro_spikes_find(&s, c->threads, c->latency, N, NULL, &err) == 0, "%s", err.text);
  return s;
}

static void expect(const curve_t *c, unsigned n, const uint32_t *before) {
  micro_spikes_t s = find(c);
  ck_assert_uint_eq(s.n, n);
  for (unsigned i = 0; i < n; i++) {
    ck_assert_uint_eq(s.spike[i].before, before[i]);
    ck_assert_uint_eq(s.spike[i].after, before[i] + 2);
    if (i) ck_assert(s.spike[i].jump <= s.spike[i - 1].jump);
  }
  micro_spikes_free(&s);
}

/* 0 0 3 of the mean 1: (1 + 1 + 4) / 2. */
START_TEST(variance) {
  double v[5], l[5] = {10, 10, 10, 13, 16};
  micro_variance(l, 5, v);
  ck_assert(v[0] == 0 && v[1] == 0 && v[4] == 0);
  ck_assert_double_eq_tol(v[2], 3, 1e-12);
  ck_assert_double_eq_tol(v[3], 9, 1e-12);
}
END_TEST

/* The shape of the paper's Figure 2. */
static curve_t m2070(void) {
  curve_t c = ramp(600, 0);
  add_slope(&c, 2, 32, 12);
  add_slope(&c, 96, 1024, 4);
  add_jump(&c, 128, 120);
  return c;
}

START_TEST(like_m2070) {
  curve_t c = m2070();
  expect(&c, 1, (const uint32_t[]){128});
  micro_spikes_t s = find(&c);
  ck_assert_double_eq_tol(s.spike[0].jump, 124, 1e-9);
  ck_assert_double_eq_tol(s.median, 16, 1e-9);
  ck_assert_double_eq_tol(s.spike[0].times, s.spike[0].variance / 16, 1e-9);
  ck_assert_double_gt(s.spike[0].times, 300);
  micro_spikes_free(&s);
}
END_TEST

START_TEST(noisy_m2070) {
  for (uint64_t seed = 1; seed <= 50; seed++) {
    curve_t c = m2070();
    add_noise(&c, seed, 4);
    expect(&c, 1, (const uint32_t[]){128});
  }
}
END_TEST

START_TEST(no_spike) {
  curve_t c[6] = {ramp(600, 0), ramp(600, 4), ramp(230, 30),
                  ramp(600, 0), ramp(600, 0), ramp(2300, 0)};
  add_slope(&c[3], 96, 1024, 20); /* the slope changes */
  for (uint32_t t = 32; t < 1024; t += 32) {
    add_jump(&c[4], t, 4);
    add_jump(&c[5], t, 48);
  }
  for (unsigned i = 0; i < 6; i++) expect(&c[i], 0, NULL);
  for (uint64_t seed = 1; seed <= 50; seed++)
    for (unsigned i = 0; i < 6; i++) {
      curve_t noisy = c[i];
      add_noise(&noisy, seed, 9);
      expect(&noisy, 0, NULL);
    }
}
END_TEST

/* One point that lies high is an outlier, not a limit. */
START_TEST(outlier) {
  curve_t c = ramp(600, 2);
  c.latency[200] += 300;
  expect(&c, 0, NULL);
  c.latency[300] -= 300;
  expect(&c, 0, NULL);
}
END_TEST

START_TEST(staircase_with_spike) {
  curve_t c = ramp(600, 0);
  for (uint32_t t = 32; t < 1024; t += 32) add_jump(&c, t, 6);
  add_jump(&c, 704, 90);
  expect(&c, 1, (const uint32_t[]){704});
}
END_TEST

START_TEST(flat_with_spikes) {
  curve_t c = ramp(600, 0);
  add_jump(&c, 400, 90);
  expect(&c, 1, (const uint32_t[]){400});
  micro_spikes_t s = find(&c);
  ck_assert(isinf(s.spike[0].times));
  ck_assert_double_eq_tol(s.spike[0].variance, 2700, 1e-9);
  micro_spikes_free(&s);
  add_jump(&c, 800, 200);
  expect(&c, 2, (const uint32_t[]){800, 400});
}
END_TEST

/* Largest first; the point of saturation is the first large one. */
START_TEST(order) {
  curve_t c = ramp(600, 2);
  add_jump(&c, 100, 40);
  add_jump(&c, 300, 150);
  add_jump(&c, 600, 160);
  expect(&c, 3, (const uint32_t[]){600, 300, 100});
  micro_spikes_t s = find(&c);
  ck_assert_uint_eq(micro_spikes_first(&s)->before, 300);
  micro_spikes_free(&s);
  c = ramp(600, 2);
  s = find(&c);
  ck_assert_ptr_null(micro_spikes_first(&s));
  micro_spikes_free(&s);
}
END_TEST

/* A jump that takes two points is one spike. */
START_TEST(two_steps) {
  curve_t c = ramp(600, 1);
  add_jump(&c, 256, 100);
  add_jump(&c, 258, 60);
  micro_spikes_t s = find(&c);
  ck_assert_uint_eq(s.n, 1);
  ck_assert_uint_eq(s.spike[0].before, 256);
  ck_assert_uint_eq(s.spike[0].after, 258);
  ck_assert_double_eq_tol(s.spike[0].jump, 162, 1e-9);
  micro_spikes_free(&s);
}
END_TEST

/* Tables that fill again and again: every filling is a spike, the first one is the size. */
START_TEST(small_tables) {
  for (uint32_t lines = 32; lines <= 128; lines += 16)
    for (uint32_t loads = 1; loads <= 4; loads++) {
      micro_ideal_t m = {.loads = loads, .lanes = 1, .lines = lines, .gap = 2, .latency = 600};
      curve_t c;
      micro_ideal_curve(&m, c.threads, c.latency);
      micro_spikes_t s = find(&c);
      const micro_spike_t *first = micro_spikes_first(&s);
      ck_assert_msg(first, "%u lines, %u loads: no spike", lines, loads);
      ck_assert_uint_eq(first->before, lines / loads / 2 * 2);
      micro_spikes_free(&s);
    }
}
END_TEST

START_TEST(errors) {
  mrpb_err_t err = {{0}};
  micro_spikes_t s;
  ck_assert_int_eq(
      micro_spikes_find(&s, (const uint32_t[]){2, 4, 4}, (const double[]){1, 2, 3}, 3, NULL, &err),
      -1);
  ck_assert_str_eq(err.text, "Thread-Latency curve: 4 threads after 4; legal: rising");
  ck_assert_int_eq(micro_spikes_find(&s, NULL, NULL, 0, NULL, &err), 0);
  ck_assert_uint_eq(s.n, 0);
  ck_assert_int_eq(
      micro_spikes_find(&s, (const uint32_t[]){2, 4}, (const double[]){1, 200}, 2, NULL, &err), 0);
  ck_assert_uint_eq(s.n, 1);
  micro_spikes_free(&s);
}
END_TEST

Suite *test_micro_spikes_suite(void);

Suite *test_micro_spikes_suite(void) {
  Suite *s = suite_create("micro_spikes");
  TCase *t = tcase_create("spikes"), *h = tcase_create("sizes");
  tcase_set_tags(h, "heavy");
  tcase_add_test(t, variance);
  tcase_add_test(t, like_m2070);
  tcase_add_test(t, noisy_m2070);
  tcase_add_test(t, no_spike);
  tcase_add_test(t, outlier);
  tcase_add_test(t, staircase_with_spike);
  tcase_add_test(t, flat_with_spikes);
  tcase_add_test(t, order);
  tcase_add_test(t, two_steps);
  tcase_add_test(h, small_tables);
  tcase_add_test(t, errors);
  suite_add_tcase(s, t);
  suite_add_tcase(s, h);
  return s;
}
