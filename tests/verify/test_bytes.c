/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a path's memory: which store a written value is of. */
#include "verify/path/bytes.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *test_bytes_suite(void);

static bytes_byte_t *byte_with(bytes_t *b, const uint8_t *stores, unsigned n) {
  memset(b, 0, sizeof *b);
  bytes_start(b, 1, 16);
  bytes_byte_t *k = &bytes_line(b, 0, true)->byte[0];
  for (unsigned i = 0; i < n; i++) bytes_store(b, k, stores[i]);
  return k;
}

/* A written value that several stores have is that of the oldest, also if more are pending than are
 * listed. What memory has is no store's where it may be written again. */
START_TEST(test_equal_values) {
  bytes_t *b = malloc(sizeof *b);
  ck_assert_ptr_nonnull(b);
  uint8_t stores[BYTES_PENDING + 3] = {99};
  for (unsigned i = 1; i < BYTES_PENDING + 2; i++) stores[i] = (uint8_t)i;
  stores[BYTES_PENDING + 2] = 99;
  bytes_byte_t *k = byte_with(b, stores, BYTES_PENDING + 3);
  ck_assert_int_eq(bytes_write(b, k, 99, false), BYTES_OF_STORE);
  ck_assert_int_eq(bytes_write(b, k, 98, false), BYTES_WRONG);
  ck_assert_int_eq(bytes_write(b, k, BYTES_PENDING + 1, false), BYTES_OF_STORE);
  ck_assert_int_eq(bytes_write(b, k, 1, false), BYTES_WRONG);
  ck_assert_int_eq(bytes_write(b, k, 99, false), BYTES_OF_STORE);
  ck_assert_int_eq(b->unwritten, 0);
  for (unsigned rewrite = 0; rewrite < 2; rewrite++) {
    k = byte_with(b, NULL, 0);
    const uint8_t memory = k->memory, other = memory ^ 1;
    k = byte_with(b, (const uint8_t[]){other, memory}, 2);
    ck_assert_int_eq(bytes_write(b, k, memory, rewrite), rewrite ? BYTES_SAME : BYTES_OF_STORE);
    ck_assert_int_eq(bytes_write(b, k, other, rewrite), rewrite ? BYTES_OF_STORE : BYTES_WRONG);
  }
  free(b);
}
END_TEST

Suite *test_bytes_suite(void) {
  Suite *s = suite_create("bytes");
  TCase *tc = tcase_create("bytes");
  tcase_add_test(tc, test_equal_values);
  suite_add_tcase(s, tc);
  return s;
}
