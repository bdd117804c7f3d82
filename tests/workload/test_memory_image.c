/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/simt/memory.h"

#include <check.h>
#include <string.h>

static memory_t *open_memory(void) {
  memory_t *m = NULL;
  mrpb_err_t err = {{0}};
  ck_assert_msg(memory_create(&m, &err) == 0, "%s", err.text);
  return m;
}

START_TEST(granules) {
  memory_t *m = open_memory();
  ck_assert_uint_eq(memory_end(m), MEMORY_BASE);
  ck_assert_uint_eq(memory_alloc(m, 1, NULL), MEMORY_BASE);
  ck_assert_uint_eq(memory_end(m), MEMORY_BASE + 1);
  ck_assert_uint_eq(memory_alloc(m, 256, NULL), MEMORY_BASE + 256);
  ck_assert_uint_eq(memory_alloc(m, 257, NULL), MEMORY_BASE + 512);
  ck_assert_uint_eq(memory_alloc(m, 4, NULL), MEMORY_BASE + 1024);
  ck_assert_uint_eq(memory_end(m), MEMORY_BASE + 1028);
  memory_destroy(m);
}
END_TEST

START_TEST(pointers) {
  memory_t *m = open_memory();
  uint64_t a = memory_alloc(m, 1000, NULL);
  uint8_t *p = memory_at(m, a, 1000);
  ck_assert_ptr_nonnull(p);
  for (unsigned i = 0; i < 1000; i++) ck_assert_uint_eq(p[i], 0);
  p[999] = 5;
  for (unsigned i = 0; i < 100; i++) ck_assert_uint_ne(memory_alloc(m, 1 << 20, NULL), 0);
  ck_assert_ptr_eq(memory_at(m, a, 1000), p);
  ck_assert_uint_eq(memory_bias(m)[a + 999], 5);
  ck_assert_ptr_null(memory_at(m, a - 1, 1));
  ck_assert_ptr_null(memory_at(m, memory_end(m), 1));
  ck_assert_ptr_null(memory_at(m, memory_end(m) - 4, 5));
  ck_assert_ptr_null(memory_at(m, a, UINT64_MAX));
  memory_destroy(m);
}
END_TEST

/* Bytes before the first allocation move nothing. */
START_TEST(front) {
  memory_t *m = open_memory();
  mrpb_err_t err = {{0}};
  ck_assert_uint_eq(memory_begin(m), MEMORY_BASE);
  ck_assert_int_eq(memory_front(m, 65537, &err), -1);
  ck_assert_str_eq(err.text, "global memory: 65537 bytes in front requested; legal: 0 to 65536");
  ck_assert_int_eq(memory_front(m, 65536, NULL), 0);
  ck_assert_uint_eq(memory_begin(m), 0x7fff0000);
  ck_assert_uint_eq(memory_alloc(m, 4, NULL), MEMORY_BASE);
  const uint8_t *p = memory_at(m, 0x7fff0000, 65540);
  ck_assert_ptr_nonnull(p);
  for (unsigned i = 0; i < 65540; i++) ck_assert_uint_eq(p[i], 0);
  ck_assert_ptr_null(memory_at(m, 0x7ffeffff, 1));
  memory_destroy(m);
}
END_TEST

START_TEST(aligned) {
  memory_t *m = open_memory();
  memory_align(m, 512);
  ck_assert_uint_eq(memory_alloc(m, 1, NULL), MEMORY_BASE);
  memory_align(m, 512);
  ck_assert_uint_eq(memory_alloc(m, 512, NULL), MEMORY_BASE + 512);
  memory_align(m, 512);
  ck_assert_uint_eq(memory_alloc(m, 1, NULL), MEMORY_BASE + 1024);
  ck_assert_uint_eq(memory_alloc(m, MEMORY_CAPACITY - 1280, NULL), MEMORY_BASE + 1280);
  memory_align(m, 512);
  ck_assert_uint_eq(memory_alloc(m, 1, NULL), 0);
  memory_destroy(m);
}
END_TEST

START_TEST(limits) {
  memory_t *m = open_memory();
  mrpb_err_t err = {{0}};
  ck_assert_uint_eq(memory_alloc(m, 0, &err), 0);
  ck_assert_ptr_nonnull(strstr(err.text, "0 bytes requested; legal: 1 to the 1073741824 left"));
  ck_assert_uint_ne(memory_alloc(m, MEMORY_CAPACITY - 256, NULL), 0);
  ck_assert_uint_eq(memory_alloc(m, 257, NULL), 0);
  ck_assert_uint_ne(memory_alloc(m, 256, NULL), 0);
  err.text[0] = '\0';
  ck_assert_uint_eq(memory_alloc(m, 1, &err), 0);
  ck_assert_ptr_nonnull(strstr(err.text, "legal: 1 to the 0 left"));
  memory_destroy(m);
}
END_TEST

START_TEST(constants) {
  memory_t *m = open_memory();
  uint8_t *c = memory_const(m);
  c[0] = 1;
  c[MEMORY_CONST - 1] = 2;
  ck_assert_ptr_eq(memory_const(m), c);
  memory_destroy(m);
  memory_destroy(NULL);
}
END_TEST

Suite *test_memory_image_suite(void);

Suite *test_memory_image_suite(void) {
  Suite *s = suite_create("memory_image");
  TCase *t = tcase_create("memory_image");
  tcase_add_test(t, granules);
  tcase_add_test(t, pointers);
  tcase_add_test(t, front);
  tcase_add_test(t, aligned);
  tcase_add_test(t, limits);
  tcase_add_test(t, constants);
  suite_add_tcase(s, t);
  return s;
}
