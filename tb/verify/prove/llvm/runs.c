/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/runs.h"

#include "verilog/build.h"
#include "base/guard.h"
#include "base/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char folder_name[] = "mrpb-prove-";

enum { LINE = 512, WATCH_MS = 100 };

/* What a proof tells the process that watches it: shared memory. */
typedef struct {
  _Atomic(const char *) doing;
  atomic_long since;   /* s */
  atomic_uint seconds; /* its limit, 0: none */
  mrpb_err_t err;
} news_t;

typedef struct {
  const prove_job_t *job;
  pid_t pid; /* 0: not running */
  FILE *out;
  char temp[RTL_PATH];
  int lock; /* held as long as the folder is in use */
  news_t *news;
} run_t;

typedef struct {
  run_t *run;
  size_t n, next, done;
  FILE *out, *progress;
  sigset_t watched, before; /* what a wait ends on, besides what guard.h holds; the mask before */
  runs_t sum;
} team_t;

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long)t.tv_sec;
}

static void doing(void *context, const char *what, unsigned seconds) {
  news_t *news = context;
  atomic_store(&news->seconds, seconds);
  atomic_store(&news->since, now());
  atomic_store(&news->doing, what);
}

/* The lock of a folder in use is held by a process that lives; a folder that is kept has none. */
static int lock_folder(const char *folder, int flags) {
  char path[RTL_PATH];
  const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (!rtl_path(path, "%s/lock", folder)) return -1;
  int fd = open(path, O_RDWR | O_CLOEXEC | flags, 0600);
  if (fd >= 0 && fcntl(fd, F_SETLK, &whole) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

static const char *place(void) {
  const char *dir = getenv("TMPDIR");
  return dir && *dir ? dir : "/tmp";
}

static void remove_stale(void) {
  DIR *d = opendir(place());
  for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
    char path[RTL_PATH];
    if (strncmp(e->d_name, folder_name, sizeof folder_name - 1) != 0) continue;
    int fd = rtl_path(path, "%s/%s", place(), e->d_name) ? lock_folder(path, 0) : -1;
    if (fd < 0) continue;
    rtl_remove_tree(path, NULL);
    close(fd);
  }
  if (d) closedir(d);
}

static bool keeps(const run_t *r, int code) {
  char lock[RTL_PATH];
  if (code != PROVE_DISAGREE && !getenv("MRPB_PROVE_KEEP")) return false;
  if (rtl_path(lock, "%s/lock", r->temp)) unlink(lock);
  return true;
}

static void close_run(run_t *r, bool keep) {
  if (!keep) rtl_remove_tree(r->temp, NULL);
  close(r->lock);
  fclose(r->out);
  munmap(r->news, sizeof *r->news);
  r->pid = 0;
}

/* The thread that ends this process on a signal is not in a child: there a signal ends by itself. */
static void work(run_t *r) {
  sigset_t none;
  sigemptyset(&none);
  setpgid(0, 0);
  sigprocmask(SIG_SETMASK, &none, NULL);
  process_end_with_parent();
  prove_job_t job = *r->job;
  job.doing = doing;
  job.context = r->news;
  int rc = prove_run(&job, r->temp, r->out, &r->news->err);
  if (fflush(r->out) != 0 || ferror(r->out)) rc = PROVE_BAD_INPUT; /* a full disk */
  _exit(rc);
}

/* Its folder, locked; what is shared with it is the lock's own contents. */
static bool open_run(run_t *r) {
  if (!rtl_path(r->temp, "%s/%sXXXXXX", place(), folder_name) || !mkdtemp(r->temp)) return false;
  r->lock = lock_folder(r->temp, O_CREAT);
  r->out = tmpfile();
  r->news = MAP_FAILED;
  if (r->lock >= 0 && ftruncate(r->lock, sizeof *r->news) == 0)
    r->news = mmap(NULL, sizeof *r->news, PROT_READ | PROT_WRITE, MAP_SHARED, r->lock, 0);
  if (r->out && r->news != MAP_FAILED) return doing(r->news, "starting", 0), true;
  rtl_remove_tree(r->temp, NULL);
  if (r->out) fclose(r->out);
  if (r->lock >= 0) close(r->lock);
  return false;
}

static bool launch(team_t *t, run_t *r) {
  if (!open_run(r)) return mrpb_fail(&t->sum.err, "no file or folder for it in %s", place()), false;
  fflush(NULL);
  r->pid = fork();
  if (r->pid == 0) work(r);
  if (r->pid > 0) return setpgid(r->pid, r->pid), true;
  close_run(r, false);
  return mrpb_fail(&t->sum.err, "no process for it: %s", strerror(errno)), false;
}

static void print_progress(const team_t *t) {
  char *text = NULL;
  size_t size = 0;
  struct winsize w = {.ws_col = 80};
  FILE *f = t->progress ? open_memstream(&text, &size) : NULL;
  if (!f) return;
  if (t->n > 1) fprintf(f, "%zu of %zu; ", t->done, t->n);
  for (size_t i = 0, shown = 0; i < t->n; i++) {
    const run_t *r = &t->run[i];
    if (r->pid == 0) continue;
    if (shown++) fputs("; ", f);
    prove_name(r->job, f);
    fprintf(f, ": %s, %ld s", atomic_load(&r->news->doing), now() - atomic_load(&r->news->since));
    const unsigned limit = atomic_load(&r->news->seconds);
    if (limit) fprintf(f, " of %u", limit);
  }
  if (fclose(f) == 0) {
    if (ioctl(fileno(t->progress), TIOCGWINSZ, &w) != 0 || w.ws_col < 2) w.ws_col = 80;
    fprintf(t->progress, "\r\033[K%.*s", w.ws_col - 1, text);
    fflush(t->progress);
  }
  free(text);
}

static void clear_progress(const team_t *t) {
  if (!t->progress) return;
  fputs("\r\033[K", t->progress);
  fflush(t->progress);
}

static void count(team_t *t, int rc) {
  static const int order[] = {PROVE_DISAGREE, PROVE_NO};
  runs_t *sum = &t->sum;
  t->done++;
  sum->proved += rc == PROVE_YES;
  sum->refuted += rc == PROVE_NO;
  sum->rest += rc != PROVE_YES && rc != PROVE_NO;
  for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
    if (sum->code == order[i]) return;
    if (rc == order[i]) break;
  }
  if (rc == PROVE_DISAGREE || rc == PROVE_NO || sum->code == PROVE_YES) sum->code = rc;
}

/* Copies what a proof that has ended said. */
static void collect(team_t *t, run_t *r, int status) {
  char text[LINE];
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : PROVE_BAD_TOOL;
  clear_progress(t);
  rewind(r->out);
  while (fgets(text, sizeof text, r->out)) fputs(text, t->out);
  if (!WIFEXITED(status))
    mrpb_fail(&r->news->err, "the prover was killed by signal %d", WTERMSIG(status));
  bool kept = keeps(r, code);
  if (r->news->err.text[0]) t->sum.err = r->news->err;
  if (r->news->err.text[0] && t->n > 1)
    fprintf(t->out, "%s: %s\n", r->job->cls->stem, r->news->err.text);
  if (kept) fprintf(t->out, "kept: %s\n", r->temp);
  fflush(t->out);
  close_run(r, kept);
  count(t, code);
}

static void refuse(team_t *t, const prove_job_t *job) {
  if (t->n > 1) fprintf(t->out, "%s: %s\n", job->cls->stem, t->sum.err.text);
  count(t, PROVE_BAD_TOOL);
}

static size_t active(const team_t *t) {
  size_t n = 0;
  for (size_t i = 0; i < t->n; i++) n += t->run[i].pid != 0;
  return n;
}

/* A process of its own has a group of its own; what it calls dies with it. */
static void end_all(team_t *t) {
  clear_progress(t);
  for (size_t i = 0; i < t->n; i++)
    if (t->run[i].pid != 0) kill(-t->run[i].pid, SIGKILL);
  for (size_t i = 0; i < t->n; i++) {
    if (t->run[i].pid == 0) continue;
    while (waitpid(t->run[i].pid, NULL, 0) < 0 && errno == EINTR) {
    }
    close_run(&t->run[i], false);
  }
  t->sum.code = guard_signalled() ? guard_code() : PROVE_INTERRUPTED;
}

/* Waits until something happens; false if it is that all should end. */
static bool watch(team_t *t) {
  const struct timespec slice = {0, WATCH_MS * 1000000L};
  int status, sig = sigtimedwait(&t->watched, NULL, &slice);
  if (guard_signalled() || (sig > 0 && sig != SIGCHLD)) return false;
  for (size_t i = 0; i < t->n; i++) {
    run_t *r = &t->run[i];
    if (r->pid != 0 && waitpid(r->pid, &status, WNOHANG) == r->pid) collect(t, r, status);
  }
  print_progress(t);
  return true;
}

static void hold_signals(team_t *t) {
  struct sigaction old;
  sigemptyset(&t->watched);
  sigaddset(&t->watched, SIGCHLD);
  if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* not under nohup */
    sigaddset(&t->watched, SIGHUP);
  sigprocmask(SIG_BLOCK, &t->watched, &t->before);
}

runs_t runs(const prove_job_t *job, size_t n, unsigned side_by_side, FILE *out, FILE *progress) {
  team_t t = {.n = n, .out = out, .progress = progress};
  bool going = true;
  t.run = prove_alloc(n * sizeof *t.run);
  memset(t.run, 0, n * sizeof *t.run);
  for (size_t i = 0; i < n; i++) t.run[i].job = &job[i];
  remove_stale();
  hold_signals(&t);
  while (going && (t.next < n || active(&t) > 0)) {
    if (t.next == n || active(&t) >= side_by_side)
      going = watch(&t);
    else if (!launch(&t, &t.run[t.next++]))
      refuse(&t, &job[t.next - 1]);
  }
  if (!going) end_all(&t);
  clear_progress(&t);
  sigprocmask(SIG_SETMASK, &t.before, NULL);
  free(t.run);
  return t.sum;
}
