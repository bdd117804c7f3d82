/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by instruction and by array: each lies where it belongs, on any core, and their sums agree. */
#include "parts/profile.h"

#include <check.h>
#include <string.h>

enum { CORES = 3, ARRAYS = 5, BYTES = 96, FIRST = 4096 };

static void arrays_make(arrays_t *a) {
  for (unsigned i = 0; i < ARRAYS; i++) /* with gaps between them */
    ck_assert(arrays_add(a, NULL, FIRST + 128 * i, BYTES));
}

/* At random, in any order of arrays, so that the one found last is often another one. */
START_TEST(in_its_row) {
  arrays_t arrays = {0};
  profile_t *p;
  mrpb_err_t err;
  uint64_t of_pc[8] = {0}, of_array[ARRAYS + 1] = {0}, of_both[8][ARRAYS + 1] = {{0}};
  uint32_t x = 1;
  arrays_make(&arrays);
  ck_assert_int_eq(profile_create(&p, CORES, &arrays, &err), 0);
  for (unsigned i = 0; i < 20000; i++) {
    x = x * 1664525 + 1013904223;
    const uint32_t pc = x >> 29, at = FIRST - 64 + (x >> 16) % (128 * ARRAYS + 64);
    const uint32_t array =
        at >= FIRST && (at - FIRST) % 128 < BYTES ? (at - FIRST) / 128 : (uint32_t)ARRAYS;
    profile_add_at(profile_core(p, i % CORES), 8 * pc, at, PROFILE_LINES, i);
    of_pc[pc] += i;
    of_array[array] += i;
    of_both[pc][array] += i;
  }
  ck_assert_int_eq(profile_sum(p, &err), 0);
  ck_assert_uint_eq(profile_rows(p, PROFILE_BY_PC), 8);
  ck_assert_uint_eq(profile_rows(p, PROFILE_BY_ARRAY), ARRAYS + 1);
  for (unsigned i = 0; i < 8; i++) {
    const profile_row_t *row = profile_row(p, PROFILE_BY_PC, i);
    ck_assert_uint_eq(row->pc, 8 * i);
    ck_assert_uint_eq(row->count[PROFILE_LINES], of_pc[i]);
    size_t n;
    const profile_row_t *part = profile_arrays(p, row->pc, &n);
    ck_assert_uint_eq(n, ARRAYS + 1);
    for (size_t k = 0; k < n; k++) {
      const uint32_t array = part[k].array == PROFILE_NOWHERE ? (uint32_t)ARRAYS : part[k].array;
      ck_assert_uint_eq(part[k].count[PROFILE_LINES], of_both[i][array]);
      ck_assert(k == 0 || part[k].count[PROFILE_LINES] <= part[k - 1].count[PROFILE_LINES]);
    }
  }
  for (unsigned i = 0; i <= ARRAYS; i++) {
    const profile_row_t *row = profile_row(p, PROFILE_BY_ARRAY, i);
    ck_assert_uint_eq(row->array, i < ARRAYS ? i : PROFILE_NOWHERE);
    ck_assert_uint_eq(row->count[PROFILE_LINES], of_array[i]);
  }
  profile_destroy(p);
  arrays_free(&arrays);
}
END_TEST

/* A count without an address is in no array. */
START_TEST(without_address) {
  profile_t *p;
  mrpb_err_t err;
  size_t n;
  ck_assert_int_eq(profile_create(&p, 1, NULL, &err), 0);
  profile_add(profile_core(p, 0), 8, PROFILE_ISSUES, 3);
  profile_add(profile_core(p, 0), PROFILE_NOWHERE, PROFILE_IDLE, 5);
  profile_loaded(profile_core(p, 0), 16, 77, 1000);
  ck_assert_int_eq(profile_sum(p, &err), 0);
  ck_assert_uint_eq(profile_rows(p, PROFILE_BY_PC), 3);
  ck_assert_uint_eq(profile_row(p, PROFILE_BY_PC, 2)->pc, PROFILE_NOWHERE);
  ck_assert_ptr_null(profile_arrays(p, 8, &n));
  ck_assert_uint_eq(n, 0);
  ck_assert_uint_eq(profile_rows(p, PROFILE_BY_ARRAY), 1);
  const profile_row_t *row = profile_row(p, PROFILE_BY_ARRAY, 0);
  ck_assert_uint_eq(row->array, PROFILE_NOWHERE);
  ck_assert_uint_eq(row->count[PROFILE_LATENCY], 1000);
  const uint64_t least = profile_quantile(row, 1);
  ck_assert(least <= 1000 && least > 1000 - 32);
  profile_destroy(p);
}
END_TEST

/* The words that most lanes changed, over all cores. */
START_TEST(words) {
  profile_t *p;
  mrpb_err_t err;
  profile_word_t most[PROFILE_WORDS];
  uint64_t addr[32];
  ck_assert_int_eq(profile_create(&p, CORES, NULL, &err), 0);
  for (unsigned round = 0; round < 60; round++) {
    for (unsigned i = 0; i < 32; i++) addr[i] = 4096 + 4 * (i % (1 + round));
    profile_changes(profile_core(p, round % CORES), 8, addr, 0x0fffffff);
  }
  ck_assert_int_eq(profile_sum(p, &err), 0);
  const profile_row_t *row = profile_row(p, PROFILE_BY_PC, 0);
  ck_assert_uint_eq(profile_words(row, most), PROFILE_WORDS);
  for (unsigned k = 0; k < PROFILE_WORDS; k++) {
    uint32_t lanes = 0;
    for (unsigned round = 0; round < 60; round++)
      for (unsigned i = 0; i < 28; i++) lanes += i % (1 + round) == k;
    ck_assert_uint_eq(most[k].addr, 4096 + 4 * k);
    ck_assert_uint_eq(most[k].lanes, lanes);
  }
  profile_destroy(p);
}
END_TEST

Suite *test_profile_suite(void);

Suite *test_profile_suite(void) {
  Suite *s = suite_create("profile");
  TCase *t = tcase_create("profile");
  tcase_add_test(t, in_its_row);
  tcase_add_test(t, without_address);
  tcase_add_test(t, words);
  suite_add_tcase(s, t);
  return s;
}
