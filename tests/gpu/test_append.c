/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of a timeline, against snprintf. */
#include "gpu/timeline/append.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>

Suite *test_append_suite(void);

static void compare(uint64_t n) {
  char shown[40] = "", expected[40];
  *append_number(shown, n) = '\0';
  snprintf(expected, sizeof expected, "%" PRIu64, n);
  ck_assert_str_eq(shown, expected);
  *append_hex(shown, n) = '\0';
  snprintf(expected, sizeof expected, "0x%" PRIx64, n);
  ck_assert_str_eq(shown, expected);
}

/* Each length, at both of its ends. */
START_TEST(numbers) {
  for (uint64_t n = 0; n < 20000; n++) compare(n);
  for (unsigned bit = 0; bit < 64; bit++)
    for (uint64_t k = 0; k < 3; k++) compare((UINT64_C(1) << bit) + k - 1);
  for (uint64_t power = 10; power <= UINT64_MAX / 10; power *= 10)
    for (uint64_t k = 0; k < 3; k++) compare(10 * power + k - 1);
  compare(UINT64_MAX);
}
END_TEST

START_TEST(words) {
  static const append_word_t constant = APPEND_WORD("station");
  append_word_t own;
  char shown[3 * APPEND_ROOM];
  append_end(&own, append_number(append_text(own.text, " "), 17));
  char *to = append_word(append_word(shown, &constant), &own);
  *append_text(to, ";") = '\0';
  ck_assert_str_eq(shown, "station 17;");
}
END_TEST

Suite *test_append_suite(void) {
  Suite *s = suite_create("append");
  TCase *t = tcase_create("append");
  tcase_add_test(t, numbers);
  tcase_add_test(t, words);
  suite_add_tcase(s, t);
  return s;
}
