/* SPDX-License-Identifier: Apache-2.0 */
/* Maps: against an array of pairs. */
#include "base/keymap.h"
#include "prng.h"

#include <check.h>

Suite *test_keymap_suite(void);

enum { KEYS = 700 };

/* Neighbours, and keys that differ in their high half only. */
static uint64_t key(unsigned i) {
  return i % 3 == 0 ? i : i % 3 == 1 ? (uint64_t)i << 40 : UINT64_MAX - i;
}

static void compare(const keymap_t *m, const uint32_t value[KEYS]) {
  size_t n = 0;
  for (unsigned i = 0; i < KEYS; i++) {
    ck_assert_uint_eq(keymap_get(m, key(i)), value[i]);
    n += value[i] != KEYMAP_NONE;
  }
  ck_assert_uint_eq(m->n, n);
}

START_TEST(random_changes) {
  prng_t r = prng_seed(3, (unsigned)_i);
  uint32_t value[KEYS];
  keymap_t m = {0};
  for (unsigned i = 0; i < KEYS; i++) value[i] = KEYMAP_NONE;
  compare(&m, value);
  for (unsigned k = 0; k < 20000; k++) {
    const unsigned i = prng_below(&r, _i ? KEYS : 90);
    if (prng_below(&r, 2) == 0) {
      value[i] = prng_below(&r, 1000);
      ck_assert(keymap_put(&m, key(i), value[i]));
    } else {
      value[i] = KEYMAP_NONE;
      keymap_remove(&m, key(i));
    }
    if (k % 100 == 0) compare(&m, value);
  }
  compare(&m, value);
  keymap_free(&m);
}
END_TEST

Suite *test_keymap_suite(void) {
  Suite *s = suite_create("keymap");
  TCase *t = tcase_create("keymap");
  tcase_add_loop_test(t, random_changes, 0, 2);
  suite_add_tcase(s, t);
  return s;
}
