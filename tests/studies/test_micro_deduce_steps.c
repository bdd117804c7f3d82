/* SPDX-License-Identifier: Apache-2.0 */
/* Levels and steps: curves of repeated walks over LRU caches of known size. */
#include "studies/micro/deduce/steps.h"
#include "prng.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

typedef struct {
  unsigned sets, ways, line;
} level_t;

/* Share of lines that miss when `bytes` are walked: a set with one line too many misses always. */
static double missing(level_t l, unsigned bytes) {
  unsigned lines = (bytes + l.line - 1) / l.line, out = 0;
  for (unsigned s = 0; s < l.sets; s++) {
    unsigned held = lines / l.sets + (s < lines % l.sets);
    if (held > l.ways) out += held;
  }
  return (double)out / lines;
}

typedef struct {
  double x[MOST], y[MOST];
  size_t n;
} curve_t;

/* Footprints from `from` to `to`; latency[i] is that of a hit in level i. */
static void measure(curve_t *c, const level_t *l, unsigned levels, const double *latency,
                    unsigned from, unsigned to, unsigned step) {
  c->n = 0;
  for (unsigned bytes = from; bytes <= to; bytes += step) {
    c->x[c->n] = bytes;
    c->y[c->n] = latency[0];
    for (unsigned i = 0; i < levels; i++)
      c->y[c->n] += missing(l[i], bytes) * (latency[i + 1] - latency[i]);
    c->n++;
  }
}

static deduce_steps_t deduce(const curve_t *c) {
  mrpb_err_t err = {{0}};
  deduce_steps_t s;
  ck_assert_msg(deduce_steps(&s, c->x, c->y, c->n, NULL, &err) == 0, "%s", err.text);
  return s;
}

static void ck_level(const deduce_level_t *l, double latency, double last, size_t steps,
                     double width) {
  ck_assert_double_eq_tol(l->latency, latency, 0.5);
  ck_assert_double_eq_tol(l->last, last, 0.5);
  ck_assert_uint_eq(l->steps, steps);
  ck_assert_double_eq_tol(l->width, width, 1e-9);
}

/* Paper 004, section IV-I: constant caches of 2, 8 and 32 KB. */
START_TEST(constant_caches) {
  static const level_t l[] = {{8, 4, 64}, {8, 4, 256}, {16, 8, 256}};
  static const double latency[] = {56, 129, 268, 524};
  curve_t *c = malloc(sizeof *c);
  measure(c, l, 3, latency, 256, 48 << 10, 64);
  deduce_steps_t s = deduce(c);
  ck_assert_uint_eq(s.n, 4);
  ck_level(&s.level[0], 56, 2048, 8, 64);
  ck_assert(s.level[0].is_coarse);
  ck_level(&s.level[1], 129, 8192, 8, 256);
  ck_level(&s.level[2], 268, 32768, 16, 256);
  ck_level(&s.level[3], 524, 48 << 10, 0, 0);
  ck_assert_double_eq_tol(deduce_level_ways(&s.level[0]), 4, 1e-9);
  ck_assert_double_eq_tol(deduce_level_ways(&s.level[1]), 4, 1e-9);
  ck_assert_double_eq_tol(deduce_level_ways(&s.level[2]), 8, 1e-9);
  deduce_steps_free(&s);
  free(c);
}
END_TEST

/* Figure 12: 16 entries that overflow at once, then 64 in eight sets; one point per page. */
START_TEST(tlbs) {
  static const level_t l[] = {{1, 16, 1}, {8, 8, 1}};
  static const double latency[] = {441, 490, 700};
  curve_t *c = malloc(sizeof *c);
  measure(c, l, 2, latency, 1, 100, 1);
  deduce_steps_t s = deduce(c);
  ck_assert_uint_eq(s.n, 3);
  ck_level(&s.level[0], 441, 16, 1, 0);
  ck_level(&s.level[1], 490, 64, 8, 1);
  ck_assert(s.level[1].is_coarse && !s.level[0].is_coarse);
  ck_level(&s.level[2], 700, 100, 0, 0);
  ck_assert_double_eq_tol(deduce_level_ways(&s.level[1]), 8, 1e-9);
  deduce_steps_free(&s);
  free(c);
}
END_TEST

/* Caches of random shape, with jitter below what counts as level. */
START_TEST(blind) {
  curve_t *c = malloc(sizeof *c);
  for (uint64_t seed = 1; seed <= 200; seed++) {
    prng_t prng = prng_seed(seed, 0);
    level_t l[2];
    double latency[3] = {50 + prng_below(&prng, 100)};
    for (unsigned i = 0; i < 2; i++) {
      l[i] = (level_t){1 + prng_below(&prng, 12), 2 + prng_below(&prng, 7), 64};
      latency[i + 1] = latency[i] + 100 + prng_below(&prng, 200);
    }
    l[1].line = 128; /* at least twice the size, so that there is a plateau */
    while (l[1].sets * l[1].ways < 2 * l[0].sets * l[0].ways) l[1].ways++;
    unsigned first = l[0].sets * l[0].ways * 64, second = l[1].sets * l[1].ways * 128;
    measure(c, l, 2, latency, 32, second * 2, 32);
    for (size_t i = 0; i < c->n; i++) c->y[i] += 0.2 * (prng_below(&prng, 3) - 1.0);
    deduce_steps_t s = deduce(c);
    ck_assert_msg(s.n == 3, "seed %u: %zu levels", (unsigned)seed, s.n);
    ck_level(&s.level[0], latency[0], first, l[0].sets, l[0].sets > 1 ? 64 : 0);
    ck_level(&s.level[1], latency[1], second, l[1].sets, l[1].sets > 1 ? 128 : 0);
    ck_assert_double_eq_tol(s.level[2].latency, latency[2], 0.5);
    ck_assert(!s.level[0].is_coarse && !s.level[1].is_coarse);
    deduce_steps_free(&s);
  }
  free(c);
}
END_TEST

START_TEST(flat_and_short) {
  curve_t c = {.x = {1, 2, 3}, .y = {7, 7, 7}, .n = 3};
  deduce_steps_t s = deduce(&c);
  ck_assert_uint_eq(s.n, 1);
  ck_level(&s.level[0], 7, 3, 0, 0);
  deduce_steps_free(&s);
  c.n = 1;
  s = deduce(&c);
  ck_assert_uint_eq(s.n, 1);
  deduce_steps_free(&s);
  c.n = 0;
  s = deduce(&c);
  ck_assert_uint_eq(s.n, 0);
  mrpb_err_t err = {{0}};
  c.x[1] = 1;
  ck_assert_int_eq(deduce_steps(&s, c.x, c.y, 3, NULL, &err), -1);
  ck_assert_str_eq(err.text, "latency curve: footprint 1 after 1; legal: rising");
}
END_TEST

/* The last plateau is not reached. */
START_TEST(still_climbing) {
  static const level_t l[] = {{8, 4, 64}};
  static const double latency[] = {56, 129};
  curve_t *c = malloc(sizeof *c);
  measure(c, l, 1, latency, 64, 2048 + 256, 32);
  deduce_steps_t s = deduce(c);
  ck_assert_double_eq_tol(s.level[0].last, 2048, 0.5);
  ck_assert_uint_eq(s.level[0].steps, 4);
  deduce_steps_free(&s);
  free(c);
}
END_TEST

Suite *test_micro_deduce_steps_suite(void);

Suite *test_micro_deduce_steps_suite(void) {
  Suite *s = suite_create("micro_deduce_steps");
  TCase *t = tcase_create("steps");
  tcase_add_test(t, constant_caches);
  tcase_add_test(t, tlbs);
  tcase_add_test(t, blind);
  tcase_add_test(t, flat_and_short);
  tcase_add_test(t, still_climbing);
  suite_add_tcase(s, t);
  return s;
}
