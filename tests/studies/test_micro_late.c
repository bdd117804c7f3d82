/* SPDX-License-Identifier: Apache-2.0 */
/* Reads that are occasionally late: how many, by how much, and the time of a line that is not
 * late. */
#include "studies/micro/deduce/late.h"

#include <check.h>

enum { LINES = 400, READS = LINES * LATE_WALKS, PRIME = 1009 };

static uint32_t latency[READS], line[LINES];

/* Line i takes 500 + i % 50 cycles. */
static void fill(void) {
  for (uint32_t i = 0; i < READS; i++) latency[i] = 500 + i % LINES % 50;
}

static uint32_t is(uint32_t i) {
  return 500 + i % 50;
}

START_TEST(none) {
  late_t late;
  fill();
  late_find(latency, LINES, line, &late);
  ck_assert_uint_eq(late.most, 0);
  ck_assert_double_eq(late.share, 0);
  for (uint32_t i = 0; i < LINES; i++) ck_assert_uint_eq(line[i], is(i));
}
END_TEST

/* 1 of 10 in no order, by 1 to 360 cycles, each as often. */
START_TEST(some) {
  late_t late;
  fill();
  for (uint32_t i = 0; i < READS / 10; i++) latency[i * PRIME % READS] += 1 + i % 360;
  late_find(latency, LINES, line, &late);
  ck_assert_double_eq_tol(late.share, 0.1, 0.01);
  ck_assert_uint_ge(late.most, 340);
  ck_assert_uint_le(late.most, 380);
  uint32_t right = 0;
  for (uint32_t i = 0; i < LINES; i++) right += line[i] == is(i);
  ck_assert_uint_ge(right, LINES - 2);
}
END_TEST

/* What all reads differ by is no lateness; and one of a thousand that is late by far is not counted. */
START_TEST(noise) {
  late_t late;
  fill();
  for (uint32_t i = 0; i < READS; i++) latency[i] += i * PRIME % READS % 21;
  for (uint32_t i = 0; i < READS / 1000; i++) latency[i * PRIME % READS] += 5000;
  late_find(latency, LINES, line, &late);
  ck_assert_uint_eq(late.most, 0);
  ck_assert_uint_gt(late.seen, 20);
}
END_TEST

/* A few that are later by far do not make the others later. */
START_TEST(outliers) {
  late_t late;
  fill();
  for (uint32_t i = 0; i < READS / 10; i++)
    latency[i * PRIME % READS] += i % 40 == 0 ? 9000 : 1 + i % 360;
  late_find(latency, LINES, line, &late);
  ck_assert_uint_le(late.most, 400);
  ck_assert_double_eq_tol(late.share, 0.1, 0.01);
}
END_TEST

Suite *test_micro_late_suite(void);
Suite *test_micro_late_suite(void) {
  Suite *s = suite_create("micro_late");
  TCase *t = tcase_create("all");
  tcase_add_test(t, none);
  tcase_add_test(t, some);
  tcase_add_test(t, noise);
  tcase_add_test(t, outliers);
  suite_add_tcase(s, t);
  return s;
}
