/* SPDX-License-Identifier: Apache-2.0 */
/* One task of a Slurm job: runs its point like any other and leaves the result in the folder. */
#include "studies/sweep/child.h"
#include "studies/sweep/record.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *folder, *program;
  bool (*stop)(void);
  unsigned n;
  sweep_list_t list;
  child_t child;
  int rc;
  mrpb_err_t *err;
} task_t;

static int open_run(void *ctx, size_t job, mrpb_err_t *err) {
  task_t *t = ctx;
  return child_open(&t->child, &t->list.point[job], err);
}

static int become(void *ctx, size_t job, FILE *out) {
  const task_t *t = ctx;
  (void)out, (void)job;
  return child_become(&t->child, t->program, t->list.program);
}

static void tick(void *ctx) {
  task_t *t = ctx;
  child_drain(&t->child);
}

/* A run that was told to end, by a time limit or by scancel, leaves no result: it is lost, not
 * failed. */
static jobs_then_t tell(void *ctx, const jobs_end_t *end) {
  task_t *t = ctx;
  sweep_outcome_t o;
  if (end->why) return t->rc = mrpb_fail(t->err, "%s", end->why), JOBS_NO_MORE;
  child_end(&t->child, t->list.point, end, &o);
  const bool good = o.exited && o.code == 0;
  if (good || !t->stop()) t->rc = record_write_result(t->folder, t->n, &o, t->err);
  free(o.json);
  return JOBS_NO_MORE;
}

int sweep_task(const char *folder, const char *program, bool (*stop)(void), mrpb_err_t *err) {
  task_t t = {.folder = folder, .program = program, .stop = stop, .err = err};
  const char *number = getenv("SLURM_ARRAY_TASK_ID");
  uint64_t n = 0;
  if (!number || !number_decimal(number, UINT32_MAX, &n))
    return mrpb_fail(err, "SLURM_ARRAY_TASK_ID: legal: a number, in a task of a Slurm job");
  t.n = (unsigned)n;
  if (record_read_point(folder, t.n, &t.list, err) != 0) return -1;
  const jobs_t jobs = {.n = 1,
                       .at_once = 1,
                       .silent = true,
                       .ctx = &t,
                       .open = open_run,
                       .work = become,
                       .end = tell,
                       .tick = tick,
                       .stop = stop};
  const int rc = jobs_run(&jobs, err);
  child_close(&t.child);
  sweep_list_free(&t.list);
  return rc < 0 || t.rc < 0 ? -1 : rc == JOBS_STOPPED ? 130 : 0;
}
