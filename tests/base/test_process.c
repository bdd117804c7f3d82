/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that an estimate runs: how they end, and what they print. */
#include "base/process.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

START_TEST(cpu_time) {
  static const char *const waits[] = {"sleep", "2", NULL};
  static const char *const works[] = {"sh", "-c", "while :; do :; done", NULL};
  process_result_t r;
  mrpb_err_t err = {""};
  const process_t idle = {.argv = waits, .seconds = 1, .of_cpu = true};
  const process_t busy = {.argv = works, .seconds = 1, .of_cpu = true};
  ck_assert_int_eq(process_run(&idle, &r, &err), 0);
  ck_assert_int_eq(r.end, PROCESS_EXITED); /* what waits takes none */
  free(r.text);
  ck_assert_int_eq(process_run(&busy, &r, &err), 0);
  ck_assert_int_eq(r.end, PROCESS_LATE);
  free(r.text);
}
END_TEST

static int status_of(const char *script, unsigned seconds, const char *log) {
  const char *const argv[] = {"sh", "-c", script, NULL};
  return process_status(&(process_t){.argv = argv, .log = log, .seconds = seconds});
}

static void log_is(const char *log, const char *text) {
  char said[256] = "";
  FILE *f = fopen(log, "r");
  ck_assert_ptr_nonnull(f);
  said[fread(said, 1, sizeof said - 1, f)] = '\0';
  fclose(f);
  ck_assert_str_eq(said, text);
}

/* Ends as a shell has them, and a log that goes on where it was. */
START_TEST(statuses) {
  char folder[] = "build/tmp/mrpb-test-XXXXXX", log[64];
  static const char *const none[] = {"/no/such/program", NULL}, *const refused[] = {"/tmp", NULL};
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(log, sizeof log, "%s/log", folder);
  ck_assert_int_eq(status_of("echo one; echo two >&2", 60, log), 0);
  ck_assert_int_eq(status_of("echo three; exit 3", 60, log), 3);
  ck_assert_int_eq(status_of("kill -11 $$", 60, log), PROCESS_SIGNAL + 11);
  ck_assert_int_eq(status_of("read x || echo four", 60, log), 0); /* there is nothing to read */
  ck_assert_int_eq(process_log(none, log), PROCESS_NOT_FOUND);
  ck_assert_int_eq(process_log(refused, log), PROCESS_NOT_RUN);
  log_is(log, "one\ntwo\nthree\nfour\n");
  ck_assert_int_eq(status_of("true", 60, "/no/such/folder/log"), -1);
  ck_assert_int_eq(remove(log), 0);
  ck_assert_int_eq(status_of("trap '' TERM; sleep 1000 & wait; wait", 1, log), PROCESS_TOO_LATE);
  log_is(log, "\nerror: sh: no exit within 1 s\n");
  ck_assert_int_eq(remove(log), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* What a program finds. */
START_TEST(surroundings) {
  const char *const argv[] = {"sh", "-c", "cat; echo lost >&2", NULL};
  process_result_t r;
  mrpb_err_t err = {""};
  const process_t p = {.argv = argv, .in = "some text\n", .most = 100, .no_errors = true};
  ck_assert_int_eq(process_run(&p, &r, &err), 0);
  ck_assert_int_eq(r.end, PROCESS_EXITED);
  ck_assert_str_eq(r.text, "some text\n");
  free(r.text);
  r = process("ulimit -c; trap", 60, 100);
  ck_assert_str_eq(r.text, "0\n");
  free(r.text);
}
END_TEST

/* A program called yosys has no HOME, others have theirs. */
START_TEST(yosys_without_home) {
  char folder[] = "build/tmp/mrpb-test-XXXXXX", tool[64], found[64], path[4096], expect[80];
  const char *const names[] = {"yosys", "abc"}, *const was = getenv("PATH");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s:%s", folder, was);
  setenv("PATH", path, 1);
  setenv("HOME", "/home", 1);
  for (unsigned i = 0; i < 2; i++) {
    snprintf(tool, sizeof tool, "%s/%s", folder, names[i]);
    FILE *f = fopen(tool, "w");
    ck_assert_ptr_nonnull(f);
    fputs("#!/bin/sh\necho \"home $HOME\"\n", f);
    fclose(f);
    ck_assert(!process_find(names[i], found, sizeof found) || strcmp(found, tool) != 0);
    ck_assert_int_eq(chmod(tool, 0755), 0);
    ck_assert(process_find(names[i], found, sizeof found));
    ck_assert_str_eq(found, tool);
    ck_assert(!process_find(names[i], found, 8));
    const char *const argv[] = {names[i], NULL};
    process_result_t r;
    ck_assert_int_eq(process_run(&(process_t){.argv = argv, .most = 99}, &r, NULL), 0);
    snprintf(expect, sizeof expect, "home %s\n", i ? "/home" : "");
    ck_assert_str_eq(r.text, expect);
    free(r.text);
    ck_assert_int_eq(remove(tool), 0);
  }
  ck_assert_int_eq(rmdir(folder), 0);
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
  tcase_set_timeout(t, 30);
  tcase_add_test(t, cpu_time);
  tcase_add_test(t, statuses);
  tcase_add_test(t, surroundings);
  tcase_add_test(t, yosys_without_home);
  tcase_add_test(t, no_program);
  suite_add_tcase(s, t);
  return s;
}
