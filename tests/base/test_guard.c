/* SPDX-License-Identifier: Apache-2.0 */
/* Everything ends: calls that hang, tools that take too long, and children of a process that is
 * told to end. */
#include "base/guard.h"

#include "cosim/cosim_help.h"
#include "base/hang.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

Suite *test_guard_suite(void);

enum { SAID = 512 };

/* Runs `body` in a process of its own: its exit status, and what it wrote to stderr. */
static int alone(void (*body)(void), char said[SAID]) {
  int ends[2], status = 0;
  size_t n = 0;
  ck_assert_int_eq(pipe(ends), 0);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    (void)dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    body();
    _exit(0);
  }
  close(ends[1]);
  for (ssize_t k; n + 1 < SAID && (k = read(ends[0], said + n, SAID - 1 - n)) > 0;) n += (size_t)k;
  said[n] = '\0';
  close(ends[0]);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert_msg(WIFEXITED(status), "signal %d: %s", WTERMSIG(status), said);
  return WEXITSTATUS(status);
}

static void moment(void) {
  const struct timespec t = {0, 20000000};
  nanosleep(&t, NULL);
}

static void never(void) {
  hang_t h = {.doing = NULL};
  uint64_t cycle = 1234;
  hang_watch(&h, "mshr", &cycle, 1);
  hang_enter(&h, "the C model");
  for (volatile bool on = true; on;) {
  }
}

static void slow_but_alive(void) {
  hang_t h = {.doing = NULL};
  uint64_t cycle = 0;
  hang_watch(&h, "mshr", &cycle, 1);
  for (; cycle < 75; cycle++) {
    hang_enter(&h, "the C model");
    moment();
    hang_enter(&h, "the Verilog");
  }
  hang_leave(&h);
  for (unsigned i = 0; i < 75; i++) moment(); /* nothing is at work */
  hang_end(&h);
}

START_TEST(a_call_without_end) {
  char said[SAID];
  ck_assert_int_eq(alone(never, said), HANG_EXIT);
  ck_assert_str_eq(said, "mrpb: mshr, cycle 1234: the C model did not return within 1 s: hung?\n");
  ck_assert_int_eq(alone(slow_but_alive, said), 0);
  ck_assert_str_eq(said, "");
}
END_TEST

static void loop_comb(const void *self, const uint64_t *in, uint64_t *out) {
  (void)self;
  (void)in;
  (void)out;
  for (volatile bool on = true; on;) {
  }
}

/* As `mrpb cosim` meets it. */
static void cosim_of_a_loop(void) {
  bench_t b = {.env = NULL};
  if (rtl_env_open(&b.env, NULL, NULL, &b.err) != RTL_OK) return;
  set_job(&b, "fifo_bank", "QUEUES=2 DEPTH=2", 1000);
  module_class_t looping = *b.job.cls;
  looping.comb = loop_comb;
  b.job.cls = &looping;
  rtl_env_set_patience(b.env, 1);
  (void)cosim_run(&b.job, b.env, &b.err);
}

START_TEST(a_model_without_end) {
  char said[SAID];
  ck_assert_int_eq(alone(cosim_of_a_loop, said), HANG_EXIT);
  ck_assert_str_eq(said,
                   "mrpb: fifo_bank, cycle 0: the C model did not return within 1 s: hung?\n");
}
END_TEST

static pid_t sleeper(void) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    execlp("sh", "sh", "-c", "sleep 1000 & wait", (char *)NULL);
    _exit(127);
  }
  setpgid(pid, pid);
  return pid;
}

START_TEST(children) {
  int status = 0;
  pid_t pid = sleeper();
  moment();
  ck_assert(guard_end_children(SIGKILL));
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  ck_assert(!guard_signalled());
}
END_TEST

Suite *test_guard_suite(void) {
  Suite *s = suite_create("guard");
  TCase *t = tcase_create("guard");
  tcase_add_test(t, a_call_without_end);
  tcase_add_test(t, children);
  suite_add_tcase(s, t);
  t = tcase_create("model");
  tcase_set_tags(t,
                 "heavy"); /* its child ends in the middle, which a check for leaks does not like */
  tcase_add_test(t, a_model_without_end);
  suite_add_tcase(s, t);
  return s;
}
