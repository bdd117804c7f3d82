/* SPDX-License-Identifier: Apache-2.0 */
/* How long ordered reads wait for those before them. */
#include "studies/micro/deduce/turn.h"

#include <check.h>

/* All alike: nothing. Of two latencies, 0 and 1, the latest of k is 0 once in 2^k: 1/2, 3/4, 7/8, 15/16, of
 * which the mean is 49/64. */
START_TEST(waits) {
  static const uint32_t alike[3] = {7, 7, 7}, two[2] = {0, 1};
  ck_assert_double_eq_tol(turn_wait(alike, 3, 32), 0, 1e-9);
  ck_assert_double_eq(turn_wait(two, 2, 1), 0);
  ck_assert_double_eq_tol(turn_wait(two, 2, 4), 49.0 / 64 - 0.5, 1e-12);
}
END_TEST

/* Evenly from 0 to 999 the latest of k is k / (k + 1) of it. */
START_TEST(evenly) {
  uint32_t v[1000];
  double mean = 0;
  for (uint32_t i = 0; i < 1000; i++) v[i] = i;
  for (unsigned k = 1; k <= 8; k++) mean += 1000.0 * k / (k + 1) / 8;
  ck_assert_double_eq_tol(turn_wait(v, 1000, 8), mean - 500, 2);
}
END_TEST

Suite *test_micro_turn_suite(void);
Suite *test_micro_turn_suite(void) {
  Suite *s = suite_create("micro_turn");
  TCase *t = tcase_create("all");
  tcase_add_test(t, waits);
  tcase_add_test(t, evenly);
  suite_add_tcase(s, t);
  return s;
}
