/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of jobs: their order, how many run at once, how each ends, and that nothing of them
 * remains. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/jobs.h"

#include "base/guard.h"

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

Suite *test_jobs_suite(void);

enum { MOST = 700, TEXT = 1 << 14, STARTED = 24, SLEEP_S = 60 };

/* What the jobs of a test share with it. */
typedef struct {
  atomic_uint running, most, let_go, worked, heard;
  atomic_int pid[1 + STARTED]; /* of a job and of what it has started */
} shared_t;

typedef struct {
  shared_t *shared;
  char said[TEXT];
  unsigned told;
  int worst, code[MOST]; /* -1: not started; 100 + signal; 200 + signal: by the pool */
  size_t order[MOST];
  jobs_then_t then; /* after job `at` */
  size_t at;
  unsigned together; /* jobs that go on only when so many have run at once */
  bool first_last;   /* job 0 ends only when another has been told */
} rig_t;

static void rig(rig_t *r) {
  *r = (rig_t){.at = MOST};
  r->shared =
      mmap(NULL, sizeof *r->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert(r->shared != MAP_FAILED);
}

static void nap(unsigned ms) {
  struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000L};
  while (nanosleep(&t, &t) != 0 && errno == EINTR) {
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void enter(rig_t *r) {
  const unsigned n = atomic_fetch_add(&r->shared->running, 1) + 1;
  for (unsigned m = atomic_load(&r->shared->most); n > m;)
    if (atomic_compare_exchange_weak(&r->shared->most, &m, n)) break;
}

static void wait_for(const atomic_uint *what, unsigned least) {
  for (unsigned k = 0; k < 3000 && atomic_load(what) < least; k++) nap(10);
}

/* Where several run, job 0 is not the first that has worked. */
static int say_number(void *ctx, size_t job, FILE *out) {
  rig_t *r = ctx;
  enter(r);
  wait_for(&r->shared->most, r->together);
  if (job == 0) wait_for(r->first_last ? &r->shared->heard : &r->shared->worked, r->together > 1);
  fprintf(out, "%zu\n", job);
  atomic_fetch_add(&r->shared->worked, 1);
  atomic_fetch_sub(&r->shared->running, 1);
  return 0;
}

static jobs_then_t hear(void *ctx, const jobs_end_t *end) {
  rig_t *r = ctx;
  char text[64] = "";
  if (end->out) text[fread(text, 1, sizeof text - 1, end->out)] = '\0';
  ck_assert_uint_lt(strlen(r->said) + strlen(text), TEXT);
  strcat(r->said, text);
  r->order[r->told++] = end->job;
  atomic_store(&r->shared->heard, r->told);
  r->code[end->job] = end->why      ? -1
                      : end->exited ? end->code
                                    : (end->ended ? 200 : 100) + end->code;
  if (end->job != r->at) return JOBS_GO_ON;
  atomic_store(&r->shared->let_go, r->then == JOBS_NO_MORE);
  return r->then;
}

static int run(rig_t *r, jobs_t jobs) {
  mrpb_err_t err = {""};
  jobs.ctx = r;
  jobs.end = hear;
  const int rc = jobs_run(&jobs, &err);
  ck_assert_str_eq(err.text, "");
  ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* nothing is left */
  ck_assert_int_eq(errno, ECHILD);
  return rc;
}

START_TEST(order) {
  rig_t r;
  rig(&r);
  r.together = 3;
  ck_assert_int_eq(run(&r, (jobs_t){.n = 6, .at_once = 3, .in_order = true, .work = say_number}),
                   JOBS_DONE);
  ck_assert_str_eq(r.said, "0\n1\n2\n3\n4\n5\n");
  ck_assert_uint_eq(atomic_load(&r.shared->most), 3);
  rig(&r);
  r.together = 6;
  r.first_last = true;
  ck_assert_int_eq(run(&r, (jobs_t){.n = 6, .at_once = 6, .work = say_number}), JOBS_DONE);
  ck_assert_uint_eq(r.told, 6);
  ck_assert_uint_ne(r.order[0], 0);
  rig(&r);
  ck_assert_int_eq(run(&r, (jobs_t){.n = 3, .work = say_number}), JOBS_DONE); /* 0 is 1 */
  ck_assert_uint_eq(atomic_load(&r.shared->most), 1);
  rig(&r);
  ck_assert_int_eq(run(&r, (jobs_t){.n = 0, .work = say_number}), JOBS_DONE);
  ck_assert_uint_eq(r.told, 0);
}
END_TEST

/* Jobs 2 and 3 come only when both before them have ended, and there is none after. */
static jobs_more_t in_steps(void *ctx) {
  static const unsigned least[] = {0, 0, 2, 2};
  const rig_t *r = ctx;
  const unsigned begun = atomic_load(&r->shared->running);
  if (begun > 3) return JOBS_NONE;
  return r->told >= least[begun] ? JOBS_BEGIN : JOBS_WAIT;
}

static jobs_more_t waits_alone(void *ctx) {
  (void)ctx;
  return JOBS_WAIT;
}

static int count_open(void *ctx, size_t job, mrpb_err_t *err) {
  rig_t *r = ctx;
  (void)err, (void)job;
  atomic_fetch_add(&r->shared->running, 1);
  return 0;
}

/* Fails if it comes too early. */
static int say_and_leave(void *ctx, size_t job, FILE *out) {
  const rig_t *r = ctx; /* as it was when the job began */
  if (job == 1) nap(100);
  fprintf(out, "%zu\n", job);
  return job >= 2 && r->told < 2;
}

START_TEST(as_they_come) {
  rig_t r;
  rig(&r);
  ck_assert_int_eq(run(&r, (jobs_t){.n = 9,
                                    .at_once = 3,
                                    .in_order = true,
                                    .more = in_steps,
                                    .open = count_open,
                                    .work = say_and_leave}),
                   JOBS_LEFT);
  ck_assert_str_eq(r.said, "0\n1\n2\n3\n");
  for (unsigned i = 0; i < 4; i++) ck_assert_int_eq(r.code[i], 0);
  rig(&r); /* nothing runs that could end the wait */
  ck_assert_int_eq(run(&r, (jobs_t){.n = 9, .more = waits_alone, .work = say_number}), JOBS_LEFT);
  ck_assert_uint_eq(r.told, 0);
}
END_TEST

static int first_is_slow(void *ctx, size_t job, FILE *out) {
  (void)ctx;
  if (job == 0) nap(1500);
  fprintf(out, "%zu ", job);
  return 0;
}

/* More of them than a process may have files. */
START_TEST(many) {
  rig_t r;
  char *at;
  rig(&r);
  ck_assert_int_eq(
      run(&r, (jobs_t){.n = MOST, .at_once = 2, .in_order = true, .work = first_is_slow}),
      JOBS_DONE);
  at = r.said;
  for (unsigned long i = 0; i < MOST; i++) ck_assert_uint_eq(strtoul(at, &at, 10), i);
}
END_TEST

static int end_somehow(void *ctx, size_t job, FILE *out) {
  (void)ctx;
  if (job == 1) raise(SIGKILL);
  if (job == 3) nap(60000);
  if (job == 4) fclose(freopen("/dev/full", "w", out) ? tmpfile() : out);
  fprintf(out, "x");
  return job == 2 ? 77 : 0;
}

static int no_second(void *ctx, size_t job, mrpb_err_t *err) {
  (void)ctx;
  return job == 5 ? mrpb_fail(err, "not this one") : 0;
}

START_TEST(outcomes) {
  rig_t r;
  rig(&r);
  const double from = now();
  const jobs_t jobs = {
      .n = 6, .at_once = 6, .seconds = 5, .open = no_second, .work = end_somehow, .in_order = true};
  ck_assert_int_eq(run(&r, jobs), JOBS_DONE);
  const int codes[] = {0, 100 + SIGKILL, 77, 200 + SIGKILL, JOBS_NO_ROOM, -1};
  for (unsigned i = 0; i < 6; i++) ck_assert_int_eq(r.code[i], codes[i]);
  ck_assert(now() - from >= 5 && now() - from < 50);
}
END_TEST

static const int of_two[] = {1, 5};

START_TEST(worst) {
  ck_assert_int_eq(jobs_worse(0, 0, of_two, 2), 0);
  ck_assert_int_eq(jobs_worse(5, 1, of_two, 2), 1);
  ck_assert_int_eq(jobs_worse(1, 5, of_two, 2), 1);
  ck_assert_int_eq(jobs_worse(0, 5, of_two, 2), 5);
  ck_assert_int_eq(jobs_worse(2, 3, of_two, 2), 2);
  ck_assert_int_eq(jobs_worse(2, 5, of_two, 2), 5);
}
END_TEST

/* The others go on until they may end. */
static int one_ends(void *ctx, size_t job, FILE *out) {
  const rig_t *r = ctx;
  (void)out;
  while (job != 1 && !atomic_load(&r->shared->let_go)) nap(5);
  return (int)job;
}

START_TEST(left_out) {
  rig_t r;
  rig(&r);
  r.at = 1;
  r.then = JOBS_NO_MORE;
  ck_assert_int_eq(run(&r, (jobs_t){.n = 5, .at_once = 3, .silent = true, .work = one_ends}),
                   JOBS_LEFT);
  ck_assert_uint_eq(r.told, 3); /* those that ran have ended by themselves */
  ck_assert_int_eq(r.code[2], 2);
  rig(&r);
  r.at = 1;
  r.then = JOBS_END_ALL; /* nothing else lets the others go */
  const double from = now();
  ck_assert_int_eq(run(&r, (jobs_t){.n = 9, .at_once = 4, .silent = true, .work = one_ends}),
                   JOBS_LEFT);
  ck_assert_int_eq(r.code[3], 200 + SIGKILL);
  ck_assert_uint_eq(r.told, 4);
  ck_assert(now() - from < 10);
}
END_TEST

/* A job that has started others. */
static int start_another(void *ctx, size_t job, FILE *out) {
  rig_t *r = ctx;
  (void)out;
  (void)job;
  for (unsigned i = 1; i <= STARTED; i++) {
    const pid_t pid = fork();
    if (pid == 0) {
      nap(1000 * SLEEP_S);
      _exit(0);
    }
    atomic_store(&r->shared->pid[i], pid);
  }
  atomic_store(&r->shared->pid[0], getpid());
  nap(1000 * SLEEP_S);
  return 0;
}

/* Whoever is nobody's child may be a zombie for a moment, and a busy machine takes its time. */
static bool gone(pid_t pid) {
  char path[64], text[512] = "";
  for (unsigned i = 0; i < 1500; i++, nap(20)) {
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *f = fopen(path, "r");
    if (!f) return true;
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    const char *state = strrchr(text, ')');
    if (state && state[1] && state[2] == 'Z') return true;
  }
  return false;
}

static void all_gone(rig_t *r) {
  for (unsigned i = 0; i <= STARTED; i++) ck_assert(gone(atomic_load(&r->shared->pid[i])));
}

static bool always(void) {
  return true;
}

START_TEST(stopped) {
  rig_t r;
  rig(&r);
  const double from = now();
  jobs_t jobs = {.n = 5, .at_once = 2, .silent = true, .work = start_another, .stop = always};
  jobs.apart = true;
  ck_assert_int_eq(run(&r, jobs), JOBS_STOPPED);
  ck_assert_uint_eq(r.told, 2);
  ck_assert_int_eq(r.code[0], 200 + SIGKILL);
  ck_assert(now() - from < 10);
  rig(&r); /* those of this process's own group are waited for */
  const jobs_t mild = {.n = 5, .at_once = 2, .work = say_number, .in_order = true, .stop = always};
  ck_assert_int_eq(run(&r, mild), JOBS_STOPPED);
  ck_assert_str_eq(r.said, "0\n1\n");
}
END_TEST

/* A program with a pool of one job in it: its number. */
static pid_t program(rig_t *r, bool apart) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid != 0) return pid;
  setpgid(0, 0);
  signal(SIGTERM, SIG_DFL); /* the test runner's are for itself */
  signal(SIGINT, SIG_DFL);
  signal(SIGHUP, SIG_DFL); /* nobody has called this with nohup */
  guard_start(NULL);
  const jobs_t jobs = {.n = 1,
                       .apart = apart,
                       .silent = true,
                       .ctx = r,
                       .work = start_another,
                       .end = hear,
                       .stop = guard_signalled};
  mrpb_err_t err;
  const int rc = jobs_run(&jobs, &err);
  _exit(rc == JOBS_STOPPED ? 50 : 51);
}

/* Whatever ends the program ends the job and what that has started. */
START_TEST(signals) {
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  rig_t r;
  int status;
  for (unsigned i = 0; i < 3; i++) {
    rig(&r);
    const pid_t pid = program(&r, true);
    for (unsigned k = 0; k < 3000 && atomic_load(&r.shared->pid[0]) == 0; k++) nap(10);
    const double from = now();
    kill(pid, ends[i]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 50);
    ck_assert(now() - from < SLEEP_S / 2);
    all_gone(&r);
  }
  rig(&r); /* a job that does not ask for signals, in the program's group: the guard ends it */
  const pid_t pid = program(&r, false);
  for (unsigned k = 0; k < 3000 && atomic_load(&r.shared->pid[0]) == 0; k++) nap(10);
  const double from = now();
  kill(pid, SIGINT);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert(now() - from < SLEEP_S / 2);
  all_gone(&r);
}
END_TEST

START_TEST(killed_with_the_program) {
  rig_t r;
  for (unsigned apart = 0; apart < 2; apart++) {
    rig(&r);
    const pid_t pid = program(&r, apart);
    for (unsigned k = 0; k < 3000 && atomic_load(&r.shared->pid[0]) == 0; k++) nap(10);
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    if (apart) ck_assert(gone(atomic_load(&r.shared->pid[0])));
    for (unsigned k = 0; k <= STARTED; k++) kill(atomic_load(&r.shared->pid[k]), SIGKILL);
  }
}
END_TEST

Suite *test_jobs_suite(void) {
  Suite *s = suite_create("jobs");
  TCase *t = tcase_create("jobs");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, order);
  tcase_add_test(t, as_they_come);
  tcase_add_test(t, outcomes);
  tcase_add_test(t, worst);
  tcase_add_test(t, left_out);
  tcase_add_test(t, stopped);
  suite_add_tcase(s, t);
  TCase *whole = tcase_create("programs");
  tcase_set_timeout(whole, 60);
  tcase_set_tags(whole, "heavy"); /* valgrind's exit codes are not the programs' */
  tcase_add_test(whole, signals);
  tcase_add_test(whole, killed_with_the_program);
  suite_add_tcase(s, whole);
  TCase *heavy = tcase_create("heavy"); /* a process each */
  tcase_set_tags(heavy, "heavy");
  tcase_set_timeout(heavy, 60);
  tcase_add_test(heavy, many);
  suite_add_tcase(s, heavy);
  return s;
}
