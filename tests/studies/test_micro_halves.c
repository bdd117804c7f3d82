/* SPDX-License-Identifier: Apache-2.0 */
/* Memory in two halves, detected from latencies: two halves, one, too few lines in one; the blocks
 * of a half. */
#include "studies/micro/deduce/halves.h"

#include <check.h>

enum { N = 256 };

/* Four lines near, four far, ...: 100 to 107 and 200 to 207. Their medians are 104 and 204; within a
 * half deviations are -4 to 3, of which the middle eight tenths are those from -4 to 3. */
START_TEST(two) {
  uint32_t v[N];
  halves_t h;
  for (uint32_t i = 0; i < N; i++) v[i] = 100 + i / 4 % 2 * 100 + i % 4 * 2 + i / 8 % 2;
  ck_assert_int_eq(halves_find(v, N, &h), 0);
  ck_assert(h.two);
  ck_assert_double_eq(h.near, 104);
  ck_assert_double_eq(h.far, 204);
  ck_assert(h.limit > 107 && h.limit < 200);
  ck_assert_double_eq(h.spread, 7 / 0.8);
  ck_assert_uint_eq(halves_block(&h, v, N), 4);
}
END_TEST

/* Evenly from 100 to 355: a sixth lies in the middle third, so there is one. */
START_TEST(one) {
  uint32_t v[N];
  halves_t h;
  for (uint32_t i = 0; i < N; i++) v[i] = 100 + i * 37 % N;
  ck_assert_int_eq(halves_find(v, N, &h), 0);
  ck_assert(!h.two);
  ck_assert_double_eq_tol(h.spread, 204 / 0.8, 2);
  ck_assert_uint_eq(halves_block(&h, v, N), 0);
}
END_TEST

/* A tenth that is far is no half; nor is what is all alike. */
START_TEST(few) {
  uint32_t v[N];
  halves_t h;
  for (uint32_t i = 0; i < N; i++) v[i] = i % 10 ? 100 : 200;
  ck_assert_int_eq(halves_find(v, N, &h), 0);
  ck_assert(!h.two);
  for (uint32_t i = 0; i < N; i++) v[i] = 100;
  ck_assert_int_eq(halves_find(v, N, &h), 0);
  ck_assert(!h.two);
  ck_assert_double_eq(h.near, 100);
  ck_assert_double_eq(h.spread, 0);
}
END_TEST

/* 15 changes at multiples of 16, two at even lines and two at odd ones: of 19 more than a tenth is odd. */
START_TEST(noisy_block) {
  uint32_t v[N];
  halves_t h;
  for (uint32_t i = 0; i < N; i++) v[i] = i / 16 % 2 ? 200 : 100;
  v[19] = v[53] = 100;
  ck_assert_int_eq(halves_find(v, N, &h), 0);
  ck_assert(h.two);
  ck_assert_uint_eq(halves_block(&h, v, N), 1);
}
END_TEST

/* Blocks of 4 lines, far where bits 0, 1 and 4 of their number are odd together; then a tenth of the blocks at
 * random, which says nothing against it, and blocks that no bits tell. */
START_TEST(bits) {
  enum { BITS = 1 | 2 | 16 };
  uint32_t v[N];
  halves_t h;
  for (uint32_t i = 0; i < N; i++) v[i] = __builtin_parity(i / 4 & BITS) ? 200 : 100;
  ck_assert_int_eq(halves_find(v, N, &h), 0);
  ck_assert_uint_eq(halves_bits(&h, v, N, 4), BITS);
  for (uint32_t i = 20; i < 24; i++) v[i] = 300 - v[i];
  ck_assert_uint_eq(halves_bits(&h, v, N, 4), BITS);
  for (uint32_t i = 0; i < N; i++) v[i] = i / 4 * i / 4 / 3 % 2 ? 200 : 100;
  ck_assert_uint_eq(halves_bits(&h, v, N, 4), 0);
}
END_TEST

/* 152 = 19 x 8 of blocks of 4 lines are 19 of blocks of 32; no bits and odd ones stay. */
START_TEST(canonical) {
  uint32_t block = 4, of = 152;
  halves_canonical(&block, &of);
  ck_assert_uint_eq(block, 32);
  ck_assert_uint_eq(of, 19);
  halves_canonical(&block, &of);
  ck_assert_uint_eq(block, 32);
  of = 0;
  halves_canonical(&block, &of);
  ck_assert_uint_eq(block, 32);
}
END_TEST

Suite *test_micro_halves_suite(void);
Suite *test_micro_halves_suite(void) {
  Suite *s = suite_create("micro_halves");
  TCase *t = tcase_create("all");
  tcase_add_test(t, two);
  tcase_add_test(t, one);
  tcase_add_test(t, few);
  tcase_add_test(t, noisy_block);
  tcase_add_test(t, bits);
  tcase_add_test(t, canonical);
  suite_add_tcase(s, t);
  return s;
}
