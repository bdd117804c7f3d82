/* SPDX-License-Identifier: Apache-2.0 */
/* Several logic jobs at the same time, each in a process group of its own, so that an interrupt
 * ends its tools as well. The results are left where logic_estimate finds them. */
#include "estimate/logic.h"

#include "verilog/build.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  const logic_job_t *job;
  unsigned n, next, running;
  pid_t *pid; /* of each job; 0: not running */
  bool failed;
} pool_t;

static bool message_file(const logic_job_t *job, pid_t pid, char path[RTL_PATH]) {
  return rtl_path(path, "%s/message.%ld", job->cache, (long)pid);
}

static void child(const logic_job_t *job) {
  char path[RTL_PATH];
  mrpb_err_t err = {""};
  logic_result_t r;
  sigset_t none;
  setpgid(0, 0);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (logic_estimate(job, &r, &err) == 0) _exit(0);
  FILE *f = message_file(job, getpid(), path) ? fopen(path, "w") : NULL;
  if (f) {
    fputs(err.text, f);
    fclose(f);
  }
  _exit(1);
}

static int start_one(pool_t *p, mrpb_err_t *err) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0) return mrpb_fail(err, "cannot start a process: %s", strerror(errno));
  if (pid == 0) child(&p->job[p->next]);
  setpgid(pid, pid);
  p->pid[p->next++] = pid;
  p->running++;
  return 0;
}

/* A process has ended: 0, or its message. */
static int end_one(pool_t *p, pid_t pid, int status, mrpb_err_t *err) {
  char path[RTL_PATH];
  unsigned i = 0;
  while (i < p->n && p->pid[i] != pid) i++;
  if (i == p->n) return 0;
  p->pid[i] = 0;
  p->running--;
  char *text = message_file(&p->job[i], pid, path) ? rtl_read_file(path, NULL) : NULL;
  if (text) unlink(path);
  int rc = 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    rc = mrpb_fail(err, "%s",
                   text && text[0] ? text : "a process of the logic estimate ended without a word");
  free(text);
  return rc;
}

static void kill_all(const pool_t *p) {
  for (unsigned i = 0; i < p->n; i++)
    if (p->pid[i] > 0) kill(-p->pid[i], SIGTERM);
}

static int run_pool(pool_t *p, unsigned at_once, bool (*stop)(void), mrpb_err_t *err) {
  const struct timespec moment = {0, 20 * 1000 * 1000};
  int rc = 0;
  while (p->running > 0 || (rc == 0 && p->next < p->n)) {
    int status;
    if (rc == 0 && p->next < p->n && p->running < at_once) {
      rc = start_one(p, err);
      if (rc != 0) kill_all(p);
      continue;
    }
    if (rc != LOGIC_STOPPED && stop && stop()) {
      rc = LOGIC_STOPPED;
      mrpb_fail(err, "interrupted");
      kill_all(p);
    }
    pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno != EINTR) return mrpb_fail(err, "waitpid: %s", strerror(errno));
    if (pid > 0 && end_one(p, pid, status, err) != 0 && rc == 0) {
      rc = -1;
      kill_all(p);
    }
    if (pid == 0) nanosleep(&moment, NULL);
  }
  return rc;
}

int logic_estimate_all(const logic_job_t *job, logic_result_t *r, unsigned n, unsigned at_once,
                       bool (*stop)(void), mrpb_err_t *err) {
  pool_t p = {.job = job, .n = n, .pid = calloc((size_t)n + 1, sizeof *p.pid)};
  if (!p.pid) return mrpb_fail(err, "out of memory");
  int rc = run_pool(&p, at_once, stop, err);
  free(p.pid);
  for (unsigned i = 0; i < n && rc == 0; i++) rc = logic_estimate(&job[i], &r[i], err);
  return rc;
}
