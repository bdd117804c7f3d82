/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a sweep through Slurm: submits job arrays, collects the results of their tasks, and
 * resubmits what was lost. This process alone writes to the store. However it ends, the folders of
 * its batches tell the next process everything that it needs: which point each task has, and under
 * which name the queue knows the job. */
#define _DEFAULT_SOURCE /* realpath */
#include "studies/sweep/slurm.h"

#include "studies/sweep/queue.h"
#include "studies/sweep/record.h"
#include "studies/sweep/run.h"

#include "base/files.h"
#include "base/grow.h"
#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A job array has at most MOST_TASKS tasks (Slurm's default MaxArraySize less one). A task without
 * a result that the queue lacks GONE times in a row is lost. A point is submitted at most TRIES
 * times. */
enum { MOST_TASKS = 1000, GONE = 2, TRIES = 3, WAIT_MS = 1000, SLICE_MS = 100 };

#define PREFIX "mrpb-sweep-"

typedef struct {
  const sweep_t *sweep;
  const sweep_slurm_t *how;
  plan_t plan;
  run_tally_t tally;
  queue_batch_t *batch;
  size_t n, room;
  size_t *todo, n_todo; /* points to be submitted */
  unsigned char *tries; /* per point of the list */
  bool *waits;          /* per point: some batch has it */
  size_t lost;
  /* silent: the queue has not answered; late: something could not be submitted. Each is reported
   * once. */
  bool silent, late;
} slurm_t;

static bool stopped(const slurm_t *s) {
  return s->sweep->stop && s->sweep->stop();
}

/* Prints a line for the user, in the log or above the progress display. */
static void say(const slurm_t *s, const char *what, const char *why) {
  FILE *f = run_out(s->sweep);
  if (f) fprintf(f, "%s%s%s%s\n", s->sweep->log ? "" : "\r\033[K", what, why[0] ? ": " : "", why);
  if (f) fflush(f);
}

/* ---- batches ----------------------------------------------------------------------------------- */

static void free_batch(queue_batch_t *b) {
  free(b->folder);
  free(b->point);
  free(b->listed);
  free(b->runs);
  free(b->absent);
}

/* Adds a batch of `n` tasks in the folder FOLDER/NAME, which exists. */
static queue_batch_t *add_batch(slurm_t *s, const char *path, unsigned n, mrpb_err_t *err) {
  queue_batch_t *b = grow(s->batch, s->n + 1, &s->room, sizeof *b);
  if (!b) return (void)mrpb_fail(err, "out of memory for a batch"), NULL;
  s->batch = b;
  b += s->n;
  *b = (queue_batch_t){.folder = realpath(path, NULL),
                       .n = n,
                       .point = malloc((n + 1) * sizeof *b->point),
                       .listed = calloc(n + 1, sizeof *b->listed),
                       .runs = calloc(n + 1, sizeof *b->runs),
                       .absent = calloc(n + 1, sizeof *b->absent)};
  if (b->folder && b->point && b->listed && b->runs && b->absent) {
    for (unsigned i = 0; i < n; i++) b->point[i] = QUEUE_NONE;
    snprintf(b->name, sizeof b->name, "%s", strrchr(b->folder, '/') + 1);
    s->n++;
    return b;
  }
  free_batch(b);
  return (void)mrpb_fail(err, "%s: %s", path, strerror(errno)), NULL;
}

/* Whether everything has been taken from the batch. While the queue knows another sweep's tasks,
 * they are left alone. */
static bool is_over(const queue_batch_t *b, bool known) {
  if (b->foreign && !known) return false;
  for (unsigned i = 0; i < b->n; i++)
    if (b->point[i] != QUEUE_NONE || (b->foreign && b->listed[i])) return false;
  return true;
}

static void drop_batches(slurm_t *s, bool known) {
  for (size_t i = s->n; i-- > 0;) {
    if (!is_over(&s->batch[i], known)) continue;
    files_remove_tree(s->batch[i].folder, NULL);
    free_batch(&s->batch[i]);
    s->batch[i] = s->batch[--s->n];
  }
}

/* ---- submitting -------------------------------------------------------------------------------- */

static int fill_batch(slurm_t *s, queue_batch_t *b, mrpb_err_t *err) {
  const sweep_list_t *l = s->sweep->list;
  for (unsigned i = 0; i < b->n; i++) {
    const sweep_point_t *p = &l->point[s->todo[i]];
    if (record_write_point(b->folder, i, &l->program[p->program], p, err) != 0) return -1;
  }
  if (queue_submit(b, s->sweep->program, s->how, s->sweep->stop, err) != 0) return -1;
  for (unsigned i = 0; i < b->n; i++) {
    b->point[i] = s->todo[i];
    s->waits[s->todo[i]] = true;
    s->tries[s->todo[i]]++;
  }
  s->n_todo -= b->n;
  memmove(s->todo, s->todo + b->n, s->n_todo * sizeof *s->todo);
  return 0;
}

/* Submits a batch. If it cannot be submitted as a whole, nothing of it remains. */
static int submit_one(slurm_t *s, mrpb_err_t *err) {
  char path[OUTPUT_NAME];
  const int n = snprintf(path, sizeof path, "%s/" PREFIX "XXXXXX", s->how->folder);
  if (n >= (int)sizeof path) return mrpb_fail(err, "%.60s...: name too long", s->how->folder);
  if (!mkdtemp(path)) return mrpb_fail(err, "%s: %s", path, strerror(errno));
  queue_batch_t *b =
      add_batch(s, path, (unsigned)(s->n_todo < MOST_TASKS ? s->n_todo : MOST_TASKS), err);
  if (b && fill_batch(s, b, err) == 0) return 0;
  files_remove_tree(path, NULL);
  if (b) free_batch(&s->batch[--s->n]);
  return -1;
}

static int submit(slurm_t *s, mrpb_err_t *err) {
  while (s->n_todo > 0 && !stopped(s))
    if (submit_one(s, err) != 0) return -1;
  return 0;
}

/* ---- collecting -------------------------------------------------------------------------------- */

/* Stores the result of a task, if there is one. Returns 1 if there was one, 0 if not, or -1 and a
 * message. The point need not belong to this sweep. */
static int collect(const slurm_t *s, const queue_batch_t *b, unsigned i, sweep_outcome_t *o,
                   mrpb_err_t *err) {
  sweep_list_t one;
  mrpb_err_t none = {{0}};
  if (!record_read_result(b->folder, i, o)) return 0;
  if (record_read_point(b->folder, i, &one, &none) != 0) return free(o->json), 0;
  const int rc = sweep_store_put(s->sweep->store, one.program, one.point, o, err);
  sweep_list_free(&one);
  free(o->json);
  o->json = NULL;
  if (rc != 0) return -1;
  record_remove(b->folder, i);
  return 1;
}

/* The task has no result and the queue does not know it. */
static void lose(slurm_t *s, queue_batch_t *b, unsigned i) {
  const size_t point = b->point[i];
  char what[96], why[400];
  record_last_words(b->folder, i, why, sizeof why);
  b->point[i] = QUEUE_NONE;
  s->waits[point] = false;
  const bool again = s->tries[point] < TRIES;
  snprintf(what, sizeof what, "task %u of %.40s is lost%s", i, b->name,
           again ? ", submitted again" : "");
  say(s, what, why);
  if (again)
    s->todo[s->n_todo++] = point;
  else
    s->lost++;
}

/* `known`: the queue was asked just now, before the results were looked at. */
static int take_task(slurm_t *s, queue_batch_t *b, unsigned i, bool known, mrpb_err_t *err) {
  sweep_outcome_t o;
  const size_t point = b->point[i];
  if (point == QUEUE_NONE) return 0;
  const int rc = collect(s, b, i, &o, err);
  if (rc < 0) return -1;
  if (rc > 0) {
    b->point[i] = QUEUE_NONE;
    s->waits[point] = false;
    plan_end(&s->plan, point, o.exited && o.code == 0 ? o.cpu_seconds : 0);
    run_tell(s->sweep, &s->plan, &s->tally, point, &o);
  } else if (known) {
    b->absent[i] = b->listed[i] ? 0 : (unsigned char)(b->absent[i] + 1);
    if (b->absent[i] == GONE) lose(s, b, i);
  }
  return 0;
}

static int poll_all(slurm_t *s, mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  const bool known = queue_look(s->batch, s->n, s->sweep->stop, &why) == 0;
  unsigned runs = 0;
  if (!known && !s->silent && !stopped(s)) say(s, "the queue does not answer; waiting", why.text);
  s->silent = !known;
  for (size_t k = 0; k < s->n; k++)
    for (unsigned i = 0; i < s->batch[k].n; i++) {
      if (take_task(s, &s->batch[k], i, known, err) != 0) return -1;
      runs += s->batch[k].runs[i];
    }
  drop_batches(s, known);
  run_progress(s->sweep, &s->tally, &s->plan, runs ? runs : 1);
  return 0;
}

static void wait_a_while(const slurm_t *s) {
  const struct timespec slice = {0, SLICE_MS * 1000000L};
  for (unsigned i = 0; i < WAIT_MS / SLICE_MS && !stopped(s); i++) nanosleep(&slice, NULL);
}

/* ---- what an earlier process has left ---------------------------------------------------------- */

static int is_batch(const struct dirent *d) {
  return strncmp(d->d_name, PREFIX, sizeof PREFIX - 1) == 0;
}

/* Stores the task's result. Without a result, the point waits for the task if it belongs to this
 * sweep. */
static int adopt_task(slurm_t *s, queue_batch_t *b, unsigned i, mrpb_err_t *err) {
  sweep_list_t one;
  sweep_outcome_t o;
  mrpb_err_t none = {{0}};
  const int rc = collect(s, b, i, &o, err);
  if (rc != 0) return rc < 0 ? -1 : 0;
  if (record_read_point(b->folder, i, &one, &none) != 0) return 0;
  const size_t point = sweep_list_find(s->sweep->list, one.program->hash, one.point->hash);
  sweep_list_free(&one);
  b->foreign += point == SIZE_MAX;
  if (point == SIZE_MAX || s->waits[point]) return 0;
  b->point[i] = point;
  s->waits[point] = true;
  s->tries[point] = 1;
  return 0;
}

static int adopt(slurm_t *s, mrpb_err_t *err) {
  struct dirent **name;
  char path[OUTPUT_NAME];
  int rc = 0, n = scandir(s->how->folder, &name, is_batch, alphasort);
  if (n < 0) return mrpb_fail(err, "%s: %s", s->how->folder, strerror(errno));
  for (int k = 0; k < n; k++) {
    snprintf(path, sizeof path, "%s/%s", s->how->folder, name[k]->d_name);
    free(name[k]);
    queue_batch_t *b = rc == 0 ? add_batch(s, path, MOST_TASKS, err) : NULL;
    if (!b) rc = -1;
    for (unsigned i = 0; i < MOST_TASKS && rc == 0; i++) rc = adopt_task(s, b, i, err);
  }
  free(name);
  return rc;
}

/* ---- all of it --------------------------------------------------------------------------------- */

/* Lists the points, the longest first, without those that already wait in a batch. */
static int list_todo(slurm_t *s, mrpb_err_t *err) {
  if (plan_open(&s->plan, s->sweep, err) != 0) return -1;
  s->tally.all = s->plan.n;
  s->todo = calloc(s->plan.n + 1, sizeof *s->todo);
  if (!s->todo) return mrpb_fail(err, "out of memory for the list of points");
  while (s->plan.begun < s->plan.n) {
    const size_t point = plan_next(&s->plan);
    if (!s->waits[point]) s->todo[s->n_todo++] = point;
  }
  return 0;
}

static bool any_waits(const slurm_t *s) {
  for (size_t k = 0; k < s->n; k++)
    for (unsigned i = 0; i < s->batch[k].n; i++)
      if (s->batch[k].point[i] != QUEUE_NONE) return true;
  return false;
}

/* What cannot be submitted now (the disk is full, or the controller does not answer) is tried again
 * while others are waited for. */
static int submit_or_wait(slurm_t *s, mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  const bool bad = submit(s, &why) != 0;
  if (bad && !any_waits(s)) return mrpb_fail(err, "%s", why.text);
  if (bad && !s->late && !stopped(s)) say(s, "not submitted yet; trying again", why.text);
  s->late = bad;
  return 0;
}

static int work(slurm_t *s, mrpb_err_t *err) {
  if (adopt(s, err) != 0 || list_todo(s, err) != 0) return -1;
  if (s->n > 0 && poll_all(s, err) != 0) return -1;
  while (!stopped(s) && (s->n_todo > 0 || any_waits(s))) {
    if (submit_or_wait(s, err) != 0 || poll_all(s, err) != 0) return -1;
    if (any_waits(s)) wait_a_while(s);
  }
  return 0;
}

static int finish(const slurm_t *s, int rc) {
  const int failed = s->plan.program ? run_close(s->sweep, &s->plan, &s->tally) : 0;
  char text[160];
  if (s->lost) {
    snprintf(text, sizeof text,
             "%zu points were lost %d times and are missing; the same command tries again", s->lost,
             TRIES);
    say(s, text, "");
  }
  if (stopped(s)) {
    if (any_waits(s))
      say(s, "what was submitted stays in the queue; the same command collects it", "");
    return 130;
  }
  return rc != 0 ? -1 : failed || s->lost;
}

int slurm_run(const sweep_t *sweep, mrpb_err_t *err) {
  const sweep_slurm_t *how = sweep->slurm;
  slurm_t s = {.sweep = sweep, .how = how};
  if (output_folder(how->folder, err) != 0) return -1;
  s.tries = calloc(sweep->list->n + 1, sizeof *s.tries);
  s.waits = calloc(sweep->list->n + 1, sizeof *s.waits);
  int rc = s.tries && s.waits ? work(&s, err) : mrpb_fail(err, "out of memory");
  rc = finish(&s, rc);
  for (size_t i = 0; i < s.n; i++) free_batch(&s.batch[i]);
  free(s.batch);
  free(s.todo);
  free(s.tries);
  free(s.waits);
  plan_close(&s.plan);
  (void)rmdir(how->folder); /* succeeds if the folder is empty */
  return rc;
}
