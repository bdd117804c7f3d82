/* SPDX-License-Identifier: Apache-2.0 */
/* fork, exec, and a pipe that is read until the program ends or its time is over: see process.h. */
#include "base/process.h"
#include "base/seconds.h"

#include "base/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SLICE_MS = 50, MOST_NAP_MS = 5, LOAD = 10 /* clock time for CPU time */ };

void process_end_with_parent(void) {
  (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
}

typedef struct {
  pid_t pid;
  int in;  /* its standard input */
  int out; /* its output: the end of a pipe; -1 with a log */
  size_t n, room;
  char *text;
} child_t;

/* ---- beginning ------------------------------------------------------------------------------- */

static unsigned limit(const process_t *p) {
  return p->seconds ? p->seconds : PROCESS_SECONDS;
}

/* Removes variables that a tool must not find in its environment. */
static void clean_environment(const char *program) {
  if (strcmp(program, "yosys") == 0) unsetenv("HOME"); /* where it would keep a history */
  const char *verilator = getenv("VERILATOR");         /* verilog/tool.h: it knows its own folder */
  if (verilator && *verilator) unsetenv("VERILATOR_ROOT"), unsetenv("VERILATOR_BIN");
}

/* A large design causes deep recursion. */
static void give_stack(const char *program) {
  struct rlimit stack;
  if (strcmp(program, PROCESS_VERILATOR) != 0 || getrlimit(RLIMIT_STACK, &stack) != 0) return;
  stack.rlim_cur = stack.rlim_max;
  setrlimit(RLIMIT_STACK, &stack);
}

static void limit_cpu(const process_t *p) {
  const struct rlimit cpu = {limit(p), limit(p) + 1};
  if (p->of_cpu) setrlimit(RLIMIT_CPU, &cpu); /* SIGXCPU */
}

/* In the child: becomes the program, or sends errno through `start`. */
static void become(const process_t *p, int in, int out, int start) {
  sigset_t none;
  const struct rlimit no_core = {0, 0};
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  setrlimit(RLIMIT_CORE, &no_core);
  setpgid(0, 0); /* whatever it starts ends with it */
  process_end_with_parent();
  clean_environment(p->argv[0]);
  give_stack(p->argv[0]);
  limit_cpu(p);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  union {
    const char *const *in;
    char *const *out;
  } argv = {p->argv}; /* execvp does not write to it */
  if (null >= 0 && dup2(in >= 0 ? in : null, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
      dup2(p->no_errors ? null : out, STDERR_FILENO) >= 0 && (!p->folder || chdir(p->folder) == 0))
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

static void close_one(int fd) {
  if (fd >= 0) close(fd);
}

/* An unnamed file for its input; a pipe would need somebody to fill it. */
static int open_in(const process_t *p) {
  FILE *f = p->in ? tmpfile() : NULL;
  if (!f) return -1;
  const bool good = fputs(p->in, f) >= 0 && fflush(f) == 0 && fseek(f, 0, SEEK_SET) == 0;
  const int fd = good ? fcntl(fileno(f), F_DUPFD_CLOEXEC, 0) : -1;
  fclose(f);
  return fd;
}

/* The ends of its output: [0] is read here (-1 for a log, which nobody reads), [1] is the
 * child's. */
static int open_out(const process_t *p, int ends[2]) {
  if (!p->log) return open_pipe(ends);
  ends[0] = -1;
  ends[1] = open(p->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  return ends[1] < 0 ? -1 : 0;
}

/* Starts the process. Returns 0, or errno of the step that failed. */
static int fork_child(child_t *c, const process_t *p, int out, const int start[2]) {
  int why = 0;
  fflush(NULL);
  c->pid = fork();
  if (c->pid == 0) become(p, c->in, out, start[1]);
  if (c->pid < 0) why = errno;
  close(start[1]); /* the child's copy is closed by a successful exec */
  if (c->pid > 0 && read(start[0], &why, sizeof why) < 0) why = errno;
  close(start[0]);
  if (why && c->pid > 0) waitpid(c->pid, NULL, 0);
  return why;
}

/* Returns 0, or errno and a message. */
static int begin(child_t *c, const process_t *p, mrpb_err_t *err) {
  int out[2] = {-1, -1}, start[2], why = 0;
  const char *what = p->argv[0];
  c->in = open_in(p);
  if ((p->in && c->in < 0) || open_out(p, out) != 0) {
    why = errno;
    what = p->log ? p->log : "pipe";
  } else if (open_pipe(start) != 0) {
    why = errno;
    what = "pipe";
  } else {
    why = fork_child(c, p, out[1], start);
  }
  close_one(c->in);
  close_one(out[1]);
  c->out = out[0];
  if (why == 0) return 0;
  close_one(c->out);
  mrpb_fail(err, "%s: %s", what, strerror(why));
  return what == p->argv[0] ? why : EIO;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Reads output and keeps up to `most` bytes. Returns 1 if more may come, 0 at the end, -1 if out of
 * memory. */
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

/* If the program has ended, ends whatever it started and left behind. */
static bool reap(pid_t pid, int *status) {
  siginfo_t info = {.si_pid = 0};
  if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != pid)
    return false;
  kill(-pid, SIGKILL);
  return waitpid(pid, status, 0) == pid;
}

static void nap(unsigned ms) {
  const struct timespec t = {0, (long)ms * 1000000L};
  nanosleep(&t, NULL);
}

static bool told_to_stop(const process_t *p) {
  return (p->stop && p->stop()) || guard_signalled();
}

/* Reads until the program has ended (0) or its time is over (1). Returns -1 if out of memory. */
static int follow(child_t *c, const process_t *p, process_result_t *r, int *status) {
  const double end = seconds_now() + limit(p) * (p->of_cpu ? (double)LOAD : 1.0);
  bool gone = false;
  for (unsigned ms = 1;;) {
    struct pollfd f = {.fd = c->out, .events = POLLIN};
    int rc = c->out < 0                             ? 0
             : poll(&f, 1, gone ? 0 : SLICE_MS) > 0 ? take(c, p->most)
             : gone                                 ? 0
                                                    : 1;
    if (rc < 0) return -1;
    if (gone && rc == 0) return 0;
    if (!gone && reap(c->pid, status)) gone = true;
    if (gone) continue;
    if (rc == 0) { /* it prints no more, but may still run */
      nap(ms);
      if (ms < MOST_NAP_MS) ms++;
    }
    if (told_to_stop(p))
      r->end = PROCESS_STOPPED;
    else if (seconds_now() > end)
      r->end = PROCESS_LATE;
    else
      continue;
    return 1;
  }
}

/* Tools remove their own files when they are told to end; a tool that does not react is killed. */
static void end_child(pid_t pid) {
  const double end = seconds_now() + (double)GUARD_SECONDS;
  int status;
  kill(-pid, SIGTERM);
  while (seconds_now() < end) {
    if (reap(pid, &status)) return;
    nap(MOST_NAP_MS);
  }
  kill(-pid, SIGKILL);
  waitpid(pid, NULL, 0);
}

/* Returns 0, or errno and a message. */
static int run(const process_t *p, process_result_t *r, mrpb_err_t *err) {
  child_t c = {.pid = -1};
  int status = 0;
  *r = (process_result_t){.end = PROCESS_EXITED};
  const int why = begin(&c, p, err);
  if (why) return why;
  c.text = calloc(1, 1);
  c.room = 1;
  int rc = c.text ? follow(&c, p, r, &status) : -1;
  if (rc != 0) {
    end_child(c.pid);
  } else {
    const bool crashed = WIFSIGNALED(status);
    r->code = crashed ? WTERMSIG(status) : WEXITSTATUS(status);
    r->end = !crashed                          ? PROCESS_EXITED
             : told_to_stop(p)                 ? PROCESS_STOPPED
             : p->of_cpu && r->code == SIGXCPU ? PROCESS_LATE
                                               : PROCESS_CRASHED;
  }
  close_one(c.out);
  if (rc < 0 || p->log) {
    free(c.text);
    c.text = NULL;
  }
  r->text = c.text;
  return rc < 0 ? (mrpb_fail(err, "out of memory"), ENOMEM) : 0;
}

int process_run(const process_t *p, process_result_t *r, mrpb_err_t *err) {
  return run(p, r, err) == 0 ? 0 : -1;
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
    snprintf(text, size, "no exit within %u s", limit(p));
    break;
  case PROCESS_STOPPED:
    snprintf(text, size, "interrupted");
    break;
  }
}

/* ---- as one number --------------------------------------------------------------------------- */

static void say_late(const process_t *p) {
  FILE *f = p->log ? fopen(p->log, "a") : NULL;
  if (!f) return;
  fprintf(f, "\nerror: %s: no exit within %u s\n", p->argv[0], limit(p));
  fclose(f);
}

int process_status(const process_t *p) {
  process_result_t r;
  const int why = run(p, &r, NULL);
  free(r.text);
  if (why == EIO || why == ENOMEM || why == EAGAIN) return -1;
  if (why) return why == ENOENT ? PROCESS_NOT_FOUND : PROCESS_NOT_RUN;
  if (r.end == PROCESS_LATE) say_late(p);
  return r.end == PROCESS_EXITED    ? r.code
         : r.end == PROCESS_LATE    ? PROCESS_TOO_LATE
         : r.end == PROCESS_STOPPED ? PROCESS_SIGNAL + SIGTERM
                                    : PROCESS_SIGNAL + r.code;
}

int process_log(const char *const *argv, const char *log) {
  return process_status(&(process_t){.argv = argv, .log = log});
}

bool process_find(const char *name, char *path, size_t size) {
  struct stat st;
  const char *at = getenv("PATH");
  for (; at && *at; at += strcspn(at, ":"), at += *at == ':') {
    const int n = (int)strcspn(at, ":"), k = snprintf(path, size, "%.*s/%s", n, at, name);
    if (n > 0 && k > 0 && (size_t)k < size && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
        access(path, X_OK) == 0)
      return true;
  }
  return false;
}
