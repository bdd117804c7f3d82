/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments with one base: programs and groups have no suffix (docs/experiments.md). */
#include "studies/figures/figures.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static int read_lines(figures_experiment_t *e, const char *lines, mrpb_err_t *err) {
  char path[] = "build/tmp/mrpb-one-base-XXXXXX", list[] = "build/tmp/mrpb-list-XXXXXX";
  FILE *f = fdopen(mkstemp(path), "w"), *g = fdopen(mkstemp(list), "w");
  ck_assert(f && g);
  fputs(lines, f);
  fputs("atax suite IW\nbfs suite -\n", g);
  fclose(f);
  fclose(g);
  const int rc = figures_read(e, path, list, err);
  remove(path);
  remove(list);
  return rc;
}

START_TEST(one_base) {
  static figures_experiment_t e;
  mrpb_err_t err = {{0}};
  ck_assert_msg(read_lines(&e, "title t\none-base\nprograms suite\npoint p MRPB=1\n", &err) == 0,
                "%s", err.text);
  ck_assert_uint_eq(e.n_programs, 2);
  ck_assert_str_eq(e.program[1].name, "bfs");
  ck_assert_str_eq(e.program[1].group, "suite");
  ck_assert_int_eq(read_lines(&e, "title t\nprograms suite-s\npoint p MRPB=1\n", &err), 0);
  ck_assert_str_eq(e.program[1].group, "suite-s");
  ck_assert_int_eq(read_lines(&e, "title t\nprograms suite\npoint p MRPB=1\n", &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "with -s or -l"));
}
END_TEST

Suite *test_figures_base_suite(void);
Suite *test_figures_base_suite(void) {
  Suite *s = suite_create("figures_base");
  TCase *t = tcase_create("figures_base");
  tcase_add_test(t, one_base);
  suite_add_tcase(s, t);
  return s;
}
