/* SPDX-License-Identifier: Apache-2.0 */
/* Runs several logic jobs at the same time. Their results are left where logic_estimate finds
 * them. */
#include "estimate/logic.h"

#include "base/files.h"
#include "base/jobs.h"

#include <stdlib.h>

typedef struct {
  const logic_job_t *job;
  bool failed;
  mrpb_err_t *err;
} all_t;

/* Runs in its own process; its output is the reason for a failure. */
static int work(void *ctx, size_t i, FILE *out) {
  const all_t *all = ctx;
  mrpb_err_t err = {""};
  logic_result_t r;
  if (logic_estimate(&all->job[i], &r, &err) == 0) return 0;
  fputs(err.text, out);
  return 1;
}

/* One failing job ends all. */
static jobs_then_t tell(void *ctx, const jobs_end_t *end) {
  all_t *all = ctx;
  char said[sizeof all->err->text] = "";
  if (end->ended || (end->exited && end->code == 0)) return JOBS_GO_ON;
  if (end->out) said[fread(said, 1, sizeof said - 1, end->out)] = '\0';
  mrpb_fail(all->err, "%s",
            end->why  ? end->why
            : said[0] ? said
                      : "a process of the logic estimate ended without a word");
  all->failed = true;
  return JOBS_END_ALL;
}

int logic_estimate_all(const logic_job_t *job, logic_result_t *r, unsigned n, unsigned at_once,
                       bool (*stop)(void), mrpb_err_t *err) {
  all_t all = {.job = job, .err = err};
  const jobs_t pool = {.n = n,
                       .at_once = at_once,
                       .apart = true,
                       .ctx = &all,
                       .work = work,
                       .end = tell,
                       .stop = stop};
  int rc = jobs_run(&pool, err);
  if (rc == JOBS_STOPPED) {
    /* The killed processes have left their folders in the cache; a new one removes them. */
    char temp[FILES_PATH];
    if (n && files_temp_folder(temp, job->cache, NULL) == 0) files_remove_tree(temp, NULL);
    mrpb_fail(err, "interrupted");
    return LOGIC_STOPPED;
  }
  if (rc < 0 || all.failed) return -1;
  for (unsigned i = 0; i < n && rc == 0; i++) rc = logic_estimate(&job[i], &r[i], err);
  return rc;
}
