/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that an estimate runs: how they end, and what they print. */
#include "base/process.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static process_result_t process(const char *script, unsigned seconds, size_t most) {
  const char *const argv[] = {"sh", "-c", script, NULL};
  const process_t p = {.argv = argv, .folder = "/", .seconds = seconds, .most = most};
  process_result_t r;
  mrpb_err_t err = {""};
  ck_assert_msg(process_run(&p, &r, &err) == 0, "%s", err.text);
  return r;
}

START_TEST(programs) {
  process_result_t r = process("pwd; echo to stderr >&2; exit 3", 60, 100);
  ck_assert_int_eq(r.end, PROCESS_EXITED);
  ck_assert_int_eq(r.code, 3);
  ck_assert_str_eq(r.text, "/\nto stderr\n");
  free(r.text);
  r = process("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done", 60, 1000);
  ck_assert_int_eq(r.end, PROCESS_EXITED);
  ck_assert_uint_eq(strlen(r.text), 1000);
  free(r.text);
  r = process("kill -6 $$", 60, 100);
  ck_assert_int_eq(r.end, PROCESS_CRASHED);
  ck_assert_int_eq(r.code, 6);
  ck_assert_str_eq(r.text, "");
  free(r.text);
  r = process("exec >&- 2>&-; sleep 1000", 1, 100); /* its output ends before it does */
  ck_assert_int_eq(r.end, PROCESS_LATE);
  free(r.text);
  r = process("sleep 1000 & echo done", 60, 100); /* its child has the pipe */
  ck_assert_int_eq(r.end, PROCESS_EXITED);
  ck_assert_str_eq(r.text, "done\n");
  free(r.text);
}
END_TEST

START_TEST(no_program) {
  const char *const argv[] = {"/no/such/program", NULL};
  process_t p = {.argv = argv, .seconds = 1, .most = 100};
  process_result_t r;
  mrpb_err_t err = {""};
  ck_assert_int_eq(process_run(&p, &r, &err), -1);
  ck_assert_str_eq(err.text, "/no/such/program: No such file or directory");
  ck_assert_ptr_null(r.text);
  const char *const here[] = {"true", NULL};
  p.argv = here;
  p.folder = "/no/such/folder";
  err.text[0] = '\0';
  ck_assert_int_eq(process_run(&p, &r, &err), -1);
}
END_TEST

Suite *test_process_suite(void);
Suite *test_process_suite(void) {
  Suite *s = suite_create("process");
  TCase *t = tcase_create("process");
  tcase_add_test(t, programs);
  tcase_add_test(t, no_program);
  suite_add_tcase(s, t);
  return s;
}
