/* SPDX-License-Identifier: Apache-2.0 */
/* fork, a file for each job's output, SIGCHLD: see jobs.h. */
#define _DEFAULT_SOURCE /* wait4: the cost of a job */
#include "base/jobs.h"

#include "base/guard.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* MOST_WAITING: ended jobs that wait for their turn, each with an open file. */
enum { WATCH_MS = 100, MOST_WAITING = 256 };

typedef struct {
  enum { NOT_BEGUN, NOT_STARTED, RUNS, ENDED, TOLD } state;
  pid_t pid;
  int status;
  bool killed;
  uint64_t begun; /* ms */
  FILE *out;
  mrpb_err_t why;
  struct rusage cost;
} slot_t;

typedef struct {
  const jobs_t *jobs;
  slot_t *slot;
  size_t next, told; /* the next job to begin; how many, from the first, are reported */
  unsigned active;
  bool no_more, stopped;
  sigset_t watched, before; /* the signals that end a wait; the previous mask */
} run_t;

static uint64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* ---- a job ----------------------------------------------------------------------------------- */

/* In the child. It detects a parent that ended before process_end_with_parent took effect. */
static void work(const run_t *p, slot_t *s, size_t i, pid_t parent) {
  sigset_t none;
  const jobs_t *jobs = p->jobs;
  process_end_with_parent();
  if (getppid() != parent) _exit(JOBS_NO_ROOM);
  sigemptyset(&none);
  if (jobs->apart) setpgid(0, 0);
  sigprocmask(SIG_SETMASK, jobs->apart ? &none : &p->before, NULL);
  int code = jobs->work(jobs->ctx, i, s->out);
  if (s->out && (fflush(s->out) != 0 || ferror(s->out))) code = JOBS_NO_ROOM;
  _exit(code);
}

/* Opens the file for a job's output; programs that other jobs start do not inherit it. */
static FILE *open_out(void) {
  FILE *f = tmpfile();
  if (f) fcntl(fileno(f), F_SETFD, FD_CLOEXEC);
  return f;
}

static void begin(run_t *p) {
  const size_t i = p->next++;
  const jobs_t *jobs = p->jobs;
  slot_t *s = &p->slot[i];
  const pid_t parent = getpid();
  s->state = NOT_STARTED;
  if (jobs->open && jobs->open(jobs->ctx, i, &s->why) != 0) return;
  if (!jobs->silent && !(s->out = open_out())) {
    mrpb_fail(&s->why, "no file for its output: %s", strerror(errno));
    return;
  }
  fflush(NULL);
  s->begun = now_ms();
  s->pid = fork();
  if (s->pid == 0) work(p, s, i, parent);
  if (s->pid < 0) {
    mrpb_fail(&s->why, "cannot start its process: %s", strerror(errno));
    return;
  }
  if (jobs->apart) setpgid(s->pid, s->pid);
  s->state = RUNS;
  p->active++;
}

static void end_by_force(const run_t *p, slot_t *s) {
  s->killed = true;
  kill(p->jobs->apart ? -s->pid : s->pid, SIGKILL);
}

static void end_all(run_t *p) {
  p->no_more = true;
  for (size_t i = p->told; i < p->next; i++)
    if (p->slot[i].state == RUNS) end_by_force(p, &p->slot[i]);
}

/* ---- what has ended -------------------------------------------------------------------------- */

static void tell(run_t *p, size_t i) {
  slot_t *s = &p->slot[i];
  const bool started = s->state == ENDED, exited = started && WIFEXITED(s->status);
  if (s->out) rewind(s->out);
  const jobs_end_t end = {.job = i,
                          .why = started ? NULL : s->why.text,
                          .exited = exited,
                          .code = exited    ? WEXITSTATUS(s->status)
                                  : started ? WTERMSIG(s->status)
                                            : 0,
                          .ended = s->killed,
                          .out = s->out,
                          .cost = &s->cost};
  const jobs_then_t then = p->jobs->end(p->jobs->ctx, &end);
  if (s->out) fclose(s->out);
  s->out = NULL;
  s->state = TOLD;
  if (then == JOBS_NO_MORE) p->no_more = true;
  if (then == JOBS_END_ALL) end_all(p);
}

static void tell_all(run_t *p) {
  bool first = true; /* all jobs before this one have been reported */
  for (size_t i = p->told; i < p->next; i++) {
    const slot_t *s = &p->slot[i];
    if ((s->state == ENDED || s->state == NOT_STARTED) && (first || !p->jobs->in_order)) tell(p, i);
    first = first && s->state == TOLD;
    if (first) p->told = i + 1;
  }
}

/* Waits for each job by its pid, so as not to collect processes that belong to others. */
static void reap(run_t *p) {
  for (size_t i = p->told; i < p->next; i++) {
    slot_t *s = &p->slot[i];
    if (s->state != RUNS) continue;
    const pid_t pid = wait4(s->pid, &s->status, WNOHANG, &s->cost);
    if (pid == 0 || (pid < 0 && errno == EINTR)) {
      if (p->jobs->seconds && !s->killed &&
          now_ms() - s->begun >= UINT64_C(1000) * p->jobs->seconds)
        end_by_force(p, s);
      continue;
    }
    s->state = ENDED;
    p->active--;
  }
}

/* ---- the pool -------------------------------------------------------------------------------- */

static bool may_begin(const run_t *p) {
  const jobs_t *jobs = p->jobs;
  return !p->no_more && p->next < jobs->n && p->active < (jobs->at_once ? jobs->at_once : 1) &&
         p->next - p->told < (size_t)jobs->at_once + MOST_WAITING;
}

static bool has_more(run_t *p) {
  const jobs_more_t more = p->jobs->more ? p->jobs->more(p->jobs->ctx) : JOBS_BEGIN;
  if (more == JOBS_NONE || (more == JOBS_WAIT && p->active == 0)) p->no_more = true;
  return more == JOBS_BEGIN;
}

/* SIGHUP is not watched if it is ignored, as under nohup. */
static void hold_signals(run_t *p) {
  struct sigaction old;
  sigemptyset(&p->watched);
  sigaddset(&p->watched, SIGCHLD);
  if (p->jobs->apart && sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
    sigaddset(&p->watched, SIGHUP);
  sigprocmask(SIG_BLOCK, &p->watched, &p->before);
}

static bool asked_to_stop(const run_t *p) {
  return (p->jobs->apart && guard_signalled()) || (p->jobs->stop && p->jobs->stop());
}

/* Waits until something happens, and checks whether the pool must stop. */
static void watch(run_t *p) {
  const struct timespec slice = {0, WATCH_MS * 1000000L};
  const int sig = p->active > 0 ? sigtimedwait(&p->watched, NULL, &slice) : 0;
  if (p->stopped) return;
  p->stopped = sig == SIGHUP || asked_to_stop(p);
  if (p->stopped && p->jobs->apart) end_all(p);
  if (p->stopped) p->no_more = true;
}

int jobs_run(const jobs_t *jobs, mrpb_err_t *err) {
  run_t p = {.jobs = jobs, .slot = calloc(jobs->n + 1, sizeof *p.slot)};
  if (!p.slot) return mrpb_fail(err, "out of memory");
  hold_signals(&p);
  while (p.told < p.next || (!p.no_more && p.next < jobs->n)) {
    while (may_begin(&p) && has_more(&p)) {
      begin(&p);
      tell_all(&p); /* a job that could not be started may end all */
    }
    watch(&p);
    reap(&p);
    tell_all(&p);
    if (jobs->tick) jobs->tick(jobs->ctx);
  }
  /* The guard may have ended the last jobs after the last check. */
  p.stopped = p.stopped || asked_to_stop(&p);
  sigprocmask(SIG_SETMASK, &p.before, NULL);
  free(p.slot);
  return p.stopped ? JOBS_STOPPED : p.next < jobs->n ? JOBS_LEFT : JOBS_DONE;
}

/* ---- around it ------------------------------------------------------------------------------- */

void jobs_copy(const jobs_end_t *end, FILE *to) {
  char part[4096];
  size_t n;
  while (end->out && (n = fread(part, 1, sizeof part, end->out)) > 0) fwrite(part, 1, n, to);
  fflush(to);
}

int jobs_worse(int a, int b, const int *order, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a == order[i] || b == order[i]) return order[i];
  return a ? a : b;
}
