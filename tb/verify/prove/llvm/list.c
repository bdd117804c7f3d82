/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of proofs. */
#include "verify/prove/llvm/list.h"
#include "base/sizes.h"

#include "base/input.h"
#include "verify/prove/parts/parts.h"
#include "verify/prove/llvm/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  prove_job_t *job;
  size_t n, room;
} list_t;

int list_set(prove_job_t *job, const char *text, mrpb_err_t *err) {
  return sizes_set(job->cls, job->cfg, text, err);
}

/* A line's own engine is for what the usual one cannot decide. If another engine is requested, all
 * lines use that. */
static int take_word(prove_job_t *job, const char *word, mrpb_err_t *err) {
  engine_t engine;
  if (strncmp(word, "engine=", 7) != 0) return list_set(job, word, err);
  if (decide_engine(&engine, word + 7, err) != 0) return -1;
  if (job->engine == ENGINE_ABC) job->engine = engine;
  return 0;
}

static int parse_line(char *text, prove_job_t *job, mrpb_err_t *err) {
  char *save = NULL;
  text[strcspn(text, "#\n")] = '\0';
  char *word = strtok_r(text, " \t\r", &save);
  job->cls = NULL;
  if (!word) return 0;
  job->cls = prove_class(word, err);
  if (!job->cls) return -1;
  module_defaults(job->cls, job->cfg);
  while ((word = strtok_r(NULL, " \t\r", &save)))
    if (take_word(job, word, err) != 0) return -1;
  return job->cls->check(job->cfg, err);
}

typedef struct {
  const prove_job_t *base;
  list_t *list;
} reading_t;

static int take_line(void *ctx, char *text, mrpb_err_t *why) {
  const reading_t *r = ctx;
  list_t *list = r->list;
  prove_job_t job = *r->base;
  if (parse_line(text, &job, why) != 0) return -1;
  if (!job.cls) return 0;
  list->job = prove_room(list->job, list->n + 1, &list->room, sizeof *list->job);
  list->job[list->n++] = job;
  return 0;
}

static int read_list(const char *path, const prove_job_t *base, list_t *list, mrpb_err_t *err) {
  reading_t r = {base, list};
  if (input_lines(path, take_line, &r, err) != 0) return -1;
  if (list->n > 0) return 0;
  return mrpb_fail(err, "%s: no module in it; legal: lines of a module and its sizes", path);
}

void list_trust(engine_t engine, FILE *out) {
  fprintf(out,
          "trusted: " PROVE_CLANG ", the executor (tb/verify/prove/llvm), Yosys, %s, the port and "
          "register tables; docs/verify/prove.md\n",
          engine == ENGINE_BOTH ? "that ABC and cadical are not wrong alike" : decide_name(engine));
}

int list_run(const char *path, const prove_job_t *base, unsigned jobs, FILE *out, FILE *progress,
             mrpb_err_t *err) {
  list_t list = {0};
  if (read_list(path, base, &list, err) != 0) {
    free(list.job);
    return PROVE_BAD_INPUT;
  }
  runs_t sum = runs(list.job, list.n, jobs, out, progress);
  free(list.job);
  if (sum.code >= PROVE_INTERRUPTED) return sum.code;
  list_trust(base->engine, out);
  fprintf(out, "%zu proved, %zu refuted, %zu not decided\n", sum.proved, sum.refuted, sum.rest);
  return sum.code;
}
