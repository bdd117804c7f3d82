/* SPDX-License-Identifier: Apache-2.0 */
/* fork, exec, and a pipe that is read until the program and the time allow: see process.h. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SLICE_MS = 50 };

void process_end_with_parent(void) {
  (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
}

typedef struct {
  pid_t pid;
  int out;   /* what it prints */
  int start; /* errno of a failed exec; closed by a successful one */
  size_t n, room;
  char *text;
} child_t;

/* In the child: the program, or its errno through `start`. */
static void become(const process_t *p, int out, int start) {
  sigset_t none;
  const struct rlimit no_core = {0, 0};
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  setrlimit(RLIMIT_CORE, &no_core);
  setpgid(0, 0);
  process_end_with_parent();
  int null = open("/dev/null", O_RDONLY);
  union {
    const char *const *in;
    char *const *out;
  } argv = {p->argv}; /* execvp does not write to it */
  if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
      dup2(out, STDERR_FILENO) >= 0 && (!p->folder || chdir(p->folder) == 0))
    execvp(p->argv[0], argv.out);
  int why = errno;
  ssize_t n = write(start, &why, sizeof why);
  _exit(n > 0 ? 127 : 126);
}

static int open_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  for (unsigned i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return 0;
}

static int begin(child_t *c, const process_t *p, mrpb_err_t *err) {
  int out[2], start[2], why = 0;
  if (open_pipe(out) != 0) return mrpb_fail(err, "pipe: %s", strerror(errno));
  if (open_pipe(start) != 0) {
    mrpb_fail(err, "pipe: %s", strerror(errno));
    close(out[0]);
    close(out[1]);
    return -1;
  }
  fflush(NULL);
  c->pid = fork();
  if (c->pid == 0) become(p, out[1], start[1]);
  why = c->pid < 0 ? errno : 0;
  close(out[1]);
  close(start[1]);
  c->out = out[0];
  if (c->pid > 0 && read(start[0], &why, sizeof why) < 0) why = errno;
  close(start[0]);
  if (why == 0) return 0;
  close(c->out);
  if (c->pid > 0) waitpid(c->pid, NULL, 0);
  return mrpb_fail(err, "%s: %s", p->argv[0], strerror(why));
}

/* What has come is kept up to `most`. 1 more may come, 0 the end, -1 no memory. */
static int take(child_t *c, size_t most) {
  char part[1 << 14];
  ssize_t n = read(c->out, part, sizeof part);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n == 0) return 0;
  size_t keep = (size_t)n < most - c->n ? (size_t)n : most - c->n;
  if (c->n + keep + 1 > c->room) {
    size_t room = 2 * (c->n + keep) + 1;
    char *more = realloc(c->text, room);
    if (!more) return -1;
    c->text = more;
    c->room = room;
  }
  memcpy(c->text + c->n, part, keep);
  c->n += keep;
  c->text[c->n] = '\0';
  return 1;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The program has ended: what it has started and left behind ends too. */
static bool reap(pid_t pid, int *status) {
  siginfo_t info = {.si_pid = 0};
  if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != pid)
    return false;
  kill(-pid, SIGKILL);
  return waitpid(pid, status, 0) == pid;
}

/* Reads until the program has ended, or its time is over. */
static int follow(child_t *c, const process_t *p, process_result_t *r, int *status) {
  const double end = now() + p->seconds;
  bool gone = false;
  for (;;) {
    struct pollfd f = {.fd = c->out, .events = POLLIN};
    int rc = poll(&f, 1, gone ? 0 : SLICE_MS) > 0 ? take(c, p->most) : gone ? 0 : 1;
    if (rc < 0) return -1;
    if (gone && rc == 0) return 0;
    if (!gone && reap(c->pid, status)) gone = true;
    if (!gone && rc == 0) { /* it prints no more; it may still run */
      const struct timespec slice = {0, 1000000};
      nanosleep(&slice, NULL);
    }
    if (gone) continue;
    if (p->stop && p->stop())
      r->end = PROCESS_STOPPED;
    else if (now() > end)
      r->end = PROCESS_LATE;
    else
      continue;
    return 1;
  }
}

int process_run(const process_t *p, process_result_t *r, mrpb_err_t *err) {
  child_t c = {.pid = -1};
  int status = 0;
  *r = (process_result_t){.end = PROCESS_EXITED};
  if (begin(&c, p, err) != 0) return -1;
  c.text = calloc(1, 1);
  c.room = 1;
  int rc = c.text ? follow(&c, p, r, &status) : -1;
  if (rc != 0) {
    kill(-c.pid, SIGKILL);
    kill(c.pid, SIGKILL);
    waitpid(c.pid, NULL, 0);
  } else {
    r->end = WIFSIGNALED(status) ? PROCESS_CRASHED : PROCESS_EXITED;
    r->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }
  close(c.out);
  if (rc < 0) {
    free(c.text);
    return mrpb_fail(err, "out of memory");
  }
  r->text = c.text;
  return 0;
}

void process_describe(const process_t *p, const process_result_t *r, char *text, size_t size) {
  switch (r->end) {
  case PROCESS_EXITED:
    snprintf(text, size, "exit status %d", r->code);
    break;
  case PROCESS_CRASHED:
    snprintf(text, size, "signal %d", r->code);
    break;
  case PROCESS_LATE:
    snprintf(text, size, "no end within %u s", p->seconds);
    break;
  case PROCESS_STOPPED:
    snprintf(text, size, "interrupted");
    break;
  }
}
