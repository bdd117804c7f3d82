/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of numbers below 256: against an array of booleans. */
#include "base/set.h"
#include "prng.h"

#include <check.h>

Suite *test_set_suite(void);

static void compare(const set_t *s, const bool in[SET_MEMBERS]) {
  unsigned n = 0, seen = 0;
  for (unsigned i = 0; i < SET_MEMBERS; i++) {
    ck_assert_int_eq(set_has(s, i), in[i]);
    n += in[i];
    unsigned next = i;
    while (next < SET_MEMBERS && !in[next]) next++;
    ck_assert_uint_eq(set_next(s, i), next);
  }
  ck_assert_int_eq(set_empty(s), n == 0);
  unsigned last = 0;
  SET_EACH(i, w, SET_WORDS, s->word[w]) {
    ck_assert(in[i]);
    ck_assert(seen == 0 || i > last);
    last = i;
    seen++;
  }
  ck_assert_uint_eq(seen, n);
}

START_TEST(random_changes) {
  prng_t r = prng_seed(1, 0);
  bool in[SET_MEMBERS] = {false};
  set_t s = {{0}};
  compare(&s, in);
  for (unsigned k = 0; k < 2000; k++) {
    const unsigned i = prng_below(&r, SET_MEMBERS);
    in[i] = prng_below(&r, 3) == 0;
    if (in[i])
      set_add(&s, i);
    else
      set_remove(&s, i);
    if (k % 50 == 0) compare(&s, in);
  }
}
END_TEST

/* The set may change while it is walked: members of the same word are those at its begin. */
START_TEST(changed_in_a_walk) {
  set_t s = {{0}};
  unsigned n = 0;
  for (unsigned i = 0; i < SET_MEMBERS; i += 5) set_add(&s, i);
  SET_EACH(i, w, SET_WORDS, s.word[w]) {
    set_remove(&s, i);
    n++;
  }
  ck_assert_uint_eq(n, 52);
  ck_assert(set_empty(&s));
}
END_TEST

Suite *test_set_suite(void) {
  Suite *suite = suite_create("set");
  TCase *t = tcase_create("all");
  tcase_add_test(t, random_changes);
  tcase_add_test(t, changed_in_a_walk);
  suite_add_tcase(suite, t);
  return suite;
}
