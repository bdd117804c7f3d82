/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/runs.h"
#include "base/seconds.h"

#include "base/guard.h"
#include "base/jobs.h"
#include "base/files.h"
#include "base/memory_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static const char folder_name[] = "mrpb-prove-";

/* Shared memory in which a proof reports to the process that watches it. */
typedef struct {
  _Atomic(const char *) doing;
  atomic_long since;   /* s */
  atomic_uint seconds; /* its time limit, 0: none */
  mrpb_err_t err;
} news_t;

typedef struct {
  const prove_job_t *job;
  bool runs;
  char temp[FILES_PATH];
  int lock; /* held as long as the folder is in use */
  news_t *news;
} run_t;

typedef struct {
  run_t *run;
  size_t n, done;
  FILE *out, *progress;
  runs_t sum;
} team_t;

static void doing(void *context, const char *what, unsigned seconds) {
  news_t *news = context;
  atomic_store(&news->seconds, seconds);
  atomic_store(&news->since, (long)seconds_now());
  atomic_store(&news->doing, what);
}

/* The lock of a folder in use is held by a live process; a kept folder is not locked. */
static int lock_folder(const char *folder, int flags) {
  char path[FILES_PATH];
  const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (!files_path(path, "%s/lock", folder)) return -1;
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
    char path[FILES_PATH];
    if (strncmp(e->d_name, folder_name, sizeof folder_name - 1) != 0) continue;
    int fd = files_path(path, "%s/%s", place(), e->d_name) ? lock_folder(path, 0) : -1;
    if (fd < 0) continue;
    files_remove_tree(path, NULL);
    close(fd);
  }
  if (d) closedir(d);
}

static bool keeps(const run_t *r, int code) {
  char lock[FILES_PATH];
  if (code != PROVE_DISAGREE && !getenv("MRPB_PROVE_KEEP")) return false;
  if (files_path(lock, "%s/lock", r->temp)) unlink(lock);
  return true;
}

static void close_run(run_t *r, bool keep) {
  if (!keep) files_remove_tree(r->temp, NULL);
  close(r->lock);
  munmap(r->news, sizeof *r->news);
  r->runs = false;
}

/* Runs in its own process. */
static int work(void *ctx, size_t i, FILE *out) {
  const team_t *t = ctx;
  const run_t *r = &t->run[i];
  prove_job_t job = *r->job;
  job.doing = doing;
  job.context = r->news;
  return prove_run(&job, r->temp, out, &r->news->err);
}

/* Creates its folder and locks it. The memory shared with the process is the contents of the lock
 * file. */
static int open_run(void *ctx, size_t i, mrpb_err_t *err) {
  team_t *t = ctx;
  run_t *r = &t->run[i];
  r->news = MAP_FAILED;
  if (!files_path(r->temp, "%s/%sXXXXXX", place(), folder_name) || !mkdtemp(r->temp))
    return mrpb_fail(err, "no file or folder for it in %s", place());
  r->lock = lock_folder(r->temp, O_CREAT);
  if (r->lock >= 0 && ftruncate(r->lock, sizeof *r->news) == 0)
    r->news = mmap(NULL, sizeof *r->news, PROT_READ | PROT_WRITE, MAP_SHARED, r->lock, 0);
  r->runs = r->news != MAP_FAILED;
  if (r->runs) return doing(r->news, "starting", 0), 0;
  files_remove_tree(r->temp, NULL);
  if (r->lock >= 0) close(r->lock);
  return mrpb_fail(err, "no file or folder for it in %s", place());
}

static void print_progress(void *ctx) {
  const team_t *t = ctx;
  char *text = NULL;
  size_t size = 0;
  struct winsize w = {.ws_col = 80};
  FILE *f = t->progress ? memory_file(&text, &size) : NULL;
  if (!f) return;
  if (t->n > 1) fprintf(f, "%zu of %zu; ", t->done, t->n);
  for (size_t i = 0, shown = 0; i < t->n; i++) {
    const run_t *r = &t->run[i];
    if (!r->runs) continue;
    if (shown++) fputs("; ", f);
    prove_name(r->job, f);
    fprintf(f, ": %s, %ld s", atomic_load(&r->news->doing),
            (long)seconds_now() - atomic_load(&r->news->since));
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
  sum->code = jobs_worse(sum->code, rc, order, sizeof order / sizeof *order);
}

static void refuse(team_t *t, run_t *r, const char *why) {
  if (r->runs) close_run(r, false);
  mrpb_fail(&t->sum.err, "%s", why);
  if (t->n > 1) fprintf(t->out, "%s: %s\n", r->job->cls->stem, t->sum.err.text);
  count(t, PROVE_BAD_TOOL);
}

/* Copies the output of a proof that has ended; nothing of one that was told to end. */
static jobs_then_t tell(void *ctx, const jobs_end_t *end) {
  team_t *t = ctx;
  run_t *r = &t->run[end->job];
  const int code = end->exited ? end->code : PROVE_BAD_TOOL;
  clear_progress(t);
  if (end->why) return refuse(t, r, end->why), JOBS_GO_ON;
  if (end->ended) return close_run(r, false), JOBS_GO_ON;
  jobs_copy(end, t->out);
  if (!end->exited) mrpb_fail(&r->news->err, "the prover was killed by signal %d", end->code);
  bool kept = keeps(r, code);
  if (r->news->err.text[0]) t->sum.err = r->news->err;
  if (r->news->err.text[0] && t->n > 1)
    fprintf(t->out, "%s: %s\n", r->job->cls->stem, r->news->err.text);
  if (kept) fprintf(t->out, "kept: %s\n", r->temp);
  fflush(t->out);
  close_run(r, kept);
  count(t, code);
  return JOBS_GO_ON;
}

runs_t runs(const prove_job_t *job, size_t n, unsigned side_by_side, FILE *out, FILE *progress) {
  team_t t = {.n = n, .out = out, .progress = progress};
  const jobs_t pool = {.n = n,
                       .at_once = side_by_side,
                       .apart = true,
                       .ctx = &t,
                       .open = open_run,
                       .work = work,
                       .end = tell,
                       .tick = print_progress};
  t.run = prove_alloc(n * sizeof *t.run);
  memset(t.run, 0, n * sizeof *t.run);
  for (size_t i = 0; i < n; i++) t.run[i].job = &job[i];
  remove_stale();
  const int rc = jobs_run(&pool, &t.sum.err);
  clear_progress(&t);
  if (rc < 0) t.sum.code = PROVE_BAD_TOOL;
  if (rc == JOBS_STOPPED) t.sum.code = guard_signalled() ? guard_code() : PROVE_INTERRUPTED;
  free(t.run);
  return t.sum;
}
