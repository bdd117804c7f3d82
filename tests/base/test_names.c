/* SPDX-License-Identifier: Apache-2.0 */
/* Which known name a mistyped name is close to; distant names are not offered. */
#include "base/names.h"

#include <check.h>

Suite *test_names_suite(void);

START_TEST(distances) {
  static const struct {
    const char *a, *b;
    unsigned d;
  } c[] = {
      {"", "", 0},
      {"mshr", "MSHR", 0},
      {"mshr", "msr", 1},
      {"WIDHT", "WIDTH", 1},
      {"ENTRY", "ENTRIES", 3},
      {"ab", "ba", 1},
      {"abc", "ca", 3},
      {"ouput", "out", 2},
      {"take", "take_i", 2},
      {"kitten", "sitting", 3},
  };
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    ck_assert_uint_eq(names_distance(c[i].a, c[i].b), c[i].d);
    ck_assert_uint_eq(names_distance(c[i].b, c[i].a), c[i].d);
  }
}
END_TEST

static const char *nearest(names_near_t *n, const char *asked) {
  static const char *const known[] = {"mrpb",      "mshr",        "prt",
                                      "fifo_bank", "order_check", "L1D_WAYS"};
  *n = names_near(asked);
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) names_offer(n, known[i]);
  return n->text;
}

START_TEST(near_ones_only) {
  static const struct {
    const char *asked, *text;
  } c[] = {
      {"mrbp", "; nearest: mrpb"},
      {"pr", "; nearest: prt"},
      {"fifobank", "; nearest: fifo_bank"},
      {"ordercheck", "; nearest: order_check"},
      {"l1d_wais", "; nearest: L1D_WAYS"},
      {"ENTRIES=5", ""},
      {"x", ""},
      {"", ""},
      {"cache", ""},
      {"bank", ""},
      {"mshr_table", ""},
  };
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    names_near_t n;
    ck_assert_str_eq(nearest(&n, c[i].asked), c[i].text);
  }
}
END_TEST

/* Of 1 letter none, of 2 to 4 letters 1 or 2, of 9 three. */
START_TEST(limits) {
  static const unsigned limit[] = {0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4};
  for (unsigned n = 0; n < sizeof limit / sizeof *limit; n++)
    ck_assert_uint_eq(names_limit(n), limit[n]);
}
END_TEST

Suite *test_names_suite(void) {
  Suite *s = suite_create("names");
  TCase *t = tcase_create("names");
  tcase_add_test(t, distances);
  tcase_add_test(t, near_ones_only);
  tcase_add_test(t, limits);
  suite_add_tcase(s, t);
  return s;
}
