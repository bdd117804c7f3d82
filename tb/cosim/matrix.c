/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of co-simulation runs. */
#include "cosim/matrix.h"

#include "base/grow.h"
#include "base/input.h"
#include "base/jobs.h"
#include "base/number.h"
#include "base/sizes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int parse_word(cosim_job_t *job, const char *word, mrpb_err_t *err) {
  if (strncmp(word, "cycles=", 7) == 0)
    return number_decimal(word + 7, UINT64_MAX, &job->cycles) && job->cycles > 0
               ? 0
               : mrpb_fail(err, "%s: legal: a number from 1", word);
  if (strncmp(word, "seed=", 5) == 0)
    return number_decimal(word + 5, UINT64_MAX, &job->seed)
               ? 0
               : mrpb_fail(err, "%s: legal: a number", word);
  return sizes_set(job->cls, job->cfg, word, err);
}

/* Parses a line after removing its comment; *used is false for an empty one. */
static int parse_line(char *line, cosim_job_t *job, bool *used, mrpb_err_t *err) {
  char *save = NULL;
  line[strcspn(line, "#\n")] = '\0';
  char *word = strtok_r(line, " \t\r", &save);
  *used = word != NULL;
  if (!word) return 0;
  job->cls = sizes_module(word, err);
  if (!job->cls) return -1;
  module_defaults(job->cls, job->cfg);
  for (word = strtok_r(NULL, " \t\r", &save); word; word = strtok_r(NULL, " \t\r", &save))
    if (parse_word(job, word, err) != 0) return -1;
  return job->cls->check(job->cfg, err);
}

typedef struct {
  const cosim_job_t *base;
  rtl_env_t *env;
  cosim_job_t *job;
  size_t n, room, told, passed;
  int worst;
} list_t;

static int take_line(void *ctx, char *text, mrpb_err_t *why) {
  list_t *list = ctx;
  bool used;
  cosim_job_t *job = grow(list->job, list->n + 1, &list->room, sizeof *job);
  if (!job) return mrpb_fail(why, "out of memory");
  list->job = job;
  job[list->n] = *list->base;
  if (parse_line(text, &job[list->n], &used, why) != 0) return -1;
  list->n += used;
  return 0;
}

static int read_list(const char *path, list_t *list, mrpb_err_t *err) {
  int rc = input_lines(path, take_line, list, err);
  if (rc != 0 || list->n > 0) return rc;
  return mrpb_fail(err, "%s: no runs in it; legal: lines of a module and its sizes", path);
}

/* Runs in its own process. */
static int work(void *ctx, size_t i, FILE *out) {
  const list_t *list = ctx;
  cosim_job_t job = list->job[i];
  mrpb_err_t err = {""};
  job.out = out;
  int rc = cosim_run(&job, list->env, &err);
  if (err.text[0]) fprintf(out, "%s: %s\n", job.cls->stem, err.text);
  return rc;
}

static jobs_then_t tell(void *ctx, const jobs_end_t *end) {
  static const int order[] = {COSIM_DIFFERENT};
  list_t *list = ctx;
  FILE *out = list->base->out;
  const char *stem = list->job[end->job].cls->stem;
  const int rc = end->exited ? end->code : COSIM_BAD_TOOL;
  jobs_copy(end, out);
  if (end->why)
    fprintf(out, "%s: %s\n", stem, end->why);
  else if (!end->exited)
    fprintf(out, "%s: killed by signal %d\n", stem, end->code);
  fflush(out);
  list->told++;
  list->passed += rc == 0;
  list->worst = jobs_worse(list->worst, rc, order, 1);
  return JOBS_GO_ON;
}

/* The outcomes appear in the list's order. */
int matrix_run(const char *path, const cosim_job_t *base, unsigned jobs, rtl_env_t *env,
               mrpb_err_t *err) {
  list_t list = {.base = base, .env = env};
  if (read_list(path, &list, err) != 0) {
    free(list.job);
    return COSIM_BAD_INPUT;
  }
  const jobs_t pool = {.n = list.n,
                       .at_once = jobs,
                       .in_order = true,
                       .ctx = &list,
                       .work = work,
                       .end = tell,
                       .stop = base->stop};
  const int rc = jobs_run(&pool, err);
  free(list.job);
  if (rc < 0) return COSIM_BAD_INPUT;
  fprintf(base->out, "%zu passed, %zu failed%s\n", list.passed, list.told - list.passed,
          rc == JOBS_STOPPED ? ", interrupted" : "");
  return rc == JOBS_STOPPED ? COSIM_INTERRUPTED : list.worst;
}
